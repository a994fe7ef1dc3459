// Clouds as the `cloud` runner knows them: machines asked for, made, changed and ended.
import { type CloudConfig, machineSettings, mappingOf, providerSettings } from '../../core/cloud/index.ts'
import { messageOf } from '../../core/error.ts'
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Execute } from '../execute.ts'
import type { Fire } from '../fire.ts'
import type { Keys } from '../keys.ts'
import type { Clock, KeyRing } from '../ports.ts'
import { RunError } from '../run.ts'
import { actionNames, actOn, type MachineAt } from './actions.ts'
import { afterCreation } from './after-creation.ts'
import { createMachine } from './creation.ts'
import { destroyMachine } from './destruction.ts'
import { functionOf } from './functions.ts'
import type { NodeQuery } from './node-queries.ts'
import { isAlive, nodesByName, told } from './nodes.ts'
import type { CloudOutside, Offer } from './ports.ts'
import { distinctProviders, lookUp, placeOf } from './providers.ts'
import { selectionOf } from './selection.ts'
import { createTellCloud, type TellCloud } from './tell.ts'

/** What it works with. */
export interface CloudNeeds {
  readonly outside: CloudOutside
  readonly fire: Fire
  readonly ring: Pick<KeyRing, 'get' | 'list'>
  readonly keys: Pick<Keys, 'delete'>
  readonly execute: Execute
  readonly clock: Pick<Clock, 'now'>
  /** Seconds that jobs on new minions are waited for. */
  readonly timeout: number
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
  query(query: NodeQuery): Promise<Mapping>
  offers(what: Offer, provider: string): Promise<Mapping>
  listProviders(): Promise<Mapping>
  listProfiles(provider: string): Promise<Mapping>
}

/** Joins it. The configuration is read anew for each call, as Salt does. */
export function createCloud(needs: CloudNeeds): Cloud {
  const { outside, ring } = needs
  const opened = async (): Promise<{ readonly config: CloudConfig; readonly tell: TellCloud }> => {
    const config = await outside.config()
    return { config, tell: createTellCloud(needs.fire, config.main) }
  }

  /** Every machine of all providers, by alias and name. */
  const machines = async (config: CloudConfig): Promise<ReadonlyMap<string, Record<string, Mapping>>> => {
    const asked = [...distinctProviders(config)].map(async ([alias, place]) => {
      try {
        return [alias, nodesByName(await outside.machines.list(place))] as const
      } catch (error) {
        throw new RunError(`The cloud provider '${alias}' could not be asked: ${messageOf(error)}`)
      }
    })
    return new Map(await Promise.all(asked))
  }

  const found = async (config: CloudConfig, names: ReadonlySet<string>): Promise<MachineAt[]> =>
    [...(await machines(config))].flatMap(([alias, nodes]) =>
      Object.entries(nodes).flatMap(([name, node]) => {
        const known = names.has(name)
          ? name
          : names.has(pythonStr(node.id ?? ''))
            ? pythonStr(node.id ?? '')
            : undefined
        return known === undefined
          ? []
          : [{ alias, name, asked: known, node, settings: providerSettings(config, alias) }]
      }),
    )

  /** Salt's answer where a machine of this name lives already; one whose making was begun here is gone on with. */
  const taken = async (
    existing: ReadonlyMap<string, Record<string, Mapping>>,
    name: string,
  ): Promise<Mapping | undefined> => {
    const owner = [...existing].find(([, nodes]) => nodes[name] !== undefined && isAlive(nodes[name]))
    if (owner === undefined || (await outside.store.begun(name)) !== undefined) return undefined
    return { Error: `${name} already exists under ${owner[0]}:ec2` }
  }

  const making = { outside, ring, now: () => needs.clock.now() }

  const make = async (
    config: CloudConfig,
    tell: TellCloud,
    each: { name: string; profile: Mapping; over: Mapping },
  ): Promise<Mapping> => {
    const { name, profile, over } = each
    const settings = machineSettings(config, profile, name, over)
    const provider = pythonStr(profile.provider ?? '')
    for (const key of ['image', 'size'] as const)
      if (settings[key] === undefined)
        throw new RunError(
          `Failed to deploy VM: The required '${key}' configuration setting is missing from the '${pythonStr(profile.profile ?? name)}' profile, which is configured under the '${provider.split(':')[0]}' alias.`,
        )
    const { profile: named } = profile
    const creation = { name, profile: typeof named === 'string' ? named : null, provider, settings }
    const made = await createMachine({ ...making, tell }, creation)
    return made.deployed === true ? { ...made, ...(await afterCreation(needs, settings, name)) } : made
  }

  return {
    async profile(profile, names, { parallel = false, over = {}, each = {} }) {
      const { config, tell } = await opened()
      const details = config.profiles.get(profile)
      if (details === undefined) return { Error: `Profile ${profile} is not defined` }
      const existing = await machines(config)
      const one = async (name: string): Promise<Value> => {
        const refusal = await taken(existing, name)
        if (refusal !== undefined) return refusal
        try {
          return await make(config, tell, { name, profile: details, over: { ...over, ...mappingOf(each[name]) } })
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
      const existing = await machines(config)
      const one = async (name: string): Promise<Mapping> =>
        (await taken(existing, name)) ?? make(config, tell, { name, profile, over: settings })
      return Object.fromEntries(await forEach(names, false, async (name) => [name, await one(name)] as const))
    },

    async destroy(names, { parallel = false } = {}) {
      const { config, tell } = await opened()
      const wanted = new Set(names)
      const matching = (await found(config, wanted)).filter(({ name, asked }) => name === asked)
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
      const matching = await found(config, new Set(names))
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

    async query(query) {
      const { config } = await opened()
      const all = await machines(config)
      const selection = selectionOf(config, query)
      // A provider without machines is not told of, as in Salt.
      return Object.fromEntries(
        [...all]
          .filter(([, nodes]) => Object.keys(nodes).length > 0)
          .map(([alias, nodes]) => [alias, { ec2: told(nodes, query, selection) }]),
      )
    },

    async offers(what, provider) {
      const { config } = await opened()
      const asked = lookUp(config, provider).map(async (alias) => {
        const settings = providerSettings(config, alias)
        return [
          alias,
          { ec2: await outside.machines.offers(placeOf(settings), what, settings.owner ?? 'amazon') },
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
