// `retry`: how often a state is run again, and what is said of the attempts.
import { float, get, isInteger, isMap, type Mapping, pythonStr, pythonTruth, type Value } from '../value/index.ts'
import type { Low } from './low.ts'
import { resultOf, type StateResult } from './result.ts'

/** How a state is retried. */
export interface Retry {
  readonly until: boolean
  readonly attempts: number
  /** Seconds between two attempts. */
  readonly interval: number
  /** Up to so many seconds are added at random. */
  readonly splay: number
}

/** An attempt that did not end as it should. */
export interface Attempt {
  readonly result: boolean | null
  readonly comment: string
  readonly startTime: string
  /** Milliseconds. */
  readonly duration: number
  /** Seconds until the next one. */
  readonly waited: number
  /** Its `__run_num__`. */
  readonly number: number
}

const DEFAULTS: Retry = { until: true, attempts: 2, interval: 30, splay: 0 }

/** What is written at a chunk's `retry`, `undefined` where it has none. What Salt cannot read there is its default. */
export function retryOf(low: Low): Retry | undefined {
  const written = get(low, 'retry')
  if (written === undefined) return undefined
  if (written === false) return { ...DEFAULTS, attempts: 0 }
  if (!isMap(written)) return DEFAULTS
  const until = get(written, 'until')
  const whole = (key: 'attempts' | 'interval' | 'splay'): number => {
    const value = get(written, key)
    return isInteger(value) || typeof value === 'boolean' ? Number(value) : DEFAULTS[key]
  }
  return {
    until: typeof until === 'boolean' ? until : DEFAULTS.until,
    attempts: whole('attempts'),
    interval: whole('interval'),
    splay: whole('splay'),
  }
}

/** Whether another attempt is due. A chunk that runs beside others has one more than it says, as in Salt. */
export function isRetryDue(retry: Retry, result: StateResult, attempt: number, isParallel: boolean): boolean {
  return retry.until !== resultOf(result) && (isParallel ? retry.attempts >= attempt : retry.attempts > attempt)
}

/** The last attempt's result, with what there is to say of all. */
export function afterAttempts(attempts: readonly Attempt[], last: StateResult, isParallel: boolean): StateResult {
  const [first] = attempts
  if (first === undefined) return last
  let duration = durationOf(last)
  for (const attempt of attempts) duration += attempt.duration + attempt.waited * 1000
  const comment = isParallel ? parallelComment(attempts, last) : sequentialComment(attempts, last)
  return { ...last, comment, start_time: first.startTime, duration: float(duration) }
}

function sequentialComment(attempts: readonly Attempt[], last: StateResult): string {
  const lines = attempts.map(({ result, comment }, index) => attemptLine(index + 1, result, comment))
  return [...lines, textOf(last)].join('\n')
}

/** The first attempt's comment stands bare, each later one is numbered from 1. */
function parallelComment(attempts: readonly Attempt[], last: StateResult): string {
  const later = [...attempts.slice(1), { result: resultOf(last), comment: textOf(last) }]
  const lines = later.map(({ result, comment }, index) =>
    comment === '' ? '' : attemptLine(index + 1, result, comment),
  )
  return [attempts[0]?.comment ?? '', ...lines].join('\n')
}

function attemptLine(number: number, result: boolean | null, comment: string): string {
  return `Attempt ${number}: Returned a result of "${pythonStr(result)}", with the following comment: "${comment}"`
}

/** In test mode nothing is tried again; the comment says what would be. */
export function withRetryNote(result: StateResult, { until, attempts, interval, splay }: Retry): StateResult {
  const note =
    `The state would be retried every ${interval} seconds (with a splay of up to ${splay} seconds) ` +
    `a maximum of ${attempts} times or until a result of ${pythonStr(until)} is returned`
  return { ...result, comment: `${textOf(result)}  ${note}` }
}

/** A result's comment as text, empty where there is none. */
export function textOf(result: StateResult): string {
  const comment: Value = result.comment ?? null
  return pythonTruth(comment) ? pythonStr(comment) : ''
}

/** A result's duration in milliseconds. */
function durationOf(result: Mapping): number {
  const { duration } = result
  return typeof duration === 'number' ? duration : Number(pythonStr(duration ?? 0))
}
