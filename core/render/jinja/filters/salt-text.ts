// Salt's filters on text: regular expressions, conversions, quoting.

import { matchTag } from '../../../event/tag-glob.ts'
import { escapeRegex } from '../../../value/escape-regex.ts'
import { float, numberOf } from '../../../value/index.ts'
import { checkText } from '../budget.ts'
import { Bytes } from '../bytes.ts'
import { type Datum, isDict, repr, str, textOf, truth, tuple, typeName } from '../datum.ts'
import { escapeHtml } from '../html.ts'
import { collect, isIterable } from '../iterate.ts'
import { PythonError, typeError } from '../python-error.ts'
import { CHARACTER_TESTS, capitalize, stripLeft, stripRight } from '../python-string.ts'
import { regexOf } from '../regex.ts'
import { isMarkup } from '../rope.ts'
import type { Run } from '../run.ts'
import { Markup } from '../text-object.ts'
import { defined } from '../undefined.ts'
import { filter, type NamedFilter, ropeFilter } from './define.ts'
import { parseFloatText, parseInteger } from './number.ts'
import { expandReplacement } from './regex-template.ts'

type Args = readonly (Datum | undefined)[]

function subject(input: Datum): string {
  const text = textOf(input)
  if (text !== undefined) return text
  defined(input)
  throw typeError(`expected string or bytes-like object, got '${typeName(input)}'`)
}

function search(anchor: 'search' | 'match'): (input: Datum, args: Args, run: Run) => Datum {
  return (input, [pattern = '', ignoreCase = false, multiLine = false], run) => {
    const regex = regexOf(pattern, truth(ignoreCase), truth(multiLine), run)
    const found = regex.exec(subject(input), anchor, run)
    if (found === undefined) return null
    const [whole = '', ...groups] = found.groups
    return groups.length === 0 ? tuple([whole]) : tuple(groups.map((group) => (group === undefined ? null : group)))
  }
}

function regexReplace(input: Datum, args: Args, run: Run): Datum {
  const [pattern = '', replacement = '', ignoreCase = false, multiLine = false] = args
  const regex = regexOf(pattern, truth(ignoreCase), truth(multiLine), run)
  const text = subject(input)
  const template = textOf(replacement)
  if (template === undefined) {
    throw typeError(`decoding to str: need a bytes-like object, ${typeName(replacement)} found`)
  }
  const expand = expandReplacement(template, regex.program)
  let size = text.length
  return regex.replace(
    text,
    ({ groups }) => {
      const made = expand(groups)
      size += made.length
      checkText(size)
      return made
    },
    run,
  )
}

/** Python's `shlex.quote`. What it adds to markup, such as the output of `json`, is escaped as HTML, as in Salt. */
function shellQuote(input: Datum): Datum {
  if (!truth(input)) return "''"
  const text = subject(input)
  if (!/[^\w@%+=:,./-]/.test(text)) return input
  if (!isMarkup(input)) return `'${text.replaceAll("'", `'"'"'`)}'`
  const mark = escapeHtml("'")
  return new Markup(mark + text.replaceAll("'", escapeHtml(`'"'"'`)) + mark)
}

function toBoolean(input: Datum): boolean {
  if (input === null) return false
  if (typeof input === 'boolean') return input
  const text = textOf(input)
  if (text !== undefined) return ['yes', '1', 'true'].includes(text.toLowerCase())
  if (typeof input === 'bigint' || (typeof input === 'number' && Number.isInteger(input))) return input > 0
  return (typeName(input) === 'list' && collectLength(input) > 0) || (isDict(input) && truth(input))
}

function collectLength(input: Datum): number {
  return Array.isArray(input) ? input.length : 0
}

/** Salt's `to_num`: an integer, a float, or the text as it is. */
export function toNumber(input: Datum): Datum {
  const text = textOf(input)
  if (text === undefined) {
    defined(input)
    const number = numberOf(input)
    if (number === undefined) {
      throw typeError(`int() argument must be a string, a bytes-like object or a real number, not '${typeName(input)}'`)
    }
    return typeof number === 'number' ? Math.trunc(number) : number
  }
  const whole = parseInteger(text, 10)
  if (whole !== undefined) return whole
  const parsed = parseFloatText(text)
  return parsed === undefined ? input : float(parsed)
}

function isHex(input: Datum): boolean {
  const text = textOf(input)
  return text !== undefined && parseInteger(text, 16) !== undefined
}

const UNITS = 'bkmgtpezy'

function humanToBytes(input: Datum, unitName: string, metric: boolean): Datum {
  const match = /^([0-9.]*)\s*(.*)$/s.exec(stripRight(stripLeft(str(input))))
  const unit = (match?.[2] ?? '').toLowerCase() || unitName.toLowerCase()
  const whole = parseInteger(match?.[1] ?? '', 10)
  const value = whole === undefined ? parseFloatText(match?.[1] ?? '') : Number(numberOf(whole) ?? 0)
  if (value === undefined) return 0
  const decimal = /^[kmgtpezy]b$/.test(unit)
  if (!decimal && !/^(b|[kmgtpezy](ib)?)$/.test(unit)) return 0
  const power = UNITS.indexOf(unit[0] ?? 'b')
  const bytes = value * (decimal && metric ? 10 ** (power * 3) : 2 ** (power * 10))
  return Number.isSafeInteger(Math.trunc(bytes)) ? Math.trunc(bytes) : BigInt(Math.trunc(bytes))
}

function expressionMatches(value: Datum, expression: Datum, run: Run): boolean {
  const text = textOf(value)
  const pattern = textOf(expression)
  if (text === undefined || pattern === undefined) return false
  if (matchTag(pattern, text)) return true
  try {
    return regexOf(pattern, false, false, run).exec(text, 'fullmatch', run) !== undefined
  } catch (error) {
    if (error instanceof PythonError && error.exception === 're.error') return false
    throw error
  }
}

function asList(list: Datum, what: string, run: Run): readonly Datum[] {
  if (!truth(list)) return []
  if (textOf(list) !== undefined) return [list]
  if (!isIterable(list)) throw typeError(`Expecting iterable ${what}, but got ${typeName(list)} (${str(list)})`)
  return collect(list, run)
}

function checkLists(input: Datum, [white = null, black = null]: Args, run: Run): boolean {
  const whitelist = asList(white, 'whitelist', run)
  const blacklist = asList(black, 'blacklist', run)
  const denied = blacklist.some((expression) => expressionMatches(input, expression, run))
  const allowed = whitelist.some((expression) => expressionMatches(input, expression, run))
  if (blacklist.length > 0 && whitelist.length === 0) return !denied
  if (whitelist.length > 0 && blacklist.length === 0) return allowed
  return blacklist.length === 0 || (!denied && allowed)
}

function snakeCase(text: string): string {
  const chars = Array.from(text)
  const [first] = chars
  if (first === undefined) throw new PythonError('IndexError', 'string index out of range')
  const isUpper = (char: string | undefined): boolean => CHARACTER_TESTS.isupper?.(char ?? '') ?? false
  const isLower = (char: string | undefined): boolean => CHARACTER_TESTS.islower?.(char ?? '') ?? false
  return chars
    .map((char, index) => {
      if (index === 0) return char.toLowerCase()
      const breaks =
        isUpper(char) && (isLower(chars[index - 1]) || (index < chars.length - 1 && isLower(chars[index + 1])))
      return (breaks ? '_' : '') + char.toLowerCase()
    })
    .join('')
}

function camelCase(text: string, upper: boolean): string {
  const [first = '', ...words] = text.split('_')
  return (upper ? capitalize(first) : first) + words.map(capitalize).join('')
}

function pathJoin(parts: readonly Datum[]): string {
  const texts = parts.map((part) => {
    const text = textOf(part)
    if (text === undefined) throw typeError(`expected str, bytes, or bytearray not <class '${typeName(part)}'>`)
    return normalizePath(text)
  })
  let joined = texts[0] ?? ''
  for (const part of texts.slice(1)) {
    const bare = part.replace(/^\/+/, '')
    joined = joined === '' || joined.endsWith('/') ? joined + bare : `${joined}/${bare}`
  }
  return normalizePath(joined)
}

/** Python's `posixpath.normpath`. */
function normalizePath(path: string): string {
  if (path === '') return '.'
  const lead = path.startsWith('//') && !path.startsWith('///') ? '//' : path.startsWith('/') ? '/' : ''
  const kept: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..' || (lead === '' && kept.length === 0) || kept.at(-1) === '..') kept.push(part)
    else kept.pop()
  }
  return lead + kept.join('/') || '.'
}

function toBytes(input: Datum): Datum {
  if (input instanceof Bytes) return input
  const text = textOf(input)
  if (text === undefined) {
    defined(input)
    throw typeError(`expected str, bytes, or bytearray not <class '${typeName(input)}'>`)
  }
  return new Bytes(new TextEncoder().encode(text))
}

function macToBytes(input: Datum): Datum {
  const text = subject(input)
  const digits = text.length === 17 ? text.replaceAll(text[2] ?? ':', '') : text
  if (text.length !== 12 && text.length !== 17) throw new PythonError('ValueError', 'Invalid MAC address')
  const bytes = Array.from({ length: 6 }, (_, index) => {
    const pair = digits.slice(index * 2, index * 2 + 2)
    const byte = parseInteger(pair, 16)
    if (byte === undefined) throw new PythonError('ValueError', `invalid literal for int() with base 16: ${repr(pair)}`)
    return Number(numberOf(byte) ?? 0)
  })
  return new Bytes(Uint8Array.from(bytes))
}

/** The filters, by Salt's names. */
export const SALT_TEXT_FILTERS: readonly NamedFilter[] = [
  filter('regex_search', 'rgx ignorecase? multiline?', search('search')),
  filter('regex_match', 'rgx ignorecase? multiline?', search('match')),
  filter('regex_replace', 'rgx val ignorecase? multiline?', regexReplace),
  filter('regex_escape', '', (input) => escapeRegex(subject(input))),
  ropeFilter('quote', '', (input) => shellQuote(input)),
  filter('to_bool', '', (input) => toBoolean(input)),
  filter('to_num', '', (input) => toNumber(input)),
  filter('str_to_num', '', (input) => toNumber(input)),
  filter('is_hex', '', (input) => isHex(input)),
  filter('contains_whitespace', '', (input, _, run) =>
    collect(input, run).some((char) => CHARACTER_TESTS.isspace?.(textOf(char) ?? '') ?? false),
  ),
  filter('human_to_bytes', 'default_unit? handle_metric?', (input, [unit = 'B', metric = false]) =>
    humanToBytes(input, str(unit), truth(metric)),
  ),
  filter('check_whitelist_blacklist', 'whitelist? blacklist?', checkLists),
  filter('to_snake_case', '', (input) => snakeCase(subject(input))),
  filter('to_camelcase', 'uppercamel?', (input, [upper = false]) => camelCase(subject(input), truth(upper))),
  filter('path_join', '*parts **kwargs', (input, _, __, { varargs }) => pathJoin([input, ...varargs])),
  filter('to_bytes', 'encoding? errors?', (input) => toBytes(input)),
  filter('mac_str_to_bytes', '', (input) => macToBytes(input)),
  filter('skip', '', () => ''),
  filter('substring_in_list', 'list_to_search', (input, [list = null], run) => {
    const text = subject(input)
    return collect(list, run).some((item) => subject(item).includes(text))
  }),
  filter('sorted_ignorecase', '', (input, _, run) =>
    collect(input, run)
      .map((item) => [subject(item).toLowerCase(), item] as const)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([, item]) => item),
  ),
]
