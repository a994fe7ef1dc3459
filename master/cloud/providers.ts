// Which providers a word means, and where EC2 is asked for each.
import { type CloudConfig, type Ec2Settings, providerSettings } from '../../core/cloud/index.ts'
import { RunError } from '../run.ts'
import type { Place } from './ports.ts'

/** Salt's, where nobody says. */
const defaultLocation = 'us-east-1'
/** What stands for an access key where the master's own credentials are meant. */
const ownCredentials = 'use-instance-role-credentials'

/** The aliases a word means: all, one by its name or `alias:ec2`, or those of a driver. Throws Salt's sentence for none. */
export function lookUp(config: CloudConfig, word: string): string[] {
  const aliases = [...config.providers.keys()]
  if (word === 'all' || word === '') {
    if (aliases.length === 0) throw new RunError('There are no cloud providers configured.')
    return aliases
  }
  const [alias = '', driver] = word.split(':')
  if (driver !== undefined && !(driver === 'ec2' && aliases.includes(alias)))
    throw new RunError(`No cloud providers matched '${word}'. Available: ${aliases.join(', ')}`)
  const found = driver !== undefined ? [alias] : aliases.filter((each) => word === each || word === 'ec2')
  if (found.length > 0) return found
  throw new RunError(`No cloud providers matched '${word}'. Available selections: ${aliases.join(', ')}`)
}

/** Where the settings say that EC2 is; `elsewhere` is a region in place of theirs. */
export function placeOf(settings: Ec2Settings, elsewhere?: string): Place {
  const { id, key, endpoint } = settings
  const location = elsewhere ?? settings.location ?? defaultLocation
  const given = id !== undefined && key !== undefined && id !== ownCredentials && key !== ownCredentials
  return {
    region: location,
    ...(given ? { credentials: { id, key } } : {}),
    ...(endpoint === undefined ? {} : { endpoint: endpoint.includes('://') ? endpoint : `https://${endpoint}` }),
  }
}

/** The providers to ask for all machines, the first alone of those that would tell the same. */
export function distinctProviders(config: CloudConfig, location?: string): ReadonlyMap<string, Place> {
  const seen = new Set<string>()
  const kept = [...config.providers.keys()].flatMap((alias) => {
    const place = placeOf(providerSettings(config, alias), location)
    const same = JSON.stringify(place)
    if (seen.has(same)) return []
    seen.add(same)
    return [[alias, place] as const]
  })
  return new Map(kept)
}
