// Machines as the providers tell of them now.
import { type CloudConfig, providerSettings } from '../../core/cloud/index.ts'
import { messageOf } from '../../core/error.ts'
import { type Mapping, pythonStr } from '../../core/value/index.ts'
import { RunError } from '../run.ts'
import type { MachineAt } from './actions.ts'
import { nodesByName } from './nodes.ts'
import type { CloudOutside } from './ports.ts'
import { distinctProviders } from './providers.ts'

/** What each provider tells, by its alias and the machine's name. */
export type FoundMachines = ReadonlyMap<string, Readonly<Record<string, Mapping>>>

/**
 * Every machine of all providers; `location` is the region that is asked, in place of each provider's own. Throws a RunError
 * where one of them cannot be asked.
 */
export async function allMachines(
  { machines }: CloudOutside,
  config: CloudConfig,
  location?: string,
): Promise<FoundMachines> {
  const asked = [...distinctProviders(config, location)].map(async ([alias, place]) => {
    try {
      return [alias, nodesByName(await machines.list(place))] as const
    } catch (error) {
      throw new RunError(`The cloud provider '${alias}' could not be asked: ${messageOf(error)}`)
    }
  })
  return new Map(await Promise.all(asked))
}

/** Those of them that are meant, by name or by id. */
export function machinesMeant(
  found: FoundMachines,
  config: CloudConfig,
  names: ReadonlySet<string>,
): readonly MachineAt[] {
  return [...found].flatMap(([alias, nodes]) =>
    Object.entries(nodes).flatMap(([name, node]) => {
      const asked = [name, pythonStr(node.id ?? '')].find((known) => names.has(known))
      return asked === undefined ? [] : [{ alias, name, asked, node, settings: providerSettings(config, alias) }]
    }),
  )
}
