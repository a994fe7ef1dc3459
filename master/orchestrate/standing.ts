// How an orchestration stands, step by step, as people and programs are told.

import { stampOf } from '../../core/event/stamp.ts'
import { hasRun, lowText, resultOf, type StateResult } from '../../core/state/index.ts'
import { get, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { callKey, type Orchestration, type StepCall } from './record.ts'

/** One line an orchestration, for a list. */
export function summary(record: Orchestration): Mapping {
  const { request, at, ended } = record
  const results = Object.values(record.run.results)
  return {
    mods: request.mods,
    status: statusOf(record),
    steps: record.plan.chunks.length,
    ended: results.length,
    failed: results.filter((result) => resultOf(result) === false).length,
    user: request.user,
    started: stampOf(at),
    ...(ended === undefined ? {} : { finished: stampOf(ended) }),
  }
}

/** Every step with what it waits for, how it stands, its jobs, its times. `now` in microseconds. */
export function standing(record: Orchestration, now: number): Mapping {
  const { request, plan } = record
  const steps = plan.nodes
    .filter(({ test }) => !test)
    .map((node): Mapping => {
      const low = plan.chunks[node.chunk] ?? {}
      const needs = node.needs.map(({ kind, node: index }) => {
        const needed = plan.chunks[plan.nodes[index]?.chunk ?? -1] ?? {}
        return `${kind} ${lowText(needed, '__id__')}`
      })
      const index = plan.nodes.indexOf(node)
      return {
        id: lowText(low, '__id__'),
        fun: `${lowText(low, 'state')}.${lowText(low, 'fun')}`,
        name: get(low, 'name') ?? null,
        sls: lowText(low, '__sls__'),
        ...(needs.length === 0 ? {} : { after: [...new Set(needs)] }),
        ...stepStanding(record, node.tag, index, lowText(low, '__id__'), now),
      }
    })
  return { jid: request.jid, ...summary(record), steps }
}

/** What is waited for, a line a step: `deploy: salt.state, jobs 2026…`. */
export function waitingText({ plan, run, calls }: Orchestration): string[] {
  const paused = run.paused.map((id) => `paused: ${id === '__all__' ? 'everything' : id}`)
  const steps = run.active.flatMap(({ id, node }) => {
    const low = plan.chunks[plan.nodes[node]?.chunk ?? -1] ?? {}
    const call = calls[callKey(id)]
    return call === undefined
      ? []
      : [`${lowText(low, '__id__')}: ${lowText(low, 'state')}.${lowText(low, 'fun')}, ${callText(call)}`]
  })
  return [...paused, ...steps]
}

function callText(call: StepCall): string {
  switch (call.kind) {
    case 'jobs':
      return `jobs ${call.parts.map(({ jid }) => jid).join(' ')}`.slice(0, 200)
    case 'runs':
      return call.parts
        .map(({ jid, item }) => `${item.fun} ${jid}`)
        .join(' ')
        .slice(0, 200)
    case 'events':
      return `events ${call.request.tag}, ${call.left.length} of ${call.request.ids.length} left`
    case 'sleep':
      return 'tried again later'
  }
}

/** `paused` where it was asked to wait. */
function statusOf({ status, run }: Orchestration): string {
  return status === 'running' && run.paused.includes('__all__') ? 'paused' : status
}

function stepStanding(record: Orchestration, tag: string, node: number, id: string, now: number): Mapping {
  const result = record.run.results[tag]
  if (result !== undefined) return ended(result)
  const active = record.run.active.find((step) => step.node === node)
  const call = active === undefined ? undefined : record.calls[callKey(active.id)]
  if (active === undefined || call === undefined) {
    if (active !== undefined) return { state: 'starting' }
    if (record.status !== 'running' || record.run.stopped) return { state: 'not run' }
    return { state: record.run.paused.includes(id) || record.run.paused.includes('__all__') ? 'paused' : 'waiting' }
  }
  return {
    state: call.kind === 'sleep' ? 'retrying' : 'running',
    seconds: (now - call.began) / 1_000_000,
    ...callStanding(call),
  }
}

function ended(result: StateResult): Mapping {
  const outcome = resultOf(result)
  const skipped = !hasRun(result)
  const state = outcome === false ? (skipped ? 'not run' : 'failed') : skipped ? 'skipped' : 'done'
  return {
    state,
    result: outcome,
    comment: result.comment ?? '',
    start_time: result.start_time ?? null,
    seconds: Number(pythonStr(result.duration ?? 0)) / 1000,
    ...(result.__jid__ === undefined ? {} : { jids: [result.__jid__] }),
  }
}

function callStanding(call: StepCall): Mapping {
  switch (call.kind) {
    case 'jobs': {
      const minions: Value[] = call.parts.flatMap(({ minions: each }) => each ?? [])
      return { jids: call.parts.map(({ jid }) => jid), minions }
    }
    case 'runs':
      return { jids: call.parts.map(({ jid }) => jid), runs: call.parts.map(({ item }) => item.fun) }
    case 'events':
      return { events: call.request.tag, left: [...call.left] }
    case 'sleep':
      return {}
  }
}
