// What can be asked of a provider.
import type { CloudConfig, Ec2Settings } from '../../core/cloud/index.ts'
import { type Mapping, pythonStr } from '../../core/value/index.ts'
import { RunError } from '../run.ts'
import { nodeQueries } from './node-queries.ts'
import { nodeOf, nodesByName, told } from './nodes.ts'
import type { CloudOutside, Offer } from './ports.ts'
import { placeOf } from './providers.ts'
import { selectionOf } from './selection.ts'

interface Asked {
  readonly outside: CloudOutside
  readonly config: CloudConfig
  readonly alias: string
  readonly settings: Ec2Settings
}

const offers: Readonly<Record<string, Offer>> = {
  avail_locations: 'locations',
  avail_images: 'images',
  avail_sizes: 'sizes',
}

/** Asks it. Throws Salt's sentence for a function there is not. */
export async function functionOf(
  { outside, config, alias, settings }: Asked,
  fun: string,
  kwargs: Mapping,
): Promise<Mapping> {
  const place = placeOf(settings)
  const offer = offers[fun]
  if (offer !== undefined)
    return outside.machines.offers(place, offer, pythonStr(kwargs.owner ?? settings.owner ?? 'amazon'))
  const query = nodeQueries.find((each) => each === fun)
  if (query !== undefined)
    return told(nodesByName(await outside.machines.list(place)), query, selectionOf(config, query))
  if (fun === 'show_instance') {
    const { name, instance_id: id } = kwargs
    if (name === undefined && id === undefined)
      throw new RunError('The show_instance function requires either a name or an instance_id')
    const which = id !== undefined ? { id: pythonStr(id) } : { name: pythonStr(name ?? '') }
    const [machine] = await outside.machines.list(place, which)
    return machine === undefined ? {} : nodeOf(machine)
  }
  throw new RunError(`The '${alias}' cloud provider alias, for the 'ec2' driver, does not define the function '${fun}'`)
}
