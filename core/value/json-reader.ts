// The lossless JSON reader behind parseJson: slower than JSON.parse, keeps numbers and key order, errors as Python's.
import { BrineError } from '../error.ts'
import { Dict, float, integer, type Mapping, needsDict, type Value } from './value.ts'

const QUOTE = 0x22
const COLON = 0x3a
const BRACE = 0x7b
const BRACKET = 0x5b

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y
const CONSTANTS: readonly (readonly [string, Value])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]
/** Python reads no longer integers; reading them takes time that grows with the square of their length. */
const LONGEST_INTEGER = 4300
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Reads one JSON document. Throws a BrineError `json` whose message ends as Python's: `line 1 column 2 (char 1)`. */
export function parseJsonExactly(text: string, maxDepth: number): Value {
  const reader = new Reader(text, maxDepth)
  return reader.document()
}

/** Cheap, and true for every key that {@link needsDict} is true for. */
function mightNeedDict(key: string): boolean {
  const code = key.charCodeAt(0)
  return (code >= 0x30 && code <= 0x39) || code === 0x5f
}

class Reader {
  private at = 0
  private depth = 0
  private readonly text: string
  private readonly maxDepth: number
  constructor(text: string, maxDepth: number) {
    this.text = text
    this.maxDepth = maxDepth
  }

  document(): Value {
    if (this.text.charCodeAt(0) === 0xfeff) throw this.error('Unexpected UTF-8 BOM', 0)
    this.space()
    const value = this.value()
    this.space()
    if (this.at < this.text.length) throw this.error('Extra data', this.at)
    return value
  }

  private value(): Value {
    const code = this.text.charCodeAt(this.at)
    if (code === QUOTE) return this.string()
    if (code === BRACE || code === BRACKET) {
      if (++this.depth > this.maxDepth) throw this.error(`Nested deeper than ${this.maxDepth}`, this.at)
      const value = code === BRACE ? this.map() : this.list()
      this.depth--
      return value
    }
    return this.scalar()
  }

  private scalar(): Value {
    if (this.text.charCodeAt(this.at) > 0x39) return this.word()
    NUMBER.lastIndex = this.at
    const found = NUMBER.exec(this.text)
    if (found !== null) {
      this.at += found[0].length
      if (found[1] !== undefined || found[2] !== undefined) return float(Number(found[0]))
      if (found[0].length > LONGEST_INTEGER) throw this.error(`Integer of more than ${LONGEST_INTEGER} digits`, this.at)
      const number = Number(found[0])
      return Number.isSafeInteger(number) ? number + 0 : integer(BigInt(found[0]))
    }
    return this.word()
  }

  private word(): Value {
    for (const [word, value] of CONSTANTS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length
        return value
      }
    }
    throw this.error('Expecting value', this.at)
  }

  private list(): Value {
    const items: Value[] = []
    this.at++
    this.space()
    if (this.text[this.at] === ']') {
      this.at++
      return items
    }
    for (;;) {
      items.push(this.value())
      this.space()
      const char = this.text[this.at]
      this.at++
      if (char === ']') return items
      if (char !== ',') throw this.error("Expecting ',' delimiter", this.at - 1)
      this.space()
    }
  }

  private map(): Value {
    this.at++
    this.space()
    if (this.text[this.at] === '}') {
      this.at++
      return {}
    }
    const map: Mapping = {}
    let dict: Dict | undefined
    for (;;) {
      if (this.text.charCodeAt(this.at) !== QUOTE) {
        throw this.error('Expecting property name enclosed in double quotes', this.at)
      }
      const key = this.string()
      this.space()
      if (this.text.charCodeAt(this.at) !== COLON) throw this.error("Expecting ':' delimiter", this.at)
      this.at++
      this.space()
      const value = this.value()
      if (dict === undefined && mightNeedDict(key) && needsDict(key)) dict = new Dict(Object.entries(map))
      if (dict === undefined) map[key] = value
      else dict.set(key, value)
      this.space()
      const char = this.text[this.at]
      this.at++
      if (char === '}') return dict ?? map
      if (char !== ',') throw this.error("Expecting ',' delimiter", this.at - 1)
      this.space()
    }
  }

  private string(): string {
    const start = this.at
    let result = ''
    let from = start + 1
    for (let index = from; index < this.text.length; index++) {
      const code = this.text.charCodeAt(index)
      if (code === 0x22) {
        this.at = index + 1
        return result + this.text.slice(from, index)
      }
      if (code < 0x20) throw this.error('Invalid control character at', index)
      if (code === 0x5c) {
        result += this.text.slice(from, index)
        const [char, length] = this.escape(index + 1, start)
        result += char
        index += length
        from = index + 1
      }
    }
    throw this.error('Unterminated string starting at', start)
  }

  private escape(at: number, start: number): [string, number] {
    const char = this.text[at]
    if (char === undefined) throw this.error('Unterminated string starting at', start)
    if (char === 'u') {
      const hex = this.text.slice(at + 1, at + 5)
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.error('Invalid \\uXXXX escape', at)
      return [String.fromCharCode(Number.parseInt(hex, 16)), 5]
    }
    const simple = Object.hasOwn(SIMPLE_ESCAPES, char) ? SIMPLE_ESCAPES[char] : undefined
    if (simple === undefined) throw this.error('Invalid \\escape', at - 1)
    return [simple, 1]
  }

  private space(): void {
    let code = this.text.charCodeAt(this.at)
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = this.text.charCodeAt(++this.at)
  }

  private error(what: string, at: number): BrineError {
    const before = this.text.slice(0, at)
    const line = before.split('\n').length
    const column = at - before.lastIndexOf('\n')
    return new BrineError(`${what}: line ${line} column ${column} (char ${at})`, { code: 'json' })
  }
}
