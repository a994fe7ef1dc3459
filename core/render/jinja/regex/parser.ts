// Reads Python's regular expressions, with Python's complaints.
import { PythonError } from '../python-error.ts'
import { anyCase, classEscape, literalTest } from './char-class.ts'
import { type Assertion, type CharTest, type ParsedRegex, type RegexNode, type RepeatMode, widthOf } from './node.ts'

/** What `re.I`, `re.M`, `re.S`, `re.A` and `re.X` switch. */
export interface RegexFlags {
  readonly ignoreCase: boolean
  readonly multiLine: boolean
  readonly dotAll: boolean
  readonly ascii: boolean
  readonly verbose: boolean
}

const FLAGS: Readonly<Record<string, keyof RegexFlags | undefined>> = {
  i: 'ignoreCase',
  m: 'multiLine',
  s: 'dotAll',
  a: 'ascii',
  x: 'verbose',
  u: undefined,
  L: undefined,
}
const CONTROLS: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 }
const MAX_DEPTH = 200
const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u
/** Python's limit of a repetition. */
const MAX_REPEAT = 4294967295

/** The tree of an expression. Throws Python's `re.error`. */
export function parseRegex(pattern: string, flags: RegexFlags): ParsedRegex {
  const leading = LEADING.exec(pattern)?.[0] ?? ''
  return new Parser(pattern, { ...flags, ...leadingFlags(leading) }, Array.from(leading).length).whole()
}

/** Global flags stand at the beginning and hold for all. */
function leadingFlags(leading: string): Partial<RegexFlags> {
  const found: Record<string, boolean> = {}
  for (const [, letters = ''] of leading.matchAll(/\(\?(?:#[^)]*|([aiLmsux]+))\)/g)) {
    for (const letter of letters) {
      const name = FLAGS[letter]
      if (name !== undefined) found[name] = true
    }
  }
  return found
}

/** Flags and comments at the beginning. */
const LEADING = /^(?:\(\?(?:#[^)]*|[aiLmsux]+)\))*/

class Parser {
  private readonly chars: readonly string[]
  private at = 0
  private depth = 0
  private groups = 0
  private readonly open = new Set<number>()
  private readonly names = new Map<string, number>()
  /** Groups that conditions ask for, and where; they may come later. */
  private readonly conditions = new Map<number, number>()
  private flags: RegexFlags
  private readonly leading: number

  constructor(pattern: string, flags: RegexFlags, leading: number) {
    this.chars = Array.from(pattern)
    this.leading = leading
    this.flags = flags
  }

  whole(): ParsedRegex {
    const root = this.choice()
    if (this.at < this.chars.length) throw this.error('unbalanced parenthesis', this.at)
    for (const [group, at] of this.conditions) {
      if (group > this.groups) throw this.error(`invalid group reference ${group}`, at)
    }
    return { root, groups: this.groups, names: this.names }
  }

  private error(message: string, at: number): PythonError {
    const line = this.chars.slice(0, at).filter((char) => char === '\n').length + 1
    const column = at - (at === 0 ? -1 : this.chars.lastIndexOf('\n', at - 1))
    const place = this.chars.includes('\n') ? ` (line ${line}, column ${column})` : ''
    return new PythonError('re.error', `${message} at position ${at}${place}`)
  }

  private peek(): string | undefined {
    return this.chars[this.at]
  }

  private take(text: string): boolean {
    for (let index = 0; index < text.length; index++) if (this.chars[this.at + index] !== text[index]) return false
    this.at += text.length
    return true
  }

  private choice(): RegexNode {
    if (++this.depth > MAX_DEPTH) throw new PythonError('RecursionError', 'maximum recursion depth exceeded')
    const options = [this.sequence()]
    while (this.take('|')) options.push(this.sequence())
    this.depth--
    const [only] = options
    return only !== undefined && options.length === 1 ? only : { kind: 'choice', options }
  }

  private sequence(): RegexNode {
    const items: RegexNode[] = []
    for (let char = this.peek(); char !== undefined && char !== '|' && char !== ')'; char = this.peek()) {
      if (this.flags.verbose && this.skipVerbose(char)) continue
      const repeated = this.repeat(items.at(-1))
      if (repeated !== undefined) {
        items[items.length - 1] = repeated
        continue
      }
      const item = this.atom()
      if (item !== undefined) items.push(item)
    }
    return { kind: 'sequence', items }
  }

  private skipVerbose(char: string): boolean {
    if (char === '#') {
      while (this.at < this.chars.length && this.peek() !== '\n') this.at++
      return true
    }
    if (!/[ \t\n\r\v\f]/.test(char)) return false
    this.at++
    return true
  }

  /** The last item repeated, where a quantifier stands. */
  private repeat(item: RegexNode | undefined): RegexNode | undefined {
    const { at } = this
    const quantifier = this.quantifier()
    if (quantifier === undefined) return undefined
    if (item === undefined || item.kind === 'assert') throw this.error('nothing to repeat', at)
    if (item.kind === 'repeat') throw this.error('multiple repeat', at)
    const { min, max } = quantifier
    const mode: RepeatMode = this.take('?') ? 'lazy' : this.take('+') ? 'possessive' : 'greedy'
    return { kind: 'repeat', body: item, min, max, mode }
  }

  /** `*`, `+`, `?` or `{m,n}`, where one stands. */
  private quantifier(): { min: number; max: number } | undefined {
    const at = this.at
    if (this.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
    if (this.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
    if (this.take('?')) return { min: 0, max: 1 }
    const match = /^\{(\d*)(?:(,)(\d*))?\}/.exec(this.chars.slice(at, at + 24).join(''))
    if (match === null) return undefined
    const [all, low = '', comma, high = ''] = match
    if (low === '' && comma === undefined) return undefined
    this.at += all.length
    const min = low === '' ? 0 : Number(low)
    const max = comma === undefined ? min : high === '' ? Number.POSITIVE_INFINITY : Number(high)
    if (min >= MAX_REPEAT || (Number.isFinite(max) && max >= MAX_REPEAT)) {
      throw new PythonError('OverflowError', 'the repetition number is too large')
    }
    if (max < min) throw this.error('min repeat greater than max repeat', at + 1)
    return { min, max }
  }

  /** One atom; `undefined` for what takes nothing, such as a comment or flags. */
  private atom(): RegexNode | undefined {
    const start = this.at
    const char = this.chars[this.at++] ?? ''
    switch (char) {
      case '.':
        return { kind: 'char', test: this.flags.dotAll ? () => true : (code) => code !== 10 }
      case '^':
        return this.assertion(this.flags.multiLine ? 'lineStart' : 'start')
      case '$':
        return this.assertion(this.flags.multiLine ? 'lineEnd' : 'end')
      case '(':
        return this.group(start)
      case '[':
        return { kind: 'char', test: this.set(start) }
      case '\\':
        return this.escape(start)
      default:
        return { kind: 'char', test: literalTest(char.codePointAt(0) ?? 0, this.flags.ignoreCase) }
    }
  }

  private assertion(what: Assertion): RegexNode {
    return { kind: 'assert', what, ascii: this.flags.ascii }
  }

  private group(start: number): RegexNode | undefined {
    if (!this.take('?')) return this.capture(start, undefined)
    const flags = this.flags
    if (this.take(':')) return this.closed(start, flags)
    if (this.take('>')) return { kind: 'atomic', body: this.closed(start, flags) }
    if (this.take('=')) return { kind: 'look', body: this.closed(start, flags), behind: false, negative: false }
    if (this.take('!')) return { kind: 'look', body: this.closed(start, flags), behind: false, negative: true }
    if (this.take('<=')) return this.behind(start, false)
    if (this.take('<!')) return this.behind(start, true)
    if (this.take('P<')) return this.capture(start, this.name('>'))
    if (this.take('P=')) return this.namedReference()
    if (this.take('#')) return this.comment(start)
    if (this.take('(')) return this.condition(start)
    return this.scopedFlags(start)
  }

  private closed(start: number, flags: RegexFlags): RegexNode {
    const body = this.choice()
    if (!this.take(')')) throw this.error('missing ), unterminated subpattern', start)
    this.flags = flags
    return body
  }

  private behind(start: number, negative: boolean): RegexNode {
    const body = this.closed(start, this.flags)
    if (widthOf(body) === undefined) throw new PythonError('re.error', 'look-behind requires fixed-width pattern')
    return { kind: 'look', body, behind: true, negative }
  }

  private capture(start: number, name: string | undefined): RegexNode {
    const index = ++this.groups
    if (name !== undefined) {
      const known = this.names.get(name)
      if (known !== undefined) {
        throw this.error(`redefinition of group name '${name}' as group ${index}; was group ${known}`, start + 4)
      }
      this.names.set(name, index)
    }
    this.open.add(index)
    const body = this.closed(start, this.flags)
    this.open.delete(index)
    return { kind: 'group', index, body }
  }

  private name(end: string): string {
    const start = this.at
    let name = ''
    for (let char = this.peek(); char !== end; char = this.peek()) {
      if (char === undefined) throw this.error(`missing ${end}, unterminated name`, start)
      name += char
      this.at++
    }
    this.at++
    if (name === '') throw this.error('missing group name', start)
    if (end === '>' && !IDENTIFIER.test(name)) {
      throw this.error(`bad character in group name '${name}'`, start)
    }
    return name
  }

  private namedReference(): RegexNode {
    const start = this.at
    const name = this.name(')')
    const group = this.names.get(name)
    if (group === undefined) throw this.error(`unknown group name '${name}'`, start)
    if (this.open.has(group)) throw this.error('cannot refer to an open group', start)
    return { kind: 'reference', group, ignoreCase: this.flags.ignoreCase }
  }

  private comment(start: number): undefined {
    while (this.peek() !== ')') {
      if (this.at >= this.chars.length) throw this.error('missing ), unterminated comment', start)
      this.at++
    }
    this.at++
    return undefined
  }

  private condition(start: number): RegexNode {
    const at = this.at
    const name = this.name(')')
    const isNumber = /^\d+$/.test(name)
    if (!isNumber && !IDENTIFIER.test(name)) throw this.error(`bad character in group name '${name}'`, at)
    const group = isNumber ? Number(name) : this.names.get(name)
    if (group === undefined) throw this.error(`unknown group name '${name}'`, at)
    if (group === 0) throw this.error('bad group number', at)
    if (!this.conditions.has(group)) this.conditions.set(group, at)
    const { flags } = this
    const yes = this.sequence()
    const no: RegexNode = this.take('|') ? this.sequence() : { kind: 'sequence', items: [] }
    if (this.peek() === '|') throw this.error('conditional backref with more than two branches', this.at)
    if (!this.take(')')) throw this.error('missing ), unterminated subpattern', start)
    this.flags = flags
    return { kind: 'condition', group, yes, no }
  }

  private scopedFlags(start: number): RegexNode | undefined {
    const at = this.at
    const match = /^([aiLmsux]*)(?:-([imsx]+))?([:)])/.exec(this.chars.slice(at, at + 24).join(''))
    const [all = '', on = '', off = '', end] = match ?? []
    if (match === null || (on === '' && off === '') || (end === ')' && off !== '')) {
      const char = this.chars[at]
      if (char === undefined) throw this.error('unexpected end of pattern', at)
      const shown = char === 'P' || char === '<' || char === '\\' ? char + (this.chars[at + 1] ?? '') : char
      throw this.error(`unknown extension ?${shown}`, start + 1)
    }
    this.at += all.length
    if (end === ')') {
      if (start >= this.leading) throw this.error('global flags not at the start of the expression', start)
      return undefined
    }
    const outer = this.flags
    const changed: Record<string, boolean> = {}
    for (const letter of on) if (FLAGS[letter] !== undefined) changed[FLAGS[letter] ?? ''] = true
    for (const letter of off) if (FLAGS[letter] !== undefined) changed[FLAGS[letter] ?? ''] = false
    this.flags = { ...outer, ...changed }
    return this.closed(start, outer)
  }

  private escape(start: number): RegexNode {
    const letter = this.chars[this.at]
    if (letter === undefined) throw this.error('bad escape (end of pattern)', start)
    const { ascii, ignoreCase } = this.flags
    const test = classEscape(letter, ascii)
    if (test !== undefined) {
      this.at++
      return { kind: 'char', test }
    }
    const assertions: Readonly<Record<string, Assertion>> = {
      A: 'start',
      Z: 'textEnd',
      b: 'boundary',
      B: 'notBoundary',
    }
    const what = Object.hasOwn(assertions, letter) ? assertions[letter] : undefined
    if (what !== undefined) {
      this.at++
      return this.assertion(what)
    }
    const digits = /^[1-9][0-9]?/.exec(this.chars.slice(this.at, this.at + 2).join(''))
    const octal = /^[0-7]{3}/.test(this.chars.slice(this.at, this.at + 3).join(''))
    if (digits !== null && !octal) {
      const group = Number(digits[0])
      this.at += digits[0].length
      if (group > this.groups) throw this.error(`invalid group reference ${group}`, start + 1)
      if (this.open.has(group)) throw this.error('cannot refer to an open group', start)
      return { kind: 'reference', group, ignoreCase }
    }
    return { kind: 'char', test: literalTest(this.codeEscape(start, false), ignoreCase) }
  }

  /** An escape that stands for one character. */
  private codeEscape(start: number, inSet: boolean): number {
    const letter = this.chars[this.at++] ?? ''
    const digits = this.chars.slice(this.at - 1, this.at + 2).join('')
    const octal = (inSet ? /^[0-7]{1,3}/ : /^(?:0[0-7]{0,2}|[0-7]{3})/).exec(digits)
    if (octal !== null) {
      this.at += octal[0].length - 1
      const code = Number.parseInt(octal[0], 8)
      if (code > 0o377) throw this.error(`octal escape value \\${octal[0]} outside of range 0-0o377`, start)
      return code
    }
    const width = { x: 2, u: 4, U: 8 }[letter]
    if (width !== undefined) {
      const hex = this.chars.slice(this.at, this.at + width).join('')
      const read = /^[0-9a-fA-F]*/.exec(hex)?.[0] ?? ''
      if (read.length < width) throw this.error(`incomplete escape \\${letter}${read}`, start)
      this.at += width
      const code = Number.parseInt(hex, 16)
      if (code > 0x10ffff) throw this.error(`bad escape \\${letter}${hex}`, start)
      return code
    }
    if ((letter !== 'b' || inSet) && Object.hasOwn(CONTROLS, letter)) return CONTROLS[letter] ?? 0
    if (/^[A-Za-z0-9]$/.test(letter)) throw this.error(`bad escape \\${letter}`, start)
    return letter.codePointAt(0) ?? 0
  }

  private set(start: number): CharTest {
    const negative = this.take('^')
    const tests: CharTest[] = []
    const first = this.at
    for (;;) {
      const char = this.peek()
      if (char === undefined) throw this.error('unterminated character set', start)
      if (char === ']' && this.at > first) break
      const itemStart = this.at
      const low = this.setItem(itemStart)
      if (this.peek() === '-' && this.chars[this.at + 1] !== ']' && this.chars[this.at + 1] !== undefined) {
        this.at++
        const high = this.setItem(this.at)
        const shown = this.chars.slice(itemStart, this.at).join('')
        if (typeof low !== 'number' || typeof high !== 'number' || high < low) {
          throw this.error(`bad character range ${shown}`, itemStart)
        }
        tests.push((code) => code >= low && code <= high)
      } else tests.push(typeof low === 'number' ? (code) => code === low : low)
    }
    this.at++
    const any = anyCase((code) => tests.some((test) => test(code)), this.flags.ignoreCase)
    return negative ? (code) => !any(code) : any
  }

  private setItem(start: number): number | CharTest {
    const char = this.chars[this.at++] ?? ''
    if (char !== '\\') return char.codePointAt(0) ?? 0
    const letter = this.chars[this.at]
    if (letter === undefined) throw this.error('bad escape (end of pattern)', start)
    const test = classEscape(letter, this.flags.ascii)
    if (test === undefined) return this.codeEscape(start, true)
    this.at++
    return test
  }
}
