// Python's `pprint.pformat` with its defaults: 80 columns, keys sorted.
import { Tuple } from '../../../value/index.ts'
import { checkSize } from '../budget.ts'
import { order } from '../compare.ts'
import { type Datum, isDict, repr, textOf } from '../datum.ts'
import { type DictDatum, dictPairs } from '../dict.ts'

const WIDTH = 80

/** The text of a value, broken into lines where it does not fit. */
export function pprint(datum: Datum): string {
  checkSize(datum)
  return format(datum, 0, 0)
}

/** Sorted as pprint sorts keys: by value where they compare, by type and text where they do not. */
function sortedPairs(dict: DictDatum): [Datum, Datum][] {
  const less = (a: Datum, b: Datum): boolean => {
    try {
      return order(a, b, '<')
    } catch {
      return repr(a) < repr(b)
    }
  }
  return dictPairs(dict).sort(([a], [b]) => (less(a, b) ? -1 : less(b, a) ? 1 : 0))
}

function oneLine(datum: Datum): string {
  if (isDict(datum))
    return `{${sortedPairs(datum)
      .map(([key, value]) => `${oneLine(key)}: ${oneLine(value)}`)
      .join(', ')}}`
  if (!Array.isArray(datum)) return repr(datum)
  const items = Array.from(datum, oneLine)
  if (!(datum instanceof Tuple)) return `[${items.join(', ')}]`
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`
}

/** `indent` is the column the text begins at, `allowance` what follows it on its last line. */
function format(datum: Datum, indent: number, allowance: number): string {
  const line = oneLine(datum)
  const room = WIDTH - indent - allowance
  if (line.length <= room) return line
  if (isDict(datum)) {
    const pairs = sortedPairs(datum)
    const lines = pairs.map(([key, value], index) => {
      const name = oneLine(key)
      const last = index === pairs.length - 1
      return `${name}: ${format(value, indent + 1 + name.length + 2, last ? allowance + 1 : 1)}`
    })
    return `{${lines.join(`,\n${' '.repeat(indent + 1)}`)}}`
  }
  if (Array.isArray(datum)) {
    const isTuple = datum instanceof Tuple
    const end = isTuple && datum.length === 1 ? ',)' : isTuple ? ')' : ']'
    const lines = Array.from(datum, (item, index) =>
      format(item, indent + 1, index === datum.length - 1 ? allowance + end.length : 1),
    )
    return `${isTuple ? '(' : '['}${lines.join(`,\n${' '.repeat(indent + 1)}`)}${end}`
  }
  const text = textOf(datum)
  return text === undefined ? line : longText(text, indent, allowance)
}

/** A text over several lines: pieces in parentheses at the top, bare inside. */
function longText(text: string, indent: number, allowance: number): string {
  const top = indent === 0 && allowance === 0
  const column = top ? indent + 1 : indent
  const extra = top ? allowance + 1 : allowance
  const room = WIDTH - column
  const chunks: string[] = []
  const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? []
  lines.forEach((line, index) => {
    const isLast = index === lines.length - 1
    const whole = repr(line)
    if (whole.length <= (isLast ? room - extra : room)) {
      chunks.push(whole)
      return
    }
    const parts = line.match(/\S*\s*/g)?.filter((part) => part !== '') ?? []
    let current = ''
    parts.forEach((part, at) => {
      const candidate = current + part
      const most = at === parts.length - 1 && isLast ? room - extra : room
      if (repr(candidate).length > most) {
        if (current !== '') chunks.push(repr(current))
        current = part
      } else current = candidate
    })
    if (current !== '') chunks.push(repr(current))
  })
  if (chunks.length === 1) return chunks[0] ?? ''
  const joined = chunks.join(`\n${' '.repeat(column)}`)
  return top ? `(${joined})` : joined
}
