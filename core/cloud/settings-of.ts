// The settings of one machine: what holds for all, its provider's, its profile's, and what was said about it alone.
import { nearest } from '../config/nearest.ts'
import { plainOf } from '../config/types.ts'
import { BrineError } from '../error.ts'
import { type Mapping, pythonStr } from '../value/index.ts'
import { mergeDeep } from '../value/merge.ts'
import { type CloudConfig, notMachines } from './config.ts'
import { checkEc2Settings, type Ec2Settings, ec2Keys, placeKeys, saltsOwn } from './ec2-settings.ts'
import { mappingOf } from './mapping.ts'

/** The settings of a provider alone. Throws `cloud-config` for wrong ones. */
export function providerSettings(config: CloudConfig, alias: string): Ec2Settings {
  return checked(merge(mainOf(config), config.providers.get(alias)?.get('ec2') ?? {}), `The provider '${alias}'`)
}

/** A machine of a profile: later ones win, maps are merged. Throws `cloud-config` for wrong values. */
export function machineSettings(config: CloudConfig, profile: Mapping, name: string, over: Mapping = {}): Ec2Settings {
  const alias = pythonStr(profile.provider ?? '').split(':')[0] ?? ''
  requireKnown(over, name)
  const provider = config.providers.get(alias)?.get('ec2') ?? {}
  return checked({ ...merge(merge(merge(mainOf(config), provider), profile), over), name }, `The machine '${name}'`)
}

/** Of what is said for one machine alone, a misspelt key has nobody to warn. */
function requireKnown(over: Mapping, name: string): void {
  for (const key of Object.keys(over)) {
    if (placeKeys.includes(key))
      throw wrong(name, `${key} is the provider's to say. Make a machine elsewhere from a profile of another provider.`)
    if (ec2Keys.includes(key) || saltsOwn(key) !== undefined) continue
    const meant = nearest(key, ec2Keys)
    throw wrong(name, `${key} is no key that Brine knows.${meant === undefined ? '' : ` Did you mean ${meant}?`}`)
  }
}

function wrong(name: string, message: string): BrineError {
  return new BrineError(`The machine '${name}': ${message}`, { code: 'cloud-config' })
}

function mainOf({ main }: CloudConfig): Mapping {
  return Object.fromEntries(Object.entries(main).filter(([key]) => !notMachines.has(key)))
}

function merge(base: Mapping, over: Mapping): Mapping {
  return mappingOf(mergeDeep(base, over)) ?? over
}

function checked(settings: Mapping, whose: string): Ec2Settings {
  const result = checkEc2Settings(plainOf(settings))
  if (result.kind === 'settings') return result.settings
  const issues = result.issues.map(({ key, message }) => `${key}: ${message}`).join('; ')
  throw new BrineError(`${whose} cannot be so: ${issues}`, { code: 'cloud-config' })
}
