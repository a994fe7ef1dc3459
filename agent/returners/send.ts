// Sends returns to returners. The master's copy is on its way by itself: nothing here can lose it.
import { BrineError, messageOf } from '../../core/error.ts'
import { isMapping, type Mapping, pythonStr } from '../../core/value/index.ts'
import { pause } from '../connection/backoff.ts'
import { outgoing } from '../connection/outgoing.ts'
import type { NewReturn } from '../journal/journal.ts'
import type { AgentView } from '../modules/module.ts'
import { eventbridge } from './eventbridge.ts'
import { returnerOptions } from './options.ts'
import type { Returner, ReturnerWorld } from './returner.ts'
import { syslog } from './syslog.ts'
import { webhook } from './webhook.ts'

/** Where a return goes beside the master. */
export interface Route {
  /** Names of returners. */
  readonly to: readonly string[]
  readonly config?: string | undefined
  readonly kwargs?: Mapping | undefined
}

/** All there are, by name. */
export const returners: Readonly<Record<string, Returner>> = { webhook, eventbridge, syslog }

/** The names in a text as `--return` has it, those of the minion's `return` after them, each once. */
export function routeOf(ret: string, agent: Pick<AgentView, 'opts'>, more: Omit<Route, 'to'> = {}): Route {
  const { return: always = [], disable_returners: disabled = [] } = agent.opts
  const usual = (Array.isArray(always) ? always : [always]).map(String)
  const off = (Array.isArray(disabled) ? disabled : [disabled]).map(String)
  const names = [ret, ...usual].flatMap((text) => text.split(',')).map((name) => name.trim())
  return { ...more, to: [...new Set(names)].filter((name) => name !== '' && !off.includes(name)) }
}

/**
 * Sends a return to each of them at the same time. Never rejects: what fails is logged, and told as the event
 * `brine/minion/<id>/returner/failed` with `returner`, `jid`, `fun` and `error`.
 */
export async function sendToReturners(agent: AgentView, ret: NewReturn, route: Route): Promise<void> {
  if (route.to.length === 0) return
  const load = { ...(ret as unknown as Mapping), id: agent.id }
  const world: ReturnerWorld = {
    environment: process.env,
    now: () => Math.floor(agent.outside.now() / 1000),
    pause: (milliseconds) => pause(milliseconds),
    fetch: outgoing(agent.opts),
  }
  await Promise.all(
    route.to.map(async (name) => {
      try {
        await sendToOne(agent, name, load, route, world)
      } catch (error) {
        await tellFailure(agent, name, load, messageOf(error))
      }
    }),
  )
}

async function tellFailure(agent: AgentView, returner: string, load: Mapping, error: string): Promise<void> {
  const { jid = '', fun = '' } = load
  agent.outside.log.error(
    `The returner ${returner} did not take the return of ${pythonStr(fun)} (${pythonStr(jid)}): ${error}`,
  )
  await agent.fireMaster({ tag: `brine/minion/${agent.id}/returner/failed`, data: { returner, jid, fun, error } })
}

async function sendToOne(
  agent: AgentView,
  name: string,
  load: Mapping,
  { config, kwargs }: Route,
  world: ReturnerWorld,
): Promise<void> {
  // The master's own job cache has every return anyway.
  if (name === 'local_cache') return
  const kind = Object.hasOwn(returners, name) ? returners[name] : undefined
  if (kind === undefined) {
    throw new BrineError(`There is no such returner. There are ${Object.keys(returners).join(', ')}.`, {
      code: 'no-returner',
    })
  }
  const pillar = agent.pillar()
  const stores = [agent.opts, agent.grains.all(), pillar, isMapping(pillar.master) ? pillar.master : {}]
  const options = returnerOptions({ name, options: kind.options, config, kwargs }, stores)
  await kind.send(load, options, world)
}
