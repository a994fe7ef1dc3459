// The pprint outputter: Python's pprint.pformat, 80 columns wide.
import {
  type Dict,
  entries,
  isList,
  isMap,
  type Mapping,
  pythonRepr,
  Tuple,
  type Value,
} from '../../core/value/index.ts'
import { splitLinesKeepingEnds, textLength } from '../../core/value/python-lines.ts'
import { entriesByType } from '../../core/yaml-writer/sorted-entries.ts'
import type { OutputOptions } from './outputter.ts'

const WIDTH = 80

/** Prints as `pprint.pformat`: maps sorted, what does not fit broken after commas, long texts split at spaces. */
export function pprint(data: Value, options: OutputOptions): string {
  const asked = options.outputIndent
  const printer = new PrettyPrinter(typeof asked === 'number' && asked >= 0 ? asked : 1)
  printer.print(data, 0, 0, 0)
  return printer.text
}

class PrettyPrinter {
  text = ''
  readonly #perLevel: number

  constructor(perLevel: number) {
    this.#perLevel = perLevel
  }

  /** `allowance` is what must still fit after the value on its last line: closing brackets and commas. */
  print(value: Value, indent: number, allowance: number, level: number): void {
    const flat = flatRepr(value)
    if (textLength(flat) <= WIDTH - indent - allowance) this.text += flat
    else if (typeof value === 'string') this.#string(value, indent, allowance, level + 1)
    else if (isMap(value)) this.#map(value, indent, allowance, level + 1)
    else if (isList(value)) this.#list(value, indent, allowance, level + 1)
    else this.text += flat
  }

  #map(map: Mapping | Dict, indent: number, allowance: number, level: number): void {
    this.text += `{${this.#padding()}`
    const inner = indent + this.#perLevel
    const pairs = entriesByType(entries(map))
    for (const [index, [key, value]] of pairs.entries()) {
      const last = index === pairs.length - 1
      const name = flatRepr(key)
      this.text += `${name}: `
      this.print(value, inner + textLength(name) + 2, last ? allowance + 1 : 1, level)
      if (!last) this.text += `,\n${' '.repeat(inner)}`
    }
    this.text += '}'
  }

  #list(list: readonly Value[], indent: number, allowance: number, level: number): void {
    const tuple = list instanceof Tuple
    const close = tuple ? (list.length === 1 ? ',)' : ')') : ']'
    this.text += `${tuple ? '(' : '['}${this.#padding()}`
    const inner = indent + this.#perLevel
    for (const [index, value] of list.entries()) {
      const last = index === list.length - 1
      if (index > 0) this.text += `,\n${' '.repeat(inner)}`
      this.print(value, inner, last ? allowance + close.length : 1, level)
    }
    this.text += close
  }

  #padding(): string {
    return ' '.repeat(Math.max(this.#perLevel - 1, 0))
  }

  /** A text outside any map or list gets parentheses; its pieces stand one below the other. */
  #string(text: string, indent: number, allowance: number, level: number): void {
    const outermost = level === 1
    const inner = outermost ? indent + 1 : indent
    const pieces = splitText(text, WIDTH - inner, outermost ? allowance + 1 : allowance)
    const joined = pieces.join(`\n${' '.repeat(inner)}`)
    this.text += outermost && pieces.length > 1 ? `(${joined})` : joined
  }
}

function splitText(text: string, width: number, allowance: number): string[] {
  const pieces: string[] = []
  const lines = splitLinesKeepingEnds(text)
  for (const [index, line] of lines.entries()) {
    const lastWidth = index === lines.length - 1 ? width - allowance : width
    const whole = pythonRepr(line)
    if (textLength(whole) <= lastWidth) pieces.push(whole)
    else pieces.push(...splitWords(line, width, lastWidth))
  }
  return pieces
}

function splitWords(line: string, width: number, lastWidth: number): string[] {
  const pieces: string[] = []
  const words = line.match(/\S+\s*|\s+/g) ?? []
  let current = ''
  for (const [index, word] of words.entries()) {
    const room = index === words.length - 1 ? lastWidth : width
    if (textLength(pythonRepr(current + word)) <= room) {
      current += word
    } else {
      if (current !== '') pieces.push(pythonRepr(current))
      current = word
    }
  }
  if (current !== '') pieces.push(pythonRepr(current))
  return pieces
}

/** Python's repr with every map sorted. */
function flatRepr(value: Value): string {
  if (isMap(value)) {
    const items = entriesByType(entries(value)).map(([key, item]) => `${flatRepr(key)}: ${flatRepr(item)}`)
    return `{${items.join(', ')}}`
  }
  if (!isList(value)) return pythonRepr(value)
  const items = value.map(flatRepr).join(', ')
  if (!(value instanceof Tuple)) return `[${items}]`
  return value.length === 1 ? `(${items},)` : `(${items})`
}
