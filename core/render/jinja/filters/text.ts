// Jinja's filters on text.
import { numberOf } from '../../../value/index.ts'
import { budgetError, checkText, MAX_TEXT } from '../budget.ts'
import { textLength } from '../code-points.ts'
import { type Datum, type Kwargs, NO_KWARGS, repr, str, TextObject, textOf, truth, tuple, typeName } from '../datum.ts'
import { newDict } from '../dict.ts'
import { collect, length } from '../iterate.ts'
import { asIndex } from '../numbers.ts'
import { percentFormat } from '../percent-format.ts'
import { PythonError, typeError } from '../python-error.ts'
import { capitalize, splitLines } from '../python-string.ts'
import { concat, indentStructured, isStructured } from '../rope.ts'
import type { Run } from '../run.ts'
import { replaceText, STRING_METHODS, stripDatum, textArgument } from '../string-methods.ts'
import { defined } from '../undefined.ts'
import { attributeGetter } from './attribute.ts'
import { filter, type NamedFilter, ropeFilter } from './define.ts'
import { pprint } from './pprint.ts'
import { wrapText } from './text-wrap.ts'

const WORD_START = /([-\s({[<]+)/u

function integer(datum: Datum | undefined, otherwise: number, what = 'integer'): number {
  if (datum === undefined) return otherwise
  const index = asIndex(datum)
  if (index === undefined) throw typeError(`'${typeName(datum)}' object cannot be interpreted as an ${what}`)
  return index
}

/** `s.splitlines()` of the text with a line break behind it, the later lines indented. */
function indentLines(text: string, indention: string, first: boolean, blank: boolean): string {
  const lines = splitLines(`${text}\n`)
  checkText(text.length + lines.length * indention.length)
  const [head = '', ...rest] = lines
  const body = blank
    ? lines.join(`\n${indention}`)
    : [head, ...rest.map((line) => (line === '' ? line : indention + line))].join('\n')
  return first ? indention + body : body
}

function indent(input: Datum, args: readonly (Datum | undefined)[], run: Run): Datum {
  const [width = 4, first = false, blank = false] = args
  const given = textOf(defined(width))
  const count = given === undefined ? integer(width, 4) : 0
  checkText(count)
  const indention = given ?? ' '.repeat(Math.max(0, count))
  if (textOf(input) === undefined) {
    throw typeError(`unsupported operand type(s) for +=: '${typeName(input)}' and 'str'`)
  }
  const change = (text: string): string => indentLines(text, indention, truth(first), truth(blank))
  return isStructured(input) ? indentStructured(input, run, indention, change) : change(textOf(input) ?? '')
}

function format(input: Datum, args: readonly Datum[], kwargs: Kwargs, run: Run): Datum {
  if (args.length > 0 && kwargs.size > 0) {
    throw new PythonError('TemplateRuntimeError', "can't handle positional and keyword arguments at the same time")
  }
  const source = textOf(input) === undefined ? str(input) : input
  return percentFormat(source, kwargs.size > 0 ? newDict(kwargs) : tuple(args), run)
}

function join(input: Datum, [separator = '', attribute = null]: readonly (Datum | undefined)[], run: Run): Datum {
  const items = collect(input, run)
  const get = attribute === null ? undefined : attributeGetter(attribute, run)
  const parts: Datum[] = []
  const between = textOf(separator) === undefined ? str(separator) : separator
  const joins = textOf(between) !== ''
  let total = 0
  for (let index = 0; index < items.length; index++) {
    if (index > 0 && joins) parts.push(between)
    const item = items[index] ?? null
    const part = get === undefined ? item : get(item)
    parts.push(part instanceof TextObject || typeof part === 'string' ? part : str(part))
    total += 1
    if (total > MAX_TEXT) throw budgetError('characters in one text', MAX_TEXT)
  }
  return concat(parts, run)
}

function truncate(input: Datum, args: readonly (Datum | undefined)[], run: Run): Datum {
  const [size, killwords = false, end = '...', leeway = null] = args
  const tail = textArgument(end, 'end')
  const most = integer(size, 255)
  const spare = leeway === null ? 5 : integer(leeway, 5)
  if (most < textLength(tail)) throw assertion(`expected length >= ${textLength(tail)}, got ${most}`)
  if (spare < 0) throw assertion(`expected leeway >= 0, got ${spare}`)
  const text = textOf(input)
  if (text === undefined) {
    if (length(input) <= most + spare) return input
    throw typeError(`can only concatenate ${typeName(input)} (not "str") to ${typeName(input)}`)
  }
  if (textLength(text) <= most + spare) return input
  const cut = Array.from(text)
    .slice(0, most - textLength(tail))
    .join('')
  run.charge(1)
  if (truth(killwords)) return cut + tail
  const space = cut.lastIndexOf(' ')
  return (space < 0 ? cut : cut.slice(0, space)) + tail
}

function assertion(message: string): PythonError {
  return new PythonError('ValueError', message)
}

const SIZES = ['kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB']

function fileSize(input: Datum, binary: boolean): string {
  const number = numberOf(input) ?? (textOf(input) === undefined ? undefined : Number(textOf(input)))
  if (number === undefined || Number.isNaN(Number(number))) {
    throw textOf(input) === undefined
      ? typeError(`float() argument must be a string or a real number, not '${typeName(input)}'`)
      : new PythonError('ValueError', `could not convert string to float: ${repr(input)}`)
  }
  const bytes = Number(number)
  const base = binary ? 1024 : 1000
  if (bytes === 1) return '1 Byte'
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`
  let index = 0
  while (index < SIZES.length - 1 && bytes >= base ** (index + 2)) index++
  const name = SIZES[index] ?? ''
  const shown = binary ? `${(name[0] ?? '').toUpperCase()}i${name.slice(1)}` : name
  return `${((base * bytes) / base ** (index + 2)).toFixed(1)} ${shown}`
}

const upper = STRING_METHODS.get('upper')
const center = STRING_METHODS.get('center')

/** The filters, by Jinja's names. */
export const TEXT_FILTERS: readonly NamedFilter[] = [
  filter('upper', '', (input, _, run) => upper?.(str(input), [], NO_KWARGS, run) ?? null),
  filter('lower', '', (input) => str(input).toLowerCase()),
  filter('capitalize', '', (input) => capitalize(str(input))),
  filter('title', '', (input) =>
    str(input)
      .split(WORD_START)
      .map((part) => {
        const [first = ''] = part
        return first.toUpperCase() + part.slice(first.length).toLowerCase()
      })
      .join(''),
  ),
  filter('center', 'width?', (input, [width = 80], run) => center?.(str(input), [width], NO_KWARGS, run) ?? null),
  ropeFilter('trim', 'chars?', (input, [chars = null], run) =>
    stripDatum(textOf(input) === undefined ? str(input) : input, chars, true, true, run),
  ),
  ropeFilter('replace', 'old new count?', (input, [old = '', replacement = '', count = null], run) => {
    const source = textOf(input) === undefined ? str(input) : input
    const by = textOf(replacement) === undefined ? str(replacement) : replacement
    return replaceText(source, str(old), by, count === null ? -1 : integer(count, -1), run)
  }),
  ropeFilter('indent', 'width? first? blank?', indent),
  ['format', { plain: false, apply: format }],
  ropeFilter('join', 'd? attribute?', join),
  ropeFilter('string', '', (input) => (textOf(input) === undefined ? str(input) : input)),
  filter('truncate', 'length? killwords? end? leeway?', truncate),
  filter('wordcount', '', (input) => str(input).match(/[\p{L}\p{N}_\p{M}]+/gu)?.length ?? 0),
  filter('wordwrap', 'width? break_long_words? wrapstring? break_on_hyphens?', (input, args) => {
    const [width, long = true, by = null, hyphens = true] = args
    const between = by === null ? '\n' : textArgument(by, 'wrapstring')
    const options = { width: integer(width, 79), breakLongWords: truth(long), breakOnHyphens: truth(hyphens) }
    return splitLines(textArgument(input, 'wordwrap input'))
      .map((line) => wrapText(line, options).join(between))
      .join(between)
  }),
  filter('filesizeformat', 'binary?', (input, [binary = false]) => fileSize(input, truth(binary))),
  filter('pprint', '', (input) => pprint(input)),
]
