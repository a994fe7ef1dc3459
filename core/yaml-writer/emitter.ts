// Writes values as YAML the way libyaml's emitter lays them out under PyYAML's safe_dump.
import { type Dict, entries, isList, isMap, type Mapping, numberOf, type Value } from '../value/index.ts'
import { analyse, type Scalar, scalarOf, styleOf } from './scalar.ts'
import { sortedEntries } from './sorted-entries.ts'

/** How {@link dumpYaml} lays a document out; the defaults are those of Salt's `safe_dump(default_flow_style=False)`. */
export interface YamlOptions {
  /** Spaces a level, 2 to 9. @default 2 */
  readonly indent?: number
  /** `{a: 1}` and `[1]` instead of lines; `leaves`: where they hold no others, as PyYAML does unasked. @default false */
  readonly flow?: boolean | 'leaves'
}

/** A document, ending in a line end. Keys come sorted where they can be compared; lines fold at 80 columns. */
export function dumpYaml(value: Value, options: YamlOptions = {}): string {
  const indent = options.indent ?? 2
  const emitter = new Emitter(indent >= 2 && indent <= 9 ? indent : 2, options.flow ?? false)
  return emitter.document(value)
}

const WIDTH = 80
const LONGEST_SIMPLE_KEY = 128

class Emitter {
  #text = ''
  #column = 0
  #indent = -1
  #flowLevel = 0
  /** The last character written was white space or an indicator that needs none after it. */
  #whitespace = true
  /** Only indentation and indicators so far on this line. */
  #indention = true
  readonly #step: number
  readonly #flow: boolean | 'leaves'

  constructor(step: number, flow: boolean | 'leaves') {
    this.#step = step
    this.#flow = flow
  }

  document(value: Value): string {
    this.#node(value, { key: false, inMap: false })
    return `${this.#text}\n`
  }

  #node(value: Value, place: { key: boolean; inMap: boolean }): void {
    if (isList(value)) this.#list(value, place.inMap)
    else if (isMap(value)) this.#map(value)
    else this.#scalar(scalarOf(value), place.key)
  }

  #list(list: readonly Value[], inMap: boolean): void {
    if (this.#isFlow(list)) {
      this.#flowItems('[', ']', list, (item) => this.#node(item, { key: false, inMap: false }))
      return
    }
    const outer = this.#deeper(false, inMap && !this.#indention)
    for (const item of list) {
      this.#newLine()
      this.#indicator('-', true, true)
      this.#node(item, { key: false, inMap: false })
    }
    this.#indent = outer
  }

  #map(map: Mapping | Dict): void {
    const pairs = sortable(entries(map))
    if (this.#isFlow(pairs.map(([, value]) => value))) {
      this.#flowItems('{', '}', pairs, (pair) => this.#flowPair(pair))
      return
    }
    const outer = this.#deeper(false, false)
    for (const [key, value] of pairs) {
      this.#newLine()
      const simple = isSimpleKey(key)
      if (!simple) this.#indicator('?', true, true)
      this.#node(key, { key: simple, inMap: true })
      if (!simple) this.#newLine()
      this.#indicator(':', !simple, !simple)
      this.#node(value, { key: false, inMap: true })
    }
    this.#indent = outer
  }

  #isFlow(values: readonly Value[]): boolean {
    if (this.#flow === true || this.#flowLevel > 0 || values.length === 0) return true
    return (
      this.#flow === 'leaves' && values.every((value) => !Array.isArray(value) && (value === null || !isMap(value)))
    )
  }

  #flowItems<Item>(open: string, close: string, items: readonly Item[], print: (item: Item) => void): void {
    this.#indicator(open, true, false, true)
    const outer = this.#deeper(true, false)
    this.#flowLevel += 1
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#indicator(',', false, false)
      if (this.#column > WIDTH) this.#newLine()
      print(item)
    }
    this.#flowLevel -= 1
    this.#indent = outer
    this.#indicator(close, false, false)
  }

  #flowPair([key, value]: readonly [Value, Value]): void {
    const simple = isSimpleKey(key)
    if (!simple) this.#indicator('?', true, false)
    this.#node(key, { key: simple, inMap: true })
    if (!simple && this.#column > WIDTH) this.#newLine()
    this.#indicator(':', !simple, false)
    this.#node(value, { key: false, inMap: true })
  }

  #scalar(scalar: Scalar, key: boolean): void {
    const style = styleOf(scalar, analyse(scalar.text), { flow: this.#flowLevel > 0, key })
    const outer = this.#deeper(true, false)
    if (style === 'plain') this.#plain(scalar.text, !key)
    else if (style === 'single') this.#single(scalar.text, !key)
    else this.#double(scalar.text, !key)
    this.#indent = outer
  }

  #plain(text: string, mayFold: boolean): void {
    if (!this.#whitespace && (text !== '' || this.#flowLevel > 0)) this.#put(' ')
    const chars = [...text]
    for (const [index, char] of chars.entries()) {
      const folds = char === ' ' && chars[index - 1] !== ' ' && chars[index + 1] !== ' '
      if (folds && mayFold && this.#column > WIDTH) this.#newLine()
      else this.#put(char)
    }
    this.#afterScalar()
  }

  #single(text: string, mayFold: boolean): void {
    this.#indicator("'", true, false)
    const chars = [...text]
    let breaks = false
    for (const [index, char] of chars.entries()) {
      if (char === ' ') {
        const inside = index > 0 && index < chars.length - 1
        const alone = chars[index - 1] !== ' ' && chars[index + 1] !== ' '
        if (mayFold && inside && alone && this.#column > WIDTH) this.#newLine()
        else this.#put(char)
      } else if (isBreak(char)) {
        if (!breaks && char === '\n') this.#lineEnd()
        this.#lineEnd(char)
        this.#indention = true
        breaks = true
      } else {
        if (breaks) this.#newLine()
        this.#put(char === "'" ? "''" : char)
        this.#indention = false
        breaks = false
      }
    }
    if (breaks) this.#newLine()
    this.#indicator("'", false, false)
    this.#afterScalar()
  }

  #double(text: string, mayFold: boolean): void {
    this.#indicator('"', true, false)
    const chars = [...text]
    let spaces = false
    for (const [index, char] of chars.entries()) {
      if (char !== ' ') {
        this.#put(escaped(char))
        spaces = false
        continue
      }
      const inside = index > 0 && index < chars.length - 1
      if (mayFold && !spaces && inside && this.#column > WIDTH) {
        this.#newLine()
        if (chars[index + 1] === ' ') this.#put('\\')
      } else {
        this.#put(char)
      }
      spaces = true
    }
    this.#indicator('"', false, false)
    this.#afterScalar()
  }

  #afterScalar(): void {
    this.#whitespace = false
    this.#indention = false
  }

  /** Goes a level deeper and answers the level to come back to. */
  #deeper(flow: boolean, indentless: boolean): number {
    const outer = this.#indent
    if (outer < 0) this.#indent = flow ? this.#step : 0
    else if (!indentless) this.#indent = outer + this.#step
    return outer
  }

  #indicator(text: string, needsSpace: boolean, keepsIndention: boolean, isSpace = false): void {
    if (needsSpace && !this.#whitespace) this.#put(' ')
    this.#put(text)
    this.#whitespace = isSpace
    this.#indention = this.#indention && keepsIndention
  }

  #newLine(): void {
    const indent = Math.max(this.#indent, 0)
    if (!this.#indention || this.#column > indent || (this.#column === indent && !this.#whitespace)) this.#lineEnd()
    if (this.#column < indent) this.#put(' '.repeat(indent - this.#column))
    this.#whitespace = true
    this.#indention = true
  }

  #put(text: string): void {
    this.#text += text
    this.#column += [...text].length
  }

  #lineEnd(char = '\n'): void {
    this.#text += char
    this.#column = 0
  }
}

function sortable(pairs: [Value, Value][]): readonly (readonly [Value, Value])[] {
  const texts = pairs.every(([key]) => typeof key === 'string')
  return texts || pairs.every(([key]) => numberOf(key) !== undefined) ? sortedEntries(pairs) : pairs
}

function isSimpleKey(key: Value): boolean {
  if (isList(key)) return key.length === 0
  if (isMap(key)) return entries(key).length === 0
  const { text } = scalarOf(key)
  return Buffer.byteLength(text) <= LONGEST_SIMPLE_KEY && !analyse(text).multiline
}

function isBreak(char: string): boolean {
  return char === '\n' || char === '\r' || char === '\u0085' || char === '\u2028' || char === '\u2029'
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u00a0': '\\_',
  '\u2028': '\\L',
  '\u2029': '\\P',
}

/** No-break space is printable and stays; astral characters are not, for libyaml. */
function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0
  const plain = code === 0xa0 || (isPrintable(code) && char !== '"' && char !== '\\' && !isBreak(char))
  if (plain) return char
  const hex = code.toString(16).toUpperCase()
  if (code > 0xffff) return ESCAPES[char] ?? `\\U${hex.padStart(8, '0')}`
  return ESCAPES[char] ?? (code > 0xff ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`)
}

function isPrintable(code: number): boolean {
  return analyse(String.fromCodePoint(code)).printable
}
