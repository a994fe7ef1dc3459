// What a reactor entry may ask beside its glob: `match` on the event's data, `once_within` a time, `group_by` fields.
import type { Event } from '../event/event.ts'
import { type EventPattern, parsePattern } from '../event/pattern/index.ts'
import {
  type Dict,
  entries,
  get,
  isList,
  isMap,
  type Mapping,
  parseJson,
  pythonStr,
  stringifyJson,
  type Value,
} from '../value/index.ts'

/** Conditions of an entry, as data that can be stored. */
export interface EntryConditions {
  /** EventBridge's pattern on the event's data, as JSON text. */
  readonly match?: string
  /** Seconds in which the entry reacts once for each group. */
  readonly onceWithin?: number
  /** Fields that make the group: `tag`, `data.<path>`. Without any, all events of the entry are one group. */
  readonly groupBy?: readonly string[]
}

const KEYS = ['sls', 'match', 'once_within', 'group_by']
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
/** Longer than that nothing is remembered. */
const LONGEST = 7 * 86_400

/** Reads an entry's map. `problems` say what is wrong; then nothing else of the answer holds. */
export function readConditions(map: Mapping | Dict): {
  sls: Value
  conditions: EntryConditions
  problems: readonly string[]
} {
  const problems: string[] = []
  for (const [key] of entries(map)) {
    if (typeof key !== 'string' || !KEYS.includes(key)) {
      problems.push(`there is no key ${pythonStr(key)} in an entry. There are: ${KEYS.join(', ')}.`)
    }
  }
  const sls = get(map, 'sls') ?? null
  if (sls === null) problems.push('the entry has no sls. Name the files it leads to: sls: [/srv/reactor/….sls].')
  const conditions = {
    ...matchOf(get(map, 'match'), problems),
    ...windowOf(get(map, 'once_within'), problems),
    ...groupOf(get(map, 'group_by'), problems),
  }
  if (conditions.groupBy !== undefined && conditions.onceWithin === undefined) {
    problems.push('group_by says what once_within counts apart, and there is no once_within. Add one, or take it out.')
  }
  return { sls, conditions, problems }
}

function matchOf(written: Value | undefined, problems: string[]): Pick<EntryConditions, 'match'> {
  if (written === undefined) return {}
  const parsed = parsePattern(written)
  if (parsed.kind === 'pattern') return { match: stringifyJson(written, { ascii: false }) }
  problems.push(...parsed.problems.map((problem) => `match: ${problem}`))
  return {}
}

function windowOf(written: Value | undefined, problems: string[]): Pick<EntryConditions, 'onceWithin'> {
  if (written === undefined) return {}
  const [, amount = '', unit = 's'] = /^(\d+(?:\.\d+)?)\s*([smhd])?$/.exec(pythonStr(written).trim()) ?? []
  const seconds = Number(amount) * (UNITS[unit] ?? 0)
  if (amount !== '' && seconds > 0 && seconds <= LONGEST) return { onceWithin: seconds }
  problems.push(`once_within: ${pythonStr(written)} is no time between 1s and 7d. Write 30s, 5m, 2h or 1d.`)
  return {}
}

function groupOf(written: Value | undefined, problems: string[]): Pick<EntryConditions, 'groupBy'> {
  if (written === undefined) return {}
  const fields = isList(written) ? written : [written]
  const wrong = fields.find((field) => typeof field !== 'string' || !/^(?:tag|data(?:\.[^.]+)+)$/.test(field))
  if (fields.length > 0 && wrong === undefined) return { groupBy: fields.map(pythonStr) }
  problems.push(
    `group_by: ${pythonStr(wrong ?? written)} names no field. Write tag, or a path like data.id, or a list of them.`,
  )
  return {}
}

/** An entry as it is written in the configuration: text, a list, or a map. */
export function entryValue(
  entry: EntryConditions & { readonly files: readonly string[]; readonly isText?: true },
): Value {
  const { files, match, onceWithin, groupBy } = entry
  if (match === undefined && onceWithin === undefined) return entry.isText === true ? (files[0] ?? '') : [...files]
  return {
    sls: [...files],
    ...(match === undefined ? {} : { match: parseJson(match) }),
    ...(onceWithin === undefined ? {} : { once_within: secondsText(onceWithin) }),
    ...(groupBy === undefined ? {} : { group_by: groupBy.length === 1 ? (groupBy[0] ?? '') : [...groupBy] }),
  }
}

/** `5m`, `90s`, `1.5s`: in the greatest unit that needs no fraction. */
export function secondsText(seconds: number): string {
  const [unit, size] = Object.entries(UNITS)
    .reverse()
    .find(([, each]) => seconds % each === 0) ?? ['s', 1]
  return `${seconds / size}${unit}`
}

/** The pattern of an entry that has one. It was checked when it was read. */
export function patternOf({ match }: EntryConditions): EventPattern | undefined {
  if (match === undefined) return undefined
  const parsed = parsePattern(parseJson(match))
  return parsed.kind === 'pattern' ? parsed.pattern : undefined
}

/** The group an event belongs to, as text: the values of the fields, a missing one told from an empty one. */
export function groupKey(groupBy: readonly string[] | undefined, event: Pick<Event, 'tag' | 'data'>): string {
  const values = (groupBy ?? []).map((field) => {
    const value = field === 'tag' ? event.tag : valueAt(event.data, field.split('.').slice(1))
    return value === undefined ? '-' : `=${stringifyJson(value, { ascii: false })}`
  })
  return JSON.stringify(values)
}

function valueAt(value: Value | undefined, path: readonly string[]): Value | undefined {
  const [name, ...rest] = path
  if (name === undefined || value === undefined) return value
  return isMap(value) ? valueAt(get(value, name), rest) : undefined
}
