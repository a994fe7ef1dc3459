// Machines made by name: nobody's that lives, with what a profile has to say, and with what is done first on a new minion.
import { type CloudConfig, machineSettings } from '../../core/cloud/index.ts'
import { type Mapping, pythonStr } from '../../core/value/index.ts'
import type { Execute } from '../execute.ts'
import type { Clock, KeyRing } from '../ports.ts'
import { RunError } from '../run.ts'
import { afterCreation } from './after-creation.ts'
import { createMachine } from './creation.ts'
import { allMachines, type FoundMachines } from './found-machines.ts'
import { isAlive } from './nodes.ts'
import type { CloudOutside } from './ports.ts'
import type { TellCloud } from './tell.ts'

/** What making machines takes. */
export interface MakingNeeds {
  readonly outside: CloudOutside
  readonly ring: Pick<KeyRing, 'get' | 'list'>
  readonly execute: Execute
  readonly clock: Pick<Clock, 'now'>
  /** Seconds that jobs on new minions are waited for. */
  readonly timeout: number
}

/** Makes one machine, `over` its profile's settings. Throws a RunError with Salt's sentence where it cannot. */
export type Make = (name: string, profile: Mapping, over: Mapping) => Promise<Mapping>

/** The way to make machines, beside those there are at this moment. */
export async function createMake(needs: MakingNeeds, config: CloudConfig, tell: TellCloud): Promise<Make> {
  const existing = await allMachines(needs.outside, config)
  return async (name, profile, over) => {
    const refusal = await takenAnswer(needs.outside, existing, name)
    if (refusal !== undefined) return refusal
    const settings = machineSettings(config, profile, name, over)
    const provider = pythonStr(profile.provider ?? '')
    for (const key of ['image', 'size'] as const)
      if (settings[key] === undefined)
        throw new RunError(
          `Failed to deploy VM: The required '${key}' configuration setting is missing from the '${pythonStr(profile.profile ?? name)}' profile, which is configured under the '${provider.split(':')[0]}' alias.`,
        )
    const { outside, ring, clock } = needs
    const named = typeof profile.profile === 'string' ? profile.profile : null
    const made = await createMachine(
      { outside, ring, now: () => clock.now(), tell },
      { name, profile: named, provider, settings },
    )
    return made.deployed === true ? { ...made, ...(await afterCreation(needs, settings, name)) } : made
  }
}

/** Salt's answer where a machine of this name lives already; one whose making was begun here is gone on with. */
export async function takenAnswer(
  { store }: CloudOutside,
  existing: FoundMachines,
  name: string,
): Promise<Mapping | undefined> {
  const owner = [...existing].find(([, nodes]) => nodes[name] !== undefined && isAlive(nodes[name]))
  if (owner === undefined || (await store.begun(name)) !== undefined) return undefined
  return { Error: `${name} already exists under ${owner[0]}:ec2` }
}
