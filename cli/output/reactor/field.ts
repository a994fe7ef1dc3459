// Reading the fields of what a reactor function returned, and writing them for people.

import { stampInstant } from '../../../core/event/stamp.ts'
import {
  type Dict,
  get,
  isList,
  isMap,
  type Mapping,
  pythonStr,
  stringifyJson,
  type Value,
} from '../../../core/value/index.ts'
import { type Colour, type Colours, stripEscapes } from '../colour.ts'

/** Either kind of map. */
export type Fields = Mapping | Dict

/** The text of a field, empty where there is none. Escapes are shown, since some of it came with an event. */
export function textOf(map: Fields, key: string): string {
  const value = get(map, key)
  return value === undefined || value === null ? '' : stripEscapes(pythonStr(value))
}

/** The maps of a field's list. */
export function mapsOf(map: Fields, key: string): Fields[] {
  const list = get(map, key)
  return isList(list) ? list.filter(isMap) : []
}

/** The texts of a field's list. */
export function textsOf(map: Fields, key: string): string[] {
  const list = get(map, key)
  return isList(list) ? list.map((item) => stripEscapes(pythonStr(item))) : []
}

/** The map of a field, an empty one where there is none. */
export function mapOfField(map: Fields, key: string): Fields {
  const value = get(map, key)
  return value !== undefined && isMap(value) ? value : {}
}

/** The number of a field, `otherwise` where it is none. */
export function numberOf(map: Fields, key: string, otherwise = 0): number {
  const value = get(map, key)
  return typeof value === 'number' ? value : otherwise
}

/** Whether a field is there. */
export function hasField(map: Fields, key: string): boolean {
  return get(map, key) !== undefined
}

/** A value on one line: text as it is, JSON otherwise. At most 300 characters. */
export function inline(value: Value | undefined): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : stringifyJson(value, { ascii: false })
  const line = stripEscapes(text)
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}

/** A text's lines, each behind a margin. */
export function behind(margin: string, text: string): string[] {
  const lines = stripEscapes(text).replace(/\s+$/, '').split('\n')
  return lines.map((line) => `${margin}${line}`.trimEnd())
}

/** The arguments of a call as one writes them: `os, osrelease, timeout=5`. */
export function argumentsOf(map: Fields): string {
  const arg = get(map, 'arg')
  const kwarg = mapOfField(map, 'kwarg')
  const pairs = kwarg instanceof Map ? [...kwarg] : Object.entries(kwarg)
  return [
    ...(isList(arg) ? arg.map(inline) : []),
    ...pairs.map(([name, value]) => `${pythonStr(name)}=${inline(value)}`),
  ].join(', ')
}

/** How long after another stamp a stamp is: `+47 ms`, `+1.20 s`, `+12 min 3 s`. The stamp itself where one is none. */
export function after(stamp: string, from: string): string {
  const [start, end] = [stampInstant(from), stampInstant(stamp)]
  if (start === undefined || end === undefined) return stamp
  const milliseconds = (end - start) / 1000
  const sign = milliseconds < 0 ? '-' : '+'
  const size = Math.abs(milliseconds)
  if (size < 1000) return `${sign}${size.toFixed(size < 10 ? 1 : 0)} ms`
  if (size < 60_000) return `${sign}${(size / 1000).toFixed(2)} s`
  const seconds = Math.round(size / 1000)
  return `${sign}${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

const GOOD = new Set(['done', 'returned', 'reactions'])
const OPEN = new Set(['planned', 'running', 'waiting', 'nothing'])

/** A word about how something stands: green where it is well, yellow where it is open, red otherwise. */
export function stateWord(word: string, colours: Colours, success?: Value): string {
  const colour: Colour =
    success === false ? 'LIGHT_RED' : GOOD.has(word) ? 'LIGHT_GREEN' : OPEN.has(word) ? 'LIGHT_YELLOW' : 'LIGHT_RED'
  return `${colours[colour]}${word}${colours.ENDC}`
}
