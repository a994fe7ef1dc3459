// The reader behind pythonRegex: walks Python's syntax once and writes JavaScript's, under the `v` flag.
import { BrineError } from '../error.ts'
import { anyCase, DIGIT, escapeLiteral, SPACE, WORD, type WordSet } from './python-regex-class.ts'

/** What Python's inline flags switch. */
export interface RegexFlags {
  readonly ignoreCase: boolean
  readonly multiLine: boolean
  readonly dotAll: boolean
  readonly ascii: boolean
  readonly verbose: boolean
}

const FLAG_NAMES: Readonly<Record<string, keyof RegexFlags>> = {
  i: 'ignoreCase',
  m: 'multiLine',
  s: 'dotAll',
  a: 'ascii',
  x: 'verbose',
}
const QUANTIFIER = /^(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d*)\})/
const END = '(?![\\s\\S])'

/** One pass over one pattern. */
export class RegexReader {
  /** Whether the whole expression ignores case (`(?i)`); scoped flags are spelled out instead. */
  ignoresCase: boolean
  private at = 0
  private groups = 0
  private readonly groupNumbers: number[] = [0]
  private readonly names = new Set<string>()
  /** Whether the latest atom is a place and not a text; such a one cannot be repeated. */
  private anchored = false
  private readonly pattern: string

  private flags: RegexFlags
  constructor(pattern: string, flags: RegexFlags) {
    this.pattern = pattern
    this.flags = flags
    this.ignoresCase = flags.ignoreCase
  }

  /** The JavaScript source. Throws a BrineError `regex`. */
  read(): string {
    this.globalFlags()
    const source = this.alternatives()
    if (this.at < this.pattern.length) throw this.error('unbalanced parenthesis', this.at)
    return source
  }

  private globalFlags(): void {
    const found = /^(?:\(\?([aiLmsux]+)\))+/.exec(this.pattern)
    if (found === null) return
    for (const letter of found[0].replace(/[()?]/g, '')) {
      if (letter === 'L') throw this.error('cannot use LOCALE flag with a str pattern', 0)
      const name = FLAG_NAMES[letter]
      if (name !== undefined) this.flags = { ...this.flags, [name]: true }
    }
    this.ignoresCase = this.flags.ignoreCase
    this.at = found[0].length
  }

  private alternatives(): string {
    let source = ''
    for (;;) {
      source += this.sequence()
      if (this.pattern[this.at] !== '|') return source
      source += '|'
      this.at++
    }
  }

  private sequence(): string {
    let source = ''
    for (;;) {
      const char = this.pattern[this.at]
      if (char === undefined || char === '|' || char === ')') return source
      if (this.flags.verbose && this.skipVerbose(char)) continue
      if (this.pattern.startsWith('(?#', this.at)) {
        this.comment()
        continue
      }
      this.anchored = false
      source += this.quantified(this.atom())
    }
  }

  private skipVerbose(char: string): boolean {
    if (char === '#') {
      const end = this.pattern.indexOf('\n', this.at)
      this.at = end < 0 ? this.pattern.length : end + 1
      return true
    }
    if (!/\s/.test(char)) return false
    this.at++
    return true
  }

  /** Passes comments, and white space where it means nothing, between an atom and its quantifier. */
  private skipBetween(): void {
    for (;;) {
      const char = this.pattern[this.at]
      if (char === undefined) return
      if (this.pattern.startsWith('(?#', this.at)) this.comment()
      else if (!this.flags.verbose || !this.skipVerbose(char)) return
    }
  }

  private comment(): void {
    const end = this.pattern.indexOf(')', this.at)
    if (end < 0) throw this.error('missing ), unterminated comment', this.at)
    this.at = end + 1
  }

  private quantified(atom: string): string {
    const start = this.at
    this.skipBetween()
    const found = QUANTIFIER.exec(this.pattern.slice(this.at, this.at + 24))
    if (found === null) return atom
    if (this.anchored || atom === '') throw this.error('nothing to repeat', start)
    const repeated = /^\(\?<?[=!]/.test(atom) ? `(?:${atom})` : atom
    this.at += found[0].length
    const quantifier = found[0].replace('{,', '{0,')
    const bounds = /^\{(\d+),(\d+)\}$/.exec(quantifier)
    if (bounds !== null && Number(bounds[1]) > Number(bounds[2])) {
      throw this.error('min repeat greater than max repeat', this.at)
    }
    const next = this.pattern[this.at]
    if (next === '?') {
      this.at++
      return `${repeated}${quantifier}?`
    }
    if (next === '+') {
      this.at++
      return this.atomic(`${repeated}${quantifier}`)
    }
    if (next === '*' || (next === '{' && /^\{(?:\d+(?:,\d*)?|,\d*)\}/.test(this.pattern.slice(this.at)))) {
      throw this.error('multiple repeat', this.at)
    }
    return `${repeated}${quantifier}`
  }

  /** An atomic group: a look-ahead captures, a back-reference takes what it captured. */
  private atomic(source: string): string {
    const name = `atomic${this.groups++}`
    return `(?=(?<${name}>${source}))\\k<${name}>`
  }

  private atom(): string {
    const char = this.pattern[this.at] ?? ''
    switch (char) {
      case '(':
        return this.group()
      case '[':
        return this.set()
      case '\\':
        return this.escape()
      case '.':
        this.at++
        return this.flags.dotAll ? '[\\s\\S]' : '[^\\n]'
      case '^':
        this.at++
        this.anchored = true
        return this.flags.multiLine ? '(?<![^\\n])' : '(?<![\\s\\S])'
      case '$':
        this.at++
        this.anchored = true
        return this.flags.multiLine ? `(?=\\n|${END})` : `(?=\\n?${END})`
      case '*':
      case '+':
      case '?':
        throw this.error('nothing to repeat', this.at)
      default: {
        if (QUANTIFIER.test(this.pattern.slice(this.at, this.at + 24))) throw this.error('nothing to repeat', this.at)
        const point = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0)
        this.at += point.length
        return this.literal(point)
      }
    }
  }

  private literal(char: string): string {
    return this.flags.ignoreCase && !this.ignoresCase ? anyCase(char) : escapeLiteral(char)
  }

  private group(): string {
    const start = this.at
    const rest = this.pattern.slice(start)
    const named = /^\(\?P<([^>]*)>/.exec(rest)
    if (named !== null) {
      const name = named[1] ?? ''
      if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) throw this.error(`bad character in group name '${name}'`, start + 4)
      this.names.add(name)
      return this.capture(`(?<${name}>`, start, named[0].length)
    }
    const reference = /^\(\?P=([^)]*)\)/.exec(rest)
    if (reference !== null) {
      if (!this.names.has(reference[1] ?? '')) throw this.error(`unknown group name '${reference[1]}'`, start + 4)
      this.at += reference[0].length
      return `\\k<${reference[1]}>`
    }
    const plain = /^\(\?(?::|=|!|<=|<!|>)/.exec(rest)?.[0]
    if (plain !== undefined) {
      const inner = this.body(start, plain.length, this.flags)
      return plain === '(?>' ? this.atomic(inner) : `${plain}${inner})`
    }
    const scoped = /^\(\?([aiLmsux]*)(?:-([imsx]+))?:/.exec(rest)
    if (scoped !== null) {
      return `(?:${this.body(start, scoped[0].length, this.scope(scoped[1] ?? '', scoped[2] ?? ''))})`
    }
    if (/^\(\?[aiLmsux]+\)/.test(rest)) throw this.error('global flags not at the start of the expression', start)
    if (rest.startsWith('(?(')) {
      throw this.error('conditional groups are not supported; write the two cases as alternatives', start)
    }
    if (rest.startsWith('(?')) throw this.error(`unknown extension ${rest.slice(1, 3)}`, start + 1)
    return this.capture('(', start, 1)
  }

  private capture(open: string, start: number, length: number): string {
    this.groups++
    this.groupNumbers.push(this.groups)
    return `${open}${this.body(start, length, this.flags)})`
  }

  private scope(on: string, off: string): RegexFlags {
    let flags = this.flags
    for (const letter of on) {
      const name = FLAG_NAMES[letter]
      if (name !== undefined) flags = { ...flags, [name]: true }
    }
    for (const letter of off) {
      const name = FLAG_NAMES[letter]
      if (name === 'ignoreCase' && this.ignoresCase) {
        throw this.error('(?-i:…) inside a pattern that ignores case is not supported', this.at)
      }
      if (name !== undefined) flags = { ...flags, [name]: false }
    }
    return flags
  }

  private body(start: number, length: number, flags: RegexFlags): string {
    const before = this.flags
    this.flags = flags
    this.at = start + length
    const inner = this.alternatives()
    this.anchored = false
    if (this.pattern[this.at] !== ')') throw this.error('missing ), unterminated subpattern', start)
    this.at++
    this.flags = before
    return inner
  }

  private escape(): string {
    const start = this.at
    const char = this.pattern[start + 1]
    if (char === undefined) throw this.error('bad escape (end of pattern)', start)
    const set = this.wordSet(char)
    if (set !== undefined) {
      this.at += 2
      return set.negated ? `[^${set.inner}]` : `[${set.inner}]`
    }
    const word = `[${(this.flags.ascii ? WORD.ascii : WORD.unicode).inner}]`
    const anchors: Readonly<Record<string, string>> = {
      A: '(?<![\\s\\S])',
      Z: END,
      b: `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
      B: `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
    }
    const anchor = anchors[char]
    if (anchor !== undefined) {
      this.at += 2
      this.anchored = true
      return anchor
    }
    const reference = /^[1-9]\d?/.exec(this.pattern.slice(start + 1, start + 3))
    if (reference !== null && !/^[0-3]?[0-7]{3}/.test(this.pattern.slice(start + 1, start + 4))) {
      const number = this.groupNumbers[Number(reference[0])]
      if (number === undefined) throw this.error(`invalid group reference ${reference[0]}`, start + 1)
      this.at += 1 + reference[0].length
      return `(?:\\${number})`
    }
    return this.literal(this.escapedChar())
  }

  private wordSet(char: string): (WordSet & { readonly negated: boolean }) | undefined {
    const kinds: Readonly<Record<string, { readonly ascii: WordSet; readonly unicode: WordSet }>> = {
      d: DIGIT,
      s: SPACE,
      w: WORD,
    }
    const kind = kinds[char.toLowerCase()]
    if (kind === undefined) return undefined
    return { ...(this.flags.ascii ? kind.ascii : kind.unicode), negated: char !== char.toLowerCase() }
  }

  /** The character an escape stands for, inside a set and outside. */
  private escapedChar(): string {
    const start = this.at
    const rest = this.pattern.slice(start + 1)
    const hex = /^x([0-9a-fA-F]{2})|^u([0-9a-fA-F]{4})|^U([0-9a-fA-F]{8})/.exec(rest)
    const octal = /^0[0-7]{0,2}|^[0-3][0-7]{2}/.exec(rest)
    if (hex !== null || octal !== null) {
      this.at += 1 + (hex ?? octal ?? [''])[0].length
      const digits = hex === null ? undefined : (hex[1] ?? hex[2] ?? hex[3])
      const code = digits === undefined ? Number.parseInt(octal?.[0] ?? '0', 8) : Number.parseInt(digits, 16)
      if (code > 0x10ffff) throw this.error('bad escape', start)
      return String.fromCodePoint(code)
    }
    const simple: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', a: '\x07' }
    const char = String.fromCodePoint(rest.codePointAt(0) ?? 0)
    const known = simple[char]
    if (known === undefined && /^[a-zA-Z0-9]$/.test(char)) throw this.error(`bad escape \\${char}`, start)
    this.at += 1 + char.length
    return known ?? char
  }

  private set(): string {
    const start = this.at
    this.at++
    const negated = this.pattern[this.at] === '^'
    if (negated) this.at++
    let inner = ''
    for (let first = true; ; first = false) {
      const char = this.pattern[this.at]
      if (char === undefined) throw this.error('unterminated character set', start)
      if (char === ']' && !first) break
      inner += this.setItem(start)
    }
    this.at++
    return `[${negated ? '^' : ''}${inner}]`
  }

  private setItem(start: number): string {
    const low = this.setMember()
    const range = this.pattern[this.at] === '-' && this.pattern[this.at + 1] !== ']'
    if (!range) return low.set ?? this.literal(low.char)
    this.at++
    if (this.at >= this.pattern.length) throw this.error('unterminated character set', start)
    const from = this.at
    const high = this.setMember()
    if (low.set !== undefined || high.set !== undefined) throw this.error('bad character range', from)
    if ((low.char.codePointAt(0) ?? 0) > (high.char.codePointAt(0) ?? 0)) {
      throw this.error(`bad character range ${low.char}-${high.char}`, from - 2)
    }
    const span = `${escapeLiteral(low.char)}-${escapeLiteral(high.char)}`
    if (!this.flags.ignoreCase || this.ignoresCase) return span
    return `${span}${caseOfRange(low.char, high.char)}`
  }

  private setMember(): { readonly char: string; readonly set?: string } {
    const char = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0)
    if (char !== '\\') {
      this.at += char.length
      return { char }
    }
    const next = this.pattern[this.at + 1] ?? ''
    const set = next === '' ? undefined : this.wordSet(next)
    if (set !== undefined) {
      this.at += 2
      return { char, set: `[${set.negated ? '^' : ''}${set.inner}]` }
    }
    if (next === 'b') {
      this.at += 2
      return { char: '\b' }
    }
    return { char: this.escapedChar() }
  }

  private error(reason: string, at: number): BrineError {
    return new BrineError(
      `Invalid regular expression '${this.pattern}': ${reason} at position ${at}. Correct the pattern.`,
      { code: 'regex' },
    )
  }
}

/** The letters of the other case for the ASCII part of a range. */
function caseOfRange(low: string, high: string): string {
  let extra = ''
  for (let code = low.charCodeAt(0); code <= Math.min(high.charCodeAt(0), 0x7a); code++) {
    const char = String.fromCharCode(code)
    const other = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()
    if (/[a-zA-Z]/.test(char)) extra += other
  }
  return extra
}
