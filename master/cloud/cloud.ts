// Clouds as the `cloud` runner knows them: machines asked for, made, changed and ended.
import { type CloudConfig, mappingOf, providerSettings } from '../../core/cloud/index.ts'
import { messageOf } from '../../core/error.ts'
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Fire } from '../fire.ts'
import type { Keys } from '../keys.ts'
import { RunError } from '../run.ts'
import { actionNames, actOn, type MachineAt } from './actions.ts'
import { destroyMachine } from './destruction.ts'
import { allMachines, machinesMeant } from './found-machines.ts'
import { functionOf } from './functions.ts'
import { createMake, type MakingNeeds } from './making.ts'
import { createMaps, type Maps } from './maps.ts'
import type { NodeQuery } from './node-queries.ts'
import { told } from './nodes.ts'
import type { Offer } from './ports.ts'
import { lookUp, placeOf } from './providers.ts'
import { selectionOf } from './selection.ts'
import { createTellCloud, type TellCloud } from './tell.ts'

/** What it works with. */
export interface CloudNeeds extends MakingNeeds {
  readonly fire: Fire
  readonly keys: Pick<Keys, 'delete'>
}

/** How machines are made. */
export interface MakeOptions {
  /** All at once, rather than one after the other. */
  readonly parallel?: boolean
  /** Settings over the profile's, for each machine. */
  readonly over?: Mapping
  /** The same by machine. */
  readonly each?: Mapping
}

/** Answers have Salt's shapes. Each throws a RunError with Salt's sentence where it has one. */
export interface Cloud {
  profile(profile: string, names: readonly string[], options: MakeOptions): Promise<Mapping>
  create(provider: string, names: readonly string[], settings: Mapping): Promise<Mapping | false>
  destroy(names: readonly string[], options?: { readonly parallel?: boolean }): Promise<Mapping>
  /** Something done to machines. */
  action(fun: string, names: readonly string[], kwargs: Mapping): Promise<Mapping>
  /** Something asked of a provider. */
  functionOf(fun: string, provider: string, kwargs: Mapping): Promise<Mapping>
  /** `location`: the region that is asked, in place of each provider's own. */
  query(query: NodeQuery, location?: string): Promise<Mapping>
  offers(what: Offer, provider: string, location?: string): Promise<Mapping>
  listProviders(): Promise<Mapping>
  listProfiles(provider: string): Promise<Mapping>
  readonly maps: Maps
  /** A file that the master reads: a map's, say. Throws where it is not there. */
  text(path: string): Promise<string>
}

/** Joins it. The configuration is read anew for each call, as Salt does. */
export function createCloud(needs: CloudNeeds): Cloud {
  const { outside } = needs
  const opened = async (): Promise<{ readonly config: CloudConfig; readonly tell: TellCloud }> => {
    const config = await outside.config()
    return { config, tell: createTellCloud(needs.fire, config.main) }
  }

  const found = async (config: CloudConfig, names: readonly string[]): Promise<readonly MachineAt[]> =>
    machinesMeant(await allMachines(outside, config), config, new Set(names))

  return {
    maps: createMaps({ ...needs, opened }),

    async text(path) {
      const text = await outside.readText(path)
      if (text === undefined) throw new RunError(`The specified map file does not exist: '${path}'`)
      return text
    },

    async profile(profile, names, { parallel = false, over = {}, each = {} }) {
      const { config, tell } = await opened()
      const details = config.profiles.get(profile)
      if (details === undefined) return { Error: `Profile ${profile} is not defined` }
      const make = await createMake(needs, config, tell)
      const one = async (name: string): Promise<Mapping> => {
        try {
          return await make(name, details, { ...over, ...mappingOf(each[name]) })
        } catch (error) {
          if (names.length === 1) throw error
          return { Error: messageOf(error) }
        }
      }
      return Object.fromEntries(await forEach(names, parallel, async (name) => [name, await one(name)] as const))
    },

    async create(provider, names, settings) {
      const { config, tell } = await opened()
      if (!config.providers.has(provider)) return false
      const profile = { provider: `${provider}:ec2` }
      const make = await createMake(needs, config, tell)
      return Object.fromEntries(
        await forEach(names, false, async (name) => [name, await make(name, profile, settings)] as const),
      )
    },

    async destroy(names, { parallel = false } = {}) {
      const { config, tell } = await opened()
      const matching = (await found(config, names)).filter(({ name, asked }) => name === asked)
      const destroyed = await forEach(
        matching,
        parallel,
        async (at) => [at, await destroyMachine({ ...needs, tell }, at)] as const,
      )
      const result: Record<string, { ec2: Mapping }> = {}
      for (const [{ alias, name }, machine] of destroyed)
        result[alias] = { ec2: { ...result[alias]?.ec2, [name]: machine } }
      const missing = names.filter((name) => !matching.some((at) => at.name === name))
      if (matching.length === 0)
        throw new RunError(
          missing.length === 0
            ? 'No machines were destroyed!'
            : `The following VM's were not found: ${missing.join(', ')}`,
        )
      return missing.length === 0 ? result : { ...result, 'Not Found': missing }
    },

    async action(fun, names, kwargs) {
      const { config, tell } = await opened()
      const matching = await found(config, names)
      const left = new Set(names)
      const result: Record<string, Value> = {}
      if (!actionNames.includes(fun)) {
        if (matching.length > 0) result['Invalid Actions'] = { [`ec2.${fun}`]: matching.map(({ name }) => name) }
      } else
        for (const at of matching) {
          const before = (result[at.alias] as { ec2: Mapping } | undefined)?.ec2
          result[at.alias] = { ec2: { ...before, [at.asked]: await actOn({ ...needs, tell }, at, fun, kwargs) } }
          left.delete(at.asked)
        }
      if (left.size > 0) {
        result['Not Actioned/Not Running'] = [...left]
        result['Not Found'] = [...left]
      }
      return result
    },

    async functionOf(fun, provider, kwargs) {
      const { config } = await opened()
      const [alias = '', ...more] = lookUp(config, provider)
      if (more.length > 0)
        throw new RunError(
          `More than one results matched '${provider}'. Please specify one of: ${[alias, ...more].map((each) => `${each}:ec2`).join(', ')}`,
        )
      const settings = providerSettings(config, alias)
      return { [alias]: { ec2: await functionOf({ outside, config, alias, settings }, fun, kwargs) } }
    },

    async query(query, location) {
      const { config } = await opened()
      const all = await allMachines(outside, config, location)
      const selection = selectionOf(config, query)
      // A provider without machines is not told of, as in Salt.
      return Object.fromEntries(
        [...all]
          .filter(([, nodes]) => Object.keys(nodes).length > 0)
          .map(([alias, nodes]) => [alias, { ec2: told(nodes, query, selection) }]),
      )
    },

    async offers(what, provider, location) {
      const { config } = await opened()
      const asked = lookUp(config, provider).map(async (alias) => {
        const settings = providerSettings(config, alias)
        return [
          alias,
          { ec2: await outside.machines.offers(placeOf(settings, location), what, settings.owner ?? 'amazon') },
        ] as const
      })
      return Object.fromEntries(await Promise.all(asked))
    },

    async listProviders() {
      const { config } = await opened()
      return Object.fromEntries(lookUp(config, 'all').map((alias) => [alias, { ec2: {} }]))
    },

    async listProfiles(provider) {
      const { config } = await opened()
      if (config.profiles.size === 0) throw new RunError('There are no cloud profiles configured.')
      const wanted = [...config.profiles].flatMap(([name, { provider: owner }]) => {
        const alias = pythonStr(owner ?? '').split(':')[0] ?? ''
        if (provider === 'all' || provider === alias) return [[name, { [alias]: {} }] as const]
        return provider === 'ec2' ? [[name, { ec2: {} }] as const] : []
      })
      return Object.fromEntries(wanted)
    },
  }
}

/** The results stand in the order of the items, also of work that is done all at once. */
async function forEach<Item, Result>(
  items: readonly Item[],
  parallel: boolean,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  if (parallel) return Promise.all(items.map(work))
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}
