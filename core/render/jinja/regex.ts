// Python's regular expressions as templates use them: compiled once, matched in counted steps.
import { type Datum, textOf, typeName } from './datum.ts'
import { typeError } from './python-error.ts'
import { Matcher } from './regex/matcher.ts'
import { parseRegex } from './regex/parser.ts'
import { compileRegex, type RegexProgram } from './regex/program.ts'
import type { Run } from './run.ts'

/** Where the expression has to match: `re.match`, `re.search`, `re.fullmatch`. */
export type Anchor = 'match' | 'search' | 'fullmatch'

/** A match: the texts of the whole and of the groups, and where the whole stands in code points. */
export interface RegexMatch {
  readonly groups: readonly (string | undefined)[]
  readonly start: number
  readonly end: number
}

const cache = new Map<string, RegexProgram>()
const MAX_CACHED = 500

/** A compiled expression. */
class Regex {
  readonly program: RegexProgram
  constructor(program: RegexProgram) {
    this.program = program
  }

  /** The first match, `undefined` where there is none. */
  exec(text: string, anchor: Anchor, run: Run): RegexMatch | undefined {
    const chars = Array.from(text)
    return this.find(chars, codesOf(chars), 0, anchor, false, run)
  }

  private find(
    chars: readonly string[],
    codes: readonly number[],
    from: number,
    anchor: Anchor,
    nonEmpty: boolean,
    run: Run,
  ): RegexMatch | undefined {
    const matcher = new Matcher(this.program, codes, (steps) => run.charge(steps))
    const last = anchor === 'search' ? codes.length : from
    for (let start = from; start <= last; start++) {
      const slots = matcher.matchAt(start, nonEmpty && start === from, anchor === 'fullmatch')
      if (slots === undefined) continue
      const groups: (string | undefined)[] = []
      for (let slot = 0; slot < slots.length; slot += 2) {
        const begin = slots[slot] ?? -1
        const end = slots[slot + 1] ?? -1
        groups.push(begin < 0 || end < 0 ? undefined : chars.slice(begin, end).join(''))
      }
      return { groups, start, end: slots[1] ?? start }
    }
    return undefined
  }

  /** The text with every match replaced, as `re.sub`. */
  replace(text: string, replacement: (match: RegexMatch) => string, run: Run): string {
    const chars = Array.from(text)
    const codes = codesOf(chars)
    let result = ''
    let from = 0
    let nonEmpty = false
    for (;;) {
      const match = this.find(chars, codes, from, 'search', nonEmpty, run)
      if (match === undefined) return result + chars.slice(from).join('')
      result += chars.slice(from, match.start).join('') + replacement(match)
      run.charge(1)
      from = match.end
      nonEmpty = match.start === match.end
    }
  }
}

function codesOf(chars: readonly string[]): number[] {
  return chars.map((char) => char.codePointAt(0) ?? 0)
}

/** The expression. Throws Python's `re.error`. */
export function regexOf(pattern: Datum, ignoreCase: boolean, multiLine: boolean, run: Run): Regex {
  const source = textOf(pattern)
  if (source === undefined)
    throw typeError(`first argument must be string or compiled pattern, not ${typeName(pattern)}`)
  run.charge(1)
  const key = `${ignoreCase ? 'i' : ''}${multiLine ? 'm' : ''}/${source}`
  const known = cache.get(key)
  if (known !== undefined) return new Regex(known)
  const flags = { ignoreCase, multiLine, dotAll: false, ascii: false, verbose: false }
  const program = compileRegex(parseRegex(source, flags))
  if (cache.size >= MAX_CACHED) cache.clear()
  if (source.length < 1000) cache.set(key, program)
  return new Regex(program)
}
