// Masks what differs between two runs of the same command: times, job ids, process ids, keys, dates, paths, program names.
import { userInfo } from 'node:os'

/** JSON as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** An event as a stream printed it. */
export interface StreamEvent {
  readonly tag: string
  readonly data: Json
}

/** What is known about the place a transcript comes from: its root, shown as /srv/lab. */
export interface Place {
  readonly root: string
}

/** Keys whose value is masked wherever they stand. */
/** Who runs this; some of a container's users have no name. */
const self = ((): string | undefined => {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
})()

const MASKED_KEYS = new Set([
  '_stamp',
  'ts',
  'pub',
  'pid',
  '__pub_pid',
  'start_time',
  'duration',
  'StartTime',
  'key',
  'token',
])
/** Grains the two hosts may not share are masked; those of the configuration are compared. */
const CONFIGURED_GRAINS = new Set(['id', 'role', 'env'])

const JID = /(?<!\d)20\d{18}(?!\d)/g

const TEXT_MASKS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PUBLIC KEY-----[\s\S]*?-----END [A-Z ]*PUBLIC KEY-----\n?/g, '<pub>'],
  [/\b(?:[0-9a-f]{2}:){15,31}[0-9a-f]{2}\b/g, '<finger>'],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\b/g, '<date>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\b/g, '<stamp>'],
  [/\b\d{4}, [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d\.\d{6}\b/g, '<date>'],
  [/\b\d\d:\d\d:\d\d\.\d{6}\b/g, '<time>'],
  [/\b\d+(?:\.\d+)? ms\b/g, '<n> ms'],
  [/("(?:pid|duration|__pub_pid)": )[\d.]+/g, '$1<n>'],
  [/(\bpid:\n\s+|\bpid: )\d+/g, '$1<n>'],
  [/(Running:\n\s+\|_\n\s+-+\n\s+\S+:\n\s+)\d+/g, '$1<pid>'],
  [/("Running": \[\s*\{\s*"[^"]+": )\d+/g, '$1<pid>'],
  // Below and above a second it is said in another unit.
  [/(Total run time:)\s+(?:[\d.]+|<n>) m?s\b/g, '$1 <n>'],
  [/('duration': )[\d.]+/g, '$1<n>'],
  [/(\bduration: )[\d.]+/g, '$1<n>'],
  // The master's own secret, which Salt's reactor management carries along.
  [/^ +key:\n +\S+=\n/gm, ''],
  [/^ +"key": "[^"]*=",?\n/gm, ''],
  [/<site-packages>\/salt\/utils\/pycrypto\.py:\d+: DeprecationWarning.*\n.*\n/g, ''],
  [/\b[\w.-]+_master(?=:\n)/g, '<host>_master'],
]

/**
 * Text without what varies. Our program's names are written as Salt's, so that either side may use its own; the place's
 * root as /srv/lab. Job ids are numbered by `names` where it is given, else they are one.
 */
export function maskText(text: string, place: Place, jid: (jid: string) => string = () => '<jid>'): string {
  let masked = text
    .replaceAll(`${place.root}/etc/brine`, '/srv/lab/etc/master')
    .replaceAll(place.root, '/srv/lab')
    .replace(/(?<=\\n|\b)brine\b/g, 'salt')
    .replace(/\bBrine\b/g, 'Salt')
    .replace(/\bBRINE_/g, 'SALT_')
  for (const [pattern, by] of TEXT_MASKS) masked = masked.replace(pattern, by)
  return masked.replace(JID, jid)
}

/** Numbers the job ids of one text by where they first stand. */
export function numberJids(): (jid: string) => string {
  const seen = new Map<string, string>()
  return (jid) => {
    const name = seen.get(jid) ?? `<jid ${seen.size + 1}>`
    seen.set(jid, name)
    return name
  }
}

/** The output of a command without what varies. */
export function maskOutput(text: string, place: Place): string {
  return maskText(text, place, numberJids())
}

/** The events of one stream without what varies: job ids become the name of what was run, so that order does not matter. */
export function maskEvents(events: readonly StreamEvent[], place: Place): StreamEvent[] {
  const names = nameJids(events, place)
  const jid = (id: string) => names.get(id) ?? '<jid>'
  return events.map(({ tag, data }) => ({ tag: maskText(tag, place, jid), data: maskJson(data, place, jid) }))
}

/** Each jid's name: the function it runs, its arguments, and which of those that run the same it is. */
function nameJids(events: readonly StreamEvent[], place: Place): Map<string, string> {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const { data } of events) {
    if (!isObject(data) || typeof data.jid !== 'string' || typeof data.fun !== 'string' || names.has(data.jid)) continue
    const args = maskJson(data.arg ?? data.fun_args ?? [], place, () => '<jid>')
    const what = `${data.fun}${JSON.stringify(sortKeys(args))}`
    const count = (counts.get(what) ?? 0) + 1
    counts.set(what, count)
    names.set(data.jid, `<jid of ${what}${count > 1 ? ` #${count}` : ''}>`)
  }
  return names
}

function maskJson(value: Json, place: Place, jid: (jid: string) => string): Json {
  if (typeof value === 'string') return maskText(value, place, jid)
  if (Array.isArray(value)) return value.map((item) => maskJson(item, place, jid))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = maskText(key, place, jid)
      if (MASKED_KEYS.has(key)) return [name, `<${key}>`]
      if (key === 'user' && item === self) return [name, 'root']
      if (key === 'grains' && isObject(item)) return [name, maskGrains(item)]
      return [name, maskJson(item, place, jid)]
    }),
  )
}

/** All of a host's grains are told by their being many; a chosen few by their names. */
function maskGrains(grains: { readonly [key: string]: Json }): Json {
  const keys = Object.keys(grains)
  if (keys.length > 20) return { ...pick(grains, CONFIGURED_GRAINS), '<many>': true }
  return Object.fromEntries(
    Object.entries(grains).map(([key, value]) => [key, CONFIGURED_GRAINS.has(key) ? value : '<grain>']),
  )
}

function pick(map: { readonly [key: string]: Json }, keys: ReadonlySet<string>): { [key: string]: Json } {
  return Object.fromEntries(Object.entries(map).filter(([key]) => keys.has(key)))
}

/** True for a JSON object. */
export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON with the keys of every object sorted. */
export function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isObject(value)) return value
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : 1))
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key] ?? null)]))
}
