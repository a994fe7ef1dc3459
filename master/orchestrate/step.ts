// A step of an orchestration as data: what it asks the master to do, and what its result is when that has ended.
import type { Parameter, Signature } from '../../core/arguments/index.ts'
import type { Jid, MinionId, Tag } from '../../core/event/event.ts'
import type { Mapping, Value } from '../../core/value/index.ts'
import type { ReturnerChoice } from '../ports.ts'

/** A job to publish: one for all, or one after the other for parts of the target. */
export interface JobsRequest {
  readonly fun: string
  readonly arg: readonly Value[]
  readonly kwarg: Mapping
  readonly tgt: Value
  readonly tgtType: string
  readonly ret: string
  readonly returner?: ReturnerChoice
  /** Seconds until those who have not returned are asked whether they still run it; null for the master's `timeout`. */
  readonly timeout: number | null
  /** How many minions run at a time: a number or a percentage. */
  readonly batch?: string
  /** How many of the target are chosen at random. */
  readonly subset?: number
  /** With `batch`, nothing more is published once a minion failed. */
  readonly failhard: boolean
  /** Whether those who did not return count as failed; otherwise they are left out. */
  readonly expectMinions: boolean
}

/** A runner or wheel function to run. */
export interface RunItem {
  /** What it is called in the step. */
  readonly name: string
  readonly client: 'runner' | 'wheel'
  readonly fun: string
  readonly arg: readonly Value[]
  readonly kwarg: Mapping
}

/** Events to wait for: until each of `ids` was seen under `key` in one whose tag matches. */
export interface EventsRequest {
  readonly tag: Tag
  readonly ids: readonly Value[]
  readonly key: string
  /** Seconds. */
  readonly timeout: number
}

/** What a step asks for. `told` is the data of its `salt/run/<jid>/args` event, where it has one. */
export type Begun =
  | { readonly kind: 'returned'; readonly value: Mapping }
  | { readonly kind: 'jobs'; readonly request: JobsRequest; readonly told: Mapping }
  | { readonly kind: 'runs'; readonly items: readonly RunItem[]; readonly told: readonly Mapping[] }
  | { readonly kind: 'events'; readonly request: EventsRequest }

/** What a minion returned to a step; `failed` where it did not in time. */
export type MinionAnswer =
  | { readonly id: MinionId; readonly failed: true }
  | {
      readonly id: MinionId
      readonly failed: false
      readonly jid: Jid
      readonly returned: Value
      readonly retcode: number
      readonly out: string
    }

/** How a runner or wheel function ended. */
export interface RunEnd {
  readonly name: string
  readonly jid: Jid
  readonly returned: Value
  readonly success: boolean
}

/** How what a step asked for ended. */
export type Ended =
  | { readonly kind: 'jobs'; readonly answers: readonly MinionAnswer[] }
  | { readonly kind: 'runs'; readonly runs: readonly RunEnd[] }
  | { readonly kind: 'events'; readonly seen: readonly Value[]; readonly seconds: number; readonly isComplete: boolean }

/** A step function: pure, so that it may be asked again after a crash. */
export interface StepFunction {
  readonly signature: Signature
  /** What it asks for. What it throws fails the step alone. */
  begin(args: Mapping, place: StepPlace): Begun
  /** Its result: `name`, `result`, `changes`, `comment`. */
  finish(args: Mapping, place: StepPlace, ended: Ended): Mapping
}

/** Where in a run a step stands. */
export interface StepPlace {
  readonly test: boolean
  readonly env: string
  readonly orchestration: Jid
  /** What holds for steps without `failhard` of their own. */
  readonly failhard: boolean
}

/** A parameter with its default; without one it has to be given. */
export function parameter(name: string, value?: Value): Parameter {
  return value === undefined ? { name } : { name, default: value }
}
