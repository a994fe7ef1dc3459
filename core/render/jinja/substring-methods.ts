// Python's str methods that look for one text in another: count, find, index, startswith and their kin.
import { type Datum, textOf, typeName } from './datum.ts'
import { type Method, method } from './method.ts'
import { asIndex } from './numbers.ts'
import { typeError, valueError } from './python-error.ts'

const SURROGATE = /[\ud800-\udfff]/

/** A part of a text with the offset it begins at; offsets count code points. */
interface Window {
  readonly text: string
  readonly start: number
  /** False where `start` lies behind the end, so that not even the empty text is found. */
  readonly valid: boolean
}

function limit(datum: Datum | undefined, length: number, otherwise: number): number {
  if (datum === undefined || datum === null) return otherwise
  const index = asIndex(datum)
  if (index === undefined) {
    throw typeError('slice indices must be integers or None or have an __index__ method')
  }
  return index < 0 ? Math.max(0, length + index) : index
}

function windowOf(text: string, start: Datum | undefined, stop: Datum | undefined): Window {
  if (start === undefined && stop === undefined) return { text, start: 0, valid: true }
  const chars = SURROGATE.test(text) ? Array.from(text) : undefined
  const length = chars?.length ?? text.length
  const from = limit(start, length, 0)
  const to = Math.min(limit(stop, length, length), length)
  const part =
    chars === undefined ? text.slice(from, Math.max(from, to)) : chars.slice(from, Math.max(from, to)).join('')
  return { text: part, start: from, valid: from <= length && from <= to }
}

function position({ text, start }: Window, at: number): number {
  return start + (SURROGATE.test(text) ? Array.from(text.slice(0, at)).length : at)
}

function wanted(datum: Datum | undefined): string {
  const text = datum === undefined ? undefined : textOf(datum)
  if (text === undefined) throw typeError(`must be str, not ${typeName(datum ?? null)}`)
  return text
}

function finder(
  name: string,
  last: boolean,
  missing: 'error' | -1,
  text: (self: Datum) => string,
): readonly [string, Method<Datum>] {
  return method(name, 'sub start? end?', (self, [sub, start, stop]) => {
    const window = windowOf(text(self), start, stop)
    const part = wanted(sub)
    const at = window.valid ? (last ? window.text.lastIndexOf(part) : window.text.indexOf(part)) : -1
    if (at >= 0) return position(window, at)
    if (missing === 'error') throw valueError('substring not found')
    return missing
  })
}

function edge(name: string, text: (self: Datum) => string): readonly [string, Method<Datum>] {
  const test = name === 'startswith' ? 'startsWith' : 'endsWith'
  return method(name, 'prefix start? end?', (self, [affix = null, start, stop]) => {
    const window = windowOf(text(self), start, stop)
    const affixes = Array.isArray(affix) && typeName(affix) === 'tuple' ? affix : [affix]
    return affixes.some((one) => {
      const found = textOf(one)
      if (found === undefined) {
        throw typeError(`${name} first arg must be str or a tuple of str, not ${typeName(one)}`)
      }
      return window.valid && window.text[test](found)
    })
  })
}

/** The methods; `text` gives the characters of what they are called on. */
export function substringMethods(text: (self: Datum) => string): (readonly [string, Method<Datum>])[] {
  return [
    finder('find', false, -1, text),
    finder('rfind', true, -1, text),
    finder('index', false, 'error', text),
    finder('rindex', true, 'error', text),
    edge('startswith', text),
    edge('endswith', text),
    method('count', 'sub start? end?', (self, [sub, start, stop]) => {
      const window = windowOf(text(self), start, stop)
      const part = wanted(sub)
      if (!window.valid) return 0
      return part === '' ? Array.from(window.text).length + 1 : window.text.split(part).length - 1
    }),
  ]
}
