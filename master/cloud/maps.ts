// Maps: machines of several profiles, told of and made together.
import type { CloudConfig } from '../../core/cloud/index.ts'
import { inOrder, type MappedMachine } from '../../core/cloud/map.ts'
import { messageOf } from '../../core/error.ts'
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { RunError } from '../run.ts'
import { allMachines } from './found-machines.ts'
import { createMake, type MakingNeeds, takenAnswer } from './making.ts'
import type { NodeQuery } from './node-queries.ts'
import { told } from './nodes.ts'
import { selectionOf } from './selection.ts'
import type { TellCloud } from './tell.ts'

/** What is done with maps. */
export interface Maps {
  /** Each machine of the map as it is, or `Absent`, by alias and driver; `Errors` for profiles that there are not. */
  query(machines: readonly MappedMachine[], query: NodeQuery): Promise<Mapping>
  /** `{existing, create}`, names, and the `errors` of profiles that there are not. */
  plan(machines: readonly MappedMachine[]): Promise<Mapping>
  /** Makes those that there are not; what became of each by its name. */
  run(machines: readonly MappedMachine[], options: MapOptions): Promise<Mapping>
}

/** How the machines of a map are made. */
export interface MapOptions {
  /** All at once that do not require each other. */
  readonly parallel: boolean
  /** Settings over those of the map, for each machine. */
  readonly over: Mapping
}

/** What of clouds they need. */
export interface MapNeeds extends MakingNeeds {
  readonly opened: () => Promise<{ readonly config: CloudConfig; readonly tell: TellCloud }>
}

interface Plan {
  readonly errors: Readonly<Record<string, string>>
  readonly existing: readonly MappedMachine[]
  readonly create: readonly MappedMachine[]
}

/** Joins them. */
export function createMaps(needs: MapNeeds): Maps {
  const planOf = async (config: CloudConfig, machines: readonly MappedMachine[]): Promise<Plan> => {
    const existing = await allMachines(needs.outside, config)
    const known = machines.filter(({ profile }) => config.profiles.has(profile))
    const refusals = await Promise.all(known.map(({ name }) => takenAnswer(needs.outside, existing, name)))
    return {
      errors: missing(config, machines, (profile, names) => {
        const nodes = names.map((name) => `'${name}'`).join(', ')
        return `The required profile, '${profile}', defined in the map does not exist. The defined nodes, ${nodes}, will not be created.`
      }),
      existing: known.filter((_, index) => refusals[index] !== undefined),
      create: known.filter((_, index) => refusals[index] === undefined),
    }
  }

  return {
    async query(machines, query) {
      const { config } = await needs.opened()
      const nodes = await allMachines(needs.outside, config)
      const selection = selectionOf(config, query)
      const errors = missing(
        config,
        machines,
        (profile, names) =>
          `No provider for the mapped '${profile}' profile was found. Skipped VMS: ${names.join(', ')}`,
      )
      const result: Record<string, { ec2: Record<string, Value> }> = {}
      const tell = (alias: string, name: string, value: Value): void => {
        result[alias] ??= { ec2: {} }
        result[alias].ec2[name] = value
      }
      for (const { name, profile } of machines) {
        const details = config.profiles.get(profile)
        if (details === undefined) continue
        const having = [...nodes].filter(([, each]) => each[name] !== undefined)
        for (const [alias, each] of having)
          tell(alias, name, told({ [name]: each[name] ?? {} }, query, selection)[name] ?? null)
        if (having.length === 0) tell(aliasOf(details), name, 'Absent')
      }
      return Object.keys(errors).length === 0 ? result : { Errors: errors, ...result }
    },

    async plan(machines) {
      const { errors, existing, create } = await planOf((await needs.opened()).config, machines)
      return {
        existing: existing.map(({ name }) => name),
        create: create.map(({ name }) => name),
        ...(Object.keys(errors).length === 0 ? {} : { errors }),
      }
    },

    async run(machines, { parallel, over: overAll }) {
      const { config, tell } = await needs.opened()
      const { existing, create } = await planOf(config, machines)
      const results: Record<string, Value> = {}
      const makeOne = await createMake(needs, config, tell)
      const make = async ({ name, profile, over }: MappedMachine): Promise<void> => {
        const details = config.profiles.get(profile) ?? {}
        const { provider, ...rest } = over
        try {
          if (
            provider !== undefined &&
            ![pythonStr(details.provider ?? ''), aliasOf(details)].includes(pythonStr(provider))
          )
            throw new RunError(
              `The machine '${name}': the profile '${profile}' is of the provider '${aliasOf(details)}'. Name it below a profile of '${pythonStr(provider)}'.`,
            )
          results[name] = await makeOne(name, details, { ...rest, ...overAll })
        } catch (error) {
          results[name] = { Error: messageOf(error) }
        }
      }
      // Names in the map's order, whichever is made first.
      for (const { name } of create) results[name] = null
      for (const group of inOrder(create, new Set(existing.map(({ name }) => name)))) {
        if (parallel) await Promise.all(group.map(make))
        else for (const machine of group) await make(machine)
      }
      return results
    },
  }
}

function missing(
  { profiles }: CloudConfig,
  machines: readonly MappedMachine[],
  sentence: (profile: string, names: readonly string[]) => string,
): Record<string, string> {
  const unknown = [...new Set(machines.map(({ profile }) => profile))].filter((profile) => !profiles.has(profile))
  return Object.fromEntries(
    unknown.map((profile) => [
      profile,
      sentence(
        profile,
        machines.filter((each) => each.profile === profile).map(({ name }) => name),
      ),
    ]),
  )
}

function aliasOf(profile: Mapping): string {
  return pythonStr(profile.provider ?? '').split(':')[0] ?? ''
}
