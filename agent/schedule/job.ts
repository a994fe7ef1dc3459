// A scheduled job as it is configured, read into what the schedule decides by.

import { messageOf } from '../../core/error.ts'
import { isList, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { mapOf, numberOf } from '../beacons/entry.ts'
import { parseDate, usualFormat } from '../date-format.ts'
import { parseCron } from './cron.ts'
import { type Moment, momentNear, nextOf, parseMoment } from './moment.ts'

/** When a job is due. */
export type Trigger =
  /** Milliseconds from one run to the next. */
  | { readonly kind: 'every'; readonly interval: number }
  /** The first time after another; undefined where there is none any more. */
  | { readonly kind: 'times'; readonly next: (from: number) => number | undefined }

/** A job's configuration, read. Times are in milliseconds since 1970. */
export interface ScheduledJob {
  readonly name: string
  readonly fun: string
  readonly args: readonly Value[]
  readonly kwargs: Mapping
  /** Absent where it runs only at the start or at explicit times. */
  readonly trigger?: Trigger
  readonly enabled: boolean
  readonly runOnStart: boolean
  /** Seconds, drawn at random between the two. */
  readonly splay?: { readonly start: number; readonly end: number }
  readonly range?: Range & { readonly invert: boolean }
  readonly skipRange?: Range
  readonly runAfterSkipRange: boolean
  readonly until?: number
  readonly after?: number
  /** It counts among those that run, for `saltutil.running` and `maxrunning`. */
  readonly isListed: boolean
  readonly maxRunning: number
  readonly returnJob: boolean
  /** Returners that its returns go to. */
  readonly returners: readonly string[]
  readonly returnConfig?: string
  readonly returnKwargs?: Mapping
  readonly metadata?: Mapping
  readonly dryRun: boolean
}

/** From one time to another. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** What holds for all jobs. */
export interface ScheduleDefaults {
  readonly splay?: Value
  readonly skipRange?: Value
  /** `whens` of pillar and grains: moments by name. */
  readonly whens: Mapping
}

/** Keys of a schedule that are no jobs. */
export const globalKeys: readonly string[] = ['enabled', 'skip_function', 'skip_during_range', 'splay']

const units = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const

/** Reads a job; a text says what is wrong with it. `now` is what times without a date are near. */
export function readJob(name: string, written: Value, defaults: ScheduleDefaults, now: number): ScheduledJob | string {
  const data = mapOf(written)
  if (data === undefined) return `Scheduled job "${name}" should have a dict value.`
  try {
    const trigger = triggerOf(name, data, defaults, now)
    const splay = splayOf(data.splay ?? defaults.splay)
    const range = rangeOf(name, data.range, now)
    const skipRange = rangeOf(name, data.skip_during_range ?? defaults.skipRange, now)
    const until = limitOf(name, data.until, now)
    const after = limitOf(name, data.after, now)
    const metadata = mapOf(data.metadata)
    const returnKwargs = mapOf(data.return_kwargs)
    return {
      name: pythonStr(data.name ?? name),
      fun: pythonStr(data.function ?? data.func ?? data.fun ?? ''),
      args: isList(data.args) ? data.args : [],
      kwargs: mapOf(data.kwargs) ?? {},
      enabled: pythonTruth(data.enabled ?? true),
      runOnStart: pythonTruth(data.run_on_start ?? false),
      runAfterSkipRange: pythonTruth(data.run_after_skip_range ?? false),
      isListed: pythonTruth(data.jid_include ?? true),
      maxRunning: numberOf(data.maxrunning) ?? 1,
      returnJob: pythonTruth(data.return_job ?? true),
      dryRun: pythonTruth(data.dry_run ?? false),
      ...(trigger === undefined ? {} : { trigger }),
      ...(splay === undefined ? {} : { splay }),
      ...(range === undefined ? {} : { range: { ...range, invert: pythonTruth(mapOf(data.range)?.invert ?? false) } }),
      ...(skipRange === undefined ? {} : { skipRange }),
      ...(until === undefined ? {} : { until }),
      ...(after === undefined ? {} : { after }),
      returners: textsOf(data.returner),
      ...(data.return_config === undefined ? {} : { returnConfig: pythonStr(data.return_config) }),
      ...(returnKwargs === undefined ? {} : { returnKwargs }),
      ...(metadata === undefined ? {} : { metadata }),
    }
  } catch (error) {
    return messageOf(error)
  }
}

function textsOf(written: Value | undefined): string[] {
  if (written === undefined || written === null) return []
  return (isList(written) ? written : [written]).map(pythonStr)
}

function triggerOf(name: string, data: Mapping, { whens }: ScheduleDefaults, now: number): Trigger | undefined {
  const given = ['when', 'cron', 'once'].filter((key) => data[key] !== undefined)
  const elements = (Object.keys(units) as (keyof typeof units)[]).filter((unit) => data[unit] !== undefined)
  if (given.length > 1) throw new TypeError('Unable to use "when", "cron", "once" options together. Ignoring.')
  if (given.length > 0 && elements.length > 0)
    throw new TypeError(
      'Unable to use "seconds", "minutes", "hours", "days" with "when", "cron", "once" options. Ignoring',
    )
  if (elements.length > 0) {
    const interval = elements.reduce(
      (sum, unit) => sum + Math.trunc(numberOf(data[unit]) ?? Number.NaN) * units[unit],
      0,
    )
    if (!(interval > 0)) throw new TypeError(`The interval of job ${name} is no number above 0. Ignoring job ${name}.`)
    return { kind: 'every', interval }
  }
  if (data.cron !== undefined) {
    const next = parseCron(pythonStr(data.cron))
    return { kind: 'times', next: (from) => next(from - 1) }
  }
  if (data.once !== undefined) return { kind: 'times', next: onceOf(name, data) }
  if (data.when === undefined) return undefined
  const moments = (isList(data.when) ? data.when : [data.when]).map((when) => whenOf(name, when, whens, now))
  return { kind: 'times', next: (from) => earliest(moments.map((moment) => nextOf(moment, from))) }
}

function onceOf(name: string, data: Mapping): (from: number) => number | undefined {
  const format = pythonStr(data.once_fmt ?? usualFormat)
  const at = parseDate(pythonStr(data.once ?? ''), format)
  if (at === undefined)
    throw new TypeError(
      `Date string could not be parsed: ${pythonStr(data.once ?? '')}, ${format}. Ignoring job ${name}.`,
    )
  return (from) => (at >= from ? at : undefined)
}

function whenOf(name: string, when: Value, whens: Mapping, now: number): Moment {
  const text = pythonStr(whens[pythonStr(when)] ?? when)
  const moment = parseMoment(text, now)
  if (moment === undefined) throw new TypeError(`Invalid date string ${text}. Ignoring job ${name}.`)
  return moment
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

function splayOf(written: Value | undefined): ScheduledJob['splay'] {
  if (written === undefined || !pythonTruth(written)) return undefined
  const map = mapOf(written)
  if (map === undefined) return { start: 1, end: Math.max(1, numberOf(written) ?? 1) }
  const [start = 0, end = 0] = [numberOf(map.start), numberOf(map.end)]
  if (end < start) throw new TypeError('Invalid Splay, end must be larger than start. Ignoring splay.')
  return { start, end }
}

function rangeOf(name: string, written: Value | undefined, now: number): Range | undefined {
  if (written === undefined || written === null) return undefined
  const map = mapOf(written)
  if (map === undefined) throw new TypeError(`Invalid, range must be specified as a dictionary. Ignoring job ${name}.`)
  const start = near(name, map.start, now, 'start')
  const end = near(name, map.end, now, 'end')
  if (end <= start) throw new TypeError(`Invalid range, end must be larger than start. Ignoring job ${name}.`)
  return { start, end }
}

function limitOf(name: string, written: Value | undefined, now: number): number | undefined {
  return written === undefined || written === null ? undefined : near(name, written, now, 'until or after')
}

function near(name: string, written: Value | undefined, now: number, what: string): number {
  const moment = parseMoment(pythonStr(written ?? ''), now)
  if (moment === undefined) throw new TypeError(`Invalid date string for ${what}. Ignoring job ${name}.`)
  return momentNear(moment, now)
}
