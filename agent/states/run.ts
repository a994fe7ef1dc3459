// Runs a plan on this minion: states called, results told as they come.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  hasRun,
  lowstate,
  newRun,
  type Plan,
  type Results,
  runHere,
  type SettledChunk,
  type StateResult,
  stateLogText,
} from '../../core/state/index.ts'
import { get, type Mapping, pythonStr, pythonTruth } from '../../core/value/index.ts'
import type { Call } from '../modules/module.ts'
import { checksOf } from './checks.ts'
import { clockOf } from './clock.ts'
import { stateFunctions } from './functions.ts'
import { pausesOf } from './pauses.ts'

/** How a run goes about it. */
export interface AgentRunOptions {
  readonly test: boolean
  /** Fire an event for each state that ran. */
  readonly events: boolean
}

/** Runs it to its end. Never rejects for a state's sake; once the job is killed, no further state is called. */
export async function runPlan(call: Call, plan: Plan, options: AgentRunOptions): Promise<Results> {
  const { agent, signal } = call
  const length = lowstate(plan).length
  const world = { states: stateFunctions(call), checks: checksOf(call), clock: clockOf(agent.outside, signal) }
  const failhard = agent.opts.failhard === true
  return runHere(plan, newRun({ mode: 'sequential', test: options.test, failhard }), world, {
    starting: ({ low }) => whenFree(call, pythonStr(get(low, '__id__') ?? '')),
    async settled(chunk) {
      tellLog(call, chunk.result)
      await tellMaster(call, chunk, length, options.events)
      await reload(call, chunk)
    },
  })
}

/** Milliseconds between two looks at whether a run may go on. */
const patience = 250

/** Waits while `state.pause` holds the run or this state of it. A run without a job id is never held. */
async function whenFree(call: Call, id: string): Promise<'run' | 'stop'> {
  const { __pub_jid: jid = null } = call.pub
  if (jid === null) return 'run'
  const pauses = pausesOf(call)
  const began = performance.now()
  while (!call.signal.aborted) {
    const verdict = await pauses.verdict(pythonStr(jid), id, (performance.now() - began) / 1000)
    if (verdict !== undefined) return verdict
    await sleep(patience, undefined, { signal: call.signal }).catch(() => undefined)
  }
  return 'run'
}

/** A failure is in the log, as a state's comment or its changes say it. */
function tellLog({ agent }: Call, result: StateResult): void {
  if (result.result !== false || !hasRun(result)) return
  agent.outside.log.error(stateLogText(result))
}

/** The event of a state that asks for one (`fire_event`), or the one that tells how far the run is. */
async function tellMaster(call: Call, { low, result }: SettledChunk, length: number, events: boolean): Promise<void> {
  const { agent } = call
  const wanted = get(low, 'fire_event') ?? false
  if (!events && !pythonTruth(wanted)) return
  const jid = pythonStr(call.pub.__pub_jid ?? 'req')
  const word = wanted === true ? pythonStr(result.name ?? '') : typeof wanted === 'string' ? wanted : undefined
  const isOwn = word !== undefined && pythonTruth(wanted)
  const tag = isOwn
    ? `salt/state_result/${jid}/${agent.id}/${word}`
    : `salt/job/${jid}/prog/${agent.id}/${pythonStr(result.__run_num__ ?? 0)}`
  const data: Mapping = isOwn ? { ret: result } : { ret: result, len: length }
  if (agent.isLocal) await agent.fireLocal(tag, { data, id: agent.id, jid, tag })
  else await agent.fireMaster({ tag, data, preload: { jid } })
}

/** `reload_modules`, `reload_grains` and `reload_pillar`. */
async function reload({ agent }: Call, { low, result }: SettledChunk): Promise<void> {
  if (!hasRun(result)) return
  const isAsked = (key: string): boolean => pythonTruth(get(low, key) ?? false)
  if (isAsked('reload_grains')) await agent.grains.load()
  if (isAsked('reload_modules')) await agent.reloadModules()
  if (isAsked('reload_pillar')) await agent.refreshPillar()
}
