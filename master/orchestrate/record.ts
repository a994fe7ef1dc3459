// An orchestration as it is stored: what was asked, the plan, where the run stands, and what its steps are waiting for.
import type { Cause, Jid, MinionId } from '../../core/event/event.ts'
import type { Plan, RunState } from '../../core/state/index.ts'
import type { Mapping, Value } from '../../core/value/index.ts'
import { decodeRecord, encodeRecord } from '../../core/value/record-text.ts'
import type { Cursor, StoredOrchestration } from '../ports.ts'
import type { EventsRequest, JobsRequest, RunItem } from './step.ts'

/** What somebody asked to be run. */
export interface OrchestrationRequest {
  readonly jid: Jid
  /** The runner function: `state.orchestrate`. */
  readonly fun: string
  /** What it was called with, as its events tell it. */
  readonly funArgs: readonly Value[]
  /** What is run, in a line: the names of the SLS files. */
  readonly mods: string
  readonly user: string
  /** Under whose name its steps run where that is another: a reactor's under the daemon's, as in Salt. */
  readonly stepUser?: string | undefined
  readonly cause?: Cause | undefined
  /** Whose name the events of its steps carry: the orchestration that called this one. */
  readonly parent?: Jid | undefined
  readonly boundTo?: string | undefined
}

/** A job that a step published, or is about to. */
export interface JobPart {
  readonly jid: Jid
  readonly tgt: Value
  readonly tgtType: string
  /** Who it was published to; absent until then. */
  readonly minions?: readonly MinionId[]
  /** When those who have not returned are asked whether they still run it. Microseconds since 1970. */
  readonly deadline?: number
  /** How often they said that they still run it. */
  readonly asked?: number
  /** The job that asks them, and until when they may answer. */
  readonly asking?: { readonly jid: Jid; readonly until: number }
  /** Who does not run it any more and did not return. */
  readonly lost: readonly MinionId[]
  /** Nobody is waited for any more, and whether somebody failed: its returns are read once more, at the end of the step. */
  readonly done?: { readonly failed: boolean }
}

/** A runner or wheel function that a step runs. */
export interface RunPart {
  readonly jid: Jid
  readonly item: RunItem
  /** When it was last ordered of another process, and how often. Microseconds since 1970. */
  readonly ordered?: { readonly at: number; readonly times: number }
  readonly end?: { readonly returned: Value; readonly success: boolean }
}

/** What a step is waiting for. Written down before anything of it is done, so that it can be taken up again. */
export type StepCall = { readonly began: number } & (
  | { readonly kind: 'sleep'; readonly until: number; readonly seconds: number }
  | {
      readonly kind: 'jobs'
      readonly waited?: number
      readonly request: JobsRequest
      readonly told: Mapping
      readonly parts: readonly JobPart[]
      /** In a batch: who is still to come, and how many at a time. */
      readonly batch?: { readonly rest: readonly MinionId[]; readonly width: number }
    }
  | {
      readonly kind: 'runs'
      readonly waited?: number
      readonly told: readonly Mapping[]
      readonly parts: readonly RunPart[]
    }
  | {
      readonly kind: 'events'
      readonly waited?: number
      readonly request: EventsRequest
      readonly cursor: Cursor
      readonly left: readonly Value[]
      readonly seen: readonly Value[]
      readonly until: number
    }
)

/** How an orchestration stands. `canceled`: nothing more was started. */
export type OrchestrationStatus = 'running' | 'done' | 'canceled'

/** An orchestration. */
export interface Orchestration {
  readonly request: OrchestrationRequest
  readonly at: number
  /** When it ended. */
  readonly ended?: number
  readonly status: OrchestrationStatus
  /** As its templates saw it. */
  readonly pillar: Mapping
  readonly plan: Plan
  readonly run: RunState
  /** By {@link callKey}. */
  readonly calls: Readonly<Record<string, StepCall>>
}

/** The key of a step's call: no digits alone, since a map with such keys is read back as another kind of map. */
export function callKey(step: string): string {
  return `step ${step}`
}

/** The record as the store keeps it. */
export function storedOrchestration(record: Orchestration): Omit<StoredOrchestration, 'revision'> {
  const { request, at, status } = record
  return { jid: request.jid, at, isDone: status !== 'running', body: encodeRecord(record) }
}

/** What {@link storedOrchestration} made text of. */
export function readOrchestration({ body }: Pick<StoredOrchestration, 'body'>): Orchestration {
  return decodeRecord<Orchestration>(body)
}
