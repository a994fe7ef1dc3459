// Python's str methods.
import { checkText } from './budget.ts'
import { Bytes } from './bytes.ts'
import { textLength } from './code-points.ts'
import { type Datum, isDict, plain, str, textOf, truth, tuple, typeName } from './datum.ts'
import { collect } from './iterate.ts'
import { type Method, method, ropeMethod } from './method.ts'
import { asIndex } from './numbers.ts'
import { typeError, valueError } from './python-error.ts'
import {
  CHARACTER_TESTS,
  capitalize,
  caseFold,
  splitLines,
  splitText,
  splitTextRight,
  splitWords,
  splitWordsRight,
  stripLeft,
  stripRight,
  swapCase,
  titleCase,
} from './python-string.ts'
import { concat, escapeKeeping, isMarkup, isStructured, replaceStructured, trimStructured } from './rope.ts'
import type { Run } from './run.ts'
import { formatText } from './str-format.ts'
import { substringMethods } from './substring-methods.ts'
import { Markup, Rope } from './text-object.ts'

type StringMethod = readonly [string, Method<Datum>]

function text(self: Datum): string {
  return textOf(self) ?? ''
}

/** A text argument; Python's error for anything else. */
export function textArgument(datum: Datum, what: string): string {
  const found = textOf(datum)
  if (found === undefined) throw typeError(`${what} must be str, not ${typeName(datum)}`)
  return found
}

function count(datum: Datum | undefined, otherwise: number): number {
  if (datum === undefined) return otherwise
  const index = asIndex(datum)
  if (index === undefined) throw typeError(`'${typeName(datum)}' object cannot be interpreted as an integer`)
  return index
}

function simple(name: string, change: (text: string) => string | boolean): StringMethod {
  return method(name, '', (self) => change(text(self)))
}

function stripping(name: string, left: boolean, right: boolean): StringMethod {
  return method(name, 'chars?', (self, [chars = null]) => stripDatum(self, chars, left, right, undefined))
}

function stripSet(chars: Datum): string {
  const set = textOf(chars)
  if (set === undefined) throw typeError('strip arg must be None or str')
  return set
}

/** `strip` and its kin; ropes keep their structure where `run` is given. */
export function stripDatum(self: Datum, chars: Datum, left: boolean, right: boolean, run: Run | undefined): Datum {
  const set = chars === null ? undefined : stripSet(chars)
  const fromLeft = (part: string): string => (left ? stripLeft(part, set) : part)
  const fromRight = (part: string): string => (right ? stripRight(part, set) : part)
  if (run !== undefined && isStructured(self)) return trimStructured(self, run, fromLeft, fromRight)
  const stripped = fromRight(fromLeft(text(self)))
  return self instanceof Markup ? new Markup(stripped) : stripped
}

function structuredStrip(name: string, left: boolean, right: boolean): StringMethod {
  const [, unstructured] = stripping(name, left, right)
  return ropeMethod(name, 'chars?', (self, [chars = null], run) =>
    isStructured(self)
      ? stripDatum(self, plain(chars), left, right, run)
      : unstructured(self, [plain(chars)], new Map(), run),
  )
}

function splitting(
  name: string,
  words: (text: string, limit: number) => string[],
  parts: (text: string, separator: string, limit: number) => string[],
): StringMethod {
  return method(name, 'sep? maxsplit?', (self, [separator = null, limit], run) => {
    const most = count(limit, -1)
    const source = text(self)
    run.charge(source.length / 8)
    if (separator === null) return words(source, most)
    const by = textOf(separator)
    if (by === undefined) throw typeError(`must be str or None, not ${typeName(separator)}`)
    if (by === '') throw valueError('empty separator')
    return parts(source, by, most)
  })
}

function padding(name: string, pad: (text: string, missing: number, fill: string) => string): StringMethod {
  return method(name, 'width fillchar?', (self, [width, fill = ' ']) => {
    const by = textArgument(fill, 'The fill character')
    if (textLength(by) !== 1) throw typeError('The fill character must be exactly one character long')
    const source = text(self)
    const missing = count(width, 0) - textLength(source)
    checkText(missing)
    return missing <= 0 ? source : pad(source, missing, by)
  })
}

/** `replace(old, new, count)` on any text; ropes keep their structure. */
export function replaceText(self: Datum, old: Datum, replacement: Datum, limit: number, run: Run): Datum {
  const source = text(self)
  const from = str(old)
  const to = str(replacement)
  const parts = from === '' ? ['', ...source, ''] : source.split(from)
  const times = limit < 0 ? parts.length - 1 : Math.min(limit, parts.length - 1)
  checkText(source.length + times * (to.length - from.length))
  const expected =
    times === parts.length - 1
      ? parts.join(to)
      : parts.slice(0, times + 1).join(to) + from + parts.slice(times + 1).join(from)
  if (times === 0) return self
  if (self instanceof Rope && limit < 0) return replaceStructured(self, from, replacement, expected, run)
  if (self instanceof Rope && !self.hasHoles && !isStructured(replacement))
    return new Rope(expected, self.holes, self.markup)
  return self instanceof Markup ? new Markup(expected) : expected
}

/** `separator.join(items)`: every item has to be a text. */
function join(separator: Datum, items: readonly Datum[], run: Run): Datum {
  const parts: Datum[] = []
  for (let index = 0; index < items.length; index++) {
    const item = items[index] ?? null
    if (textOf(item) === undefined) {
      throw typeError(`sequence item ${index}: expected str instance, ${typeName(item)} found`)
    }
    if (index > 0) parts.push(separator)
    parts.push(isMarkup(separator) && !isMarkup(item) ? escapeKeeping(item, run) : item)
  }
  const joined = concat(parts, run)
  return separator instanceof Markup && typeof joined === 'string' ? new Markup(joined) : joined
}

function format(name: string): StringMethod {
  return [
    name,
    (self, args, kwargs, run) => {
      if (name === 'format') return formatText(self, args, kwargs, undefined, run)
      const [map = null] = args
      if (args.length !== 1) throw typeError(`format_map() takes exactly one argument (${args.length} given)`)
      if (!isDict(map)) throw typeError(`format_map() argument must be a mapping, not ${typeName(map)}`)
      return formatText(self, [], kwargs, map, run)
    },
  ]
}

/** Every method a template may call on a text, by name. */
export const STRING_METHODS: ReadonlyMap<string, Method<Datum>> = new Map([
  simple('upper', (self) => self.toUpperCase()),
  simple('lower', (self) => self.toLowerCase()),
  simple('capitalize', capitalize),
  simple('title', titleCase),
  simple('swapcase', swapCase),
  simple('casefold', caseFold),
  ...Object.entries(CHARACTER_TESTS).map(([name, test]) => simple(name, test)),
  structuredStrip('strip', true, true),
  structuredStrip('lstrip', true, false),
  structuredStrip('rstrip', false, true),
  splitting('split', splitWords, splitText),
  splitting('rsplit', splitWordsRight, splitTextRight),
  method('splitlines', 'keepends?', (self, [keep = false]) => splitLines(text(self), truth(keep))),
  padding('ljust', (self, missing, fill) => self + fill.repeat(missing)),
  padding('rjust', (self, missing, fill) => fill.repeat(missing) + self),
  padding('center', (self, missing, fill) => {
    const left = Math.floor(missing / 2) + (missing % 2 === 1 && (textLength(self) + missing) % 2 === 1 ? 1 : 0)
    return fill.repeat(left) + self + fill.repeat(missing - left)
  }),
  method('zfill', 'width', (self, [width]) => {
    const source = text(self)
    const missing = count(width, 0) - textLength(source)
    checkText(missing)
    if (missing <= 0) return source
    const sign = /^[-+]/.exec(source)?.[0] ?? ''
    return sign + '0'.repeat(missing) + source.slice(sign.length)
  }),
  method('expandtabs', 'tabsize?', (self, [size]) => expandTabs(text(self), count(size, 8))),
  ropeMethod('replace', 'old new count?', (self, [old = '', replacement = '', limit], run) => {
    if (textOf(old) === undefined) throw typeError(`replace() argument 1 must be str, not ${typeName(old)}`)
    if (textOf(replacement) === undefined)
      throw typeError(`replace() argument 2 must be str, not ${typeName(replacement)}`)
    const by = isMarkup(self) && !isMarkup(replacement) ? escapeKeeping(replacement, run) : replacement
    return replaceText(self, plain(old), by, count(limit, -1), run)
  }),
  ropeMethod('join', 'iterable', (self, [items = null], run) => join(self, collect(items, run), run)),
  format('format'),
  format('format_map'),
  method('partition', 'sep', (self, [separator = null]) =>
    partition(text(self), textArgument(separator, 'sep'), false),
  ),
  method('rpartition', 'sep', (self, [separator = null]) =>
    partition(text(self), textArgument(separator, 'sep'), true),
  ),
  method('removeprefix', 'prefix', (self, [prefix = null]) => {
    const start = textArgument(prefix, 'removeprefix() argument')
    return text(self).startsWith(start) ? text(self).slice(start.length) : text(self)
  }),
  method('removesuffix', 'suffix', (self, [suffix = null]) => {
    const end = textArgument(suffix, 'removesuffix() argument')
    return end !== '' && text(self).endsWith(end) ? text(self).slice(0, -end.length) : text(self)
  }),
  method('translate', 'table', (self, [table = null]) => translate(text(self), table)),
  method('encode', 'encoding? errors?', (self) => new Bytes(new TextEncoder().encode(text(self)))),
  ...substringMethods(text),
])

function expandTabs(source: string, size: number): string {
  let column = 0
  let result = ''
  for (const char of source) {
    if (char === '\t') {
      const width = size > 0 ? size - (column % size) : 0
      checkText(result.length + width)
      result += ' '.repeat(width)
      column += width
    } else {
      result += char
      column = char === '\n' || char === '\r' ? 0 : column + 1
    }
  }
  return result
}

function partition(source: string, separator: string, fromRight: boolean): Datum {
  if (separator === '') throw valueError('empty separator')
  const at = fromRight ? source.lastIndexOf(separator) : source.indexOf(separator)
  if (at < 0) return tuple(fromRight ? ['', '', source] : [source, '', ''])
  return tuple([source.slice(0, at), separator, source.slice(at + separator.length)])
}

function translate(source: string, table: Datum): string {
  if (!isDict(table)) throw typeError(`'${typeName(table)}' object is not subscriptable`)
  const entries = new Map(table instanceof Map ? table : Object.entries(table))
  let result = ''
  for (const char of source) {
    const found = entries.get(char.codePointAt(0) ?? 0)
    if (found === undefined) result += char
    else if (found !== null) result += typeof found === 'number' ? String.fromCodePoint(found) : str(found)
  }
  return result
}
