// Parses a command line by optparse's rules: options anywhere, `--` ends them, long ones may be shortened.
import { answer, type Ending, usageError } from './ending.ts'
import { nearest } from './nearest.ts'
import { allOptions, type CommandSpec, type OptionSpec, type OptionValue, takesValue } from './option.ts'
import { ParsedOptions } from './parsed-options.ts'

/** What a command knows about itself and its terminal. */
export interface ParseContext {
  readonly version: string
  /** Columns that help may use. @default 80 */
  readonly columns?: number
  /** What `--versions-report` prints. @default the version */
  readonly versionsReport?: () => string
  /** The lines of standard input, read for `--args-stdin`. @default none */
  readonly stdinLines?: () => readonly string[]
}

/** A command line that was understood. */
export interface ParsedCommand {
  readonly kind: 'parsed'
  readonly options: ParsedOptions
  /** What is no option, in order. */
  readonly args: readonly string[]
}

/** Parses the words after the command's name. `help` is loaded only when it is asked for. */
export async function parseCommand(
  spec: CommandSpec,
  argv: readonly string[],
  context: ParseContext,
): Promise<ParsedCommand | Ending> {
  const parser = new Parser(spec)
  const first = parser.read(argv)
  const end = first ?? (parser.flag('args_stdin') ? parser.read(context.stdinLines?.() ?? []) : undefined)
  if (end === undefined) {
    if (parser.flag('versions_report')) return answer(`${context.versionsReport?.() ?? context.version}\n`)
    return parser.result()
  }
  if (end === 'version') return answer(`${spec.name} ${context.version}\n`)
  if (end !== 'help') return end
  const { helpText } = await import('./help.ts')
  return answer(helpText(spec, context.columns))
}

class Parser {
  readonly #spec: CommandSpec
  readonly #byFlag = new Map<string, OptionSpec>()
  readonly #values = new Map<string, OptionValue>()
  readonly #explicit = new Set<string>()
  readonly #args: string[] = []

  constructor(spec: CommandSpec) {
    this.#spec = spec
    for (const option of allOptions(spec)) {
      for (const flag of option.flags) this.#byFlag.set(flag, option)
      if (option.default !== undefined) this.#values.set(option.dest, option.default)
    }
  }

  flag(dest: string): boolean {
    return this.#values.get(dest) === true
  }

  result(): ParsedCommand {
    return { kind: 'parsed', options: new ParsedOptions(this.#values, this.#explicit), args: this.#args }
  }

  /** Reads words; answers how the command ends, `undefined` where it goes on. */
  read(argv: readonly string[]): Ending | 'help' | 'version' | undefined {
    const rest = [...argv]
    for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
      if (word === '--') {
        this.#args.push(...rest)
        return undefined
      }
      if (word === '-' || !word.startsWith('-')) {
        this.#args.push(word)
        continue
      }
      const end = word.startsWith('--') ? this.#long(word, rest) : this.#short(word, rest)
      if (end !== undefined) return end
    }
    return undefined
  }

  #long(word: string, rest: string[]): Ending | 'help' | 'version' | undefined {
    const equals = word.indexOf('=')
    const typed = equals < 0 ? word : word.slice(0, equals)
    const value = equals < 0 ? undefined : word.slice(equals + 1)
    const flag = this.#complete(typed)
    if (typeof flag !== 'string') return flag
    const option = this.#byFlag.get(flag)
    if (option === undefined) return this.#unknown(typed)
    if (takesValue(option)) return this.#take(option, flag, value ?? rest.shift())
    if (value !== undefined) return usageError(this.#spec, `${flag} option does not take a value`)
    return this.#act(option)
  }

  /** The long option a word stands for: itself, or the only one that begins with it. */
  #complete(typed: string): string | Ending {
    if (this.#byFlag.has(typed)) return typed
    const refused = this.#refusal(typed)
    if (refused !== undefined) return refused
    const found = [...this.#byFlag.keys()].filter((flag) => flag.startsWith(typed)).sort()
    if (found.length === 1) return found[0] ?? typed
    if (found.length === 0) return this.#unknown(typed)
    return usageError(this.#spec, `ambiguous option: ${typed} (${found.join(', ')}?)`)
  }

  /** One dash: a cluster of flags, the last of which may take the rest as its value. */
  #short(word: string, rest: string[]): Ending | 'help' | 'version' | undefined {
    for (let at = 1; at < word.length; at++) {
      const flag = `-${word[at]}`
      const option = this.#byFlag.get(flag)
      if (option === undefined) return this.#refusal(flag) ?? this.#unknown(flag)
      if (takesValue(option)) return this.#take(option, flag, at + 1 < word.length ? word.slice(at + 1) : rest.shift())
      const end = this.#act(option)
      if (end !== undefined) return end
    }
    return undefined
  }

  #act(option: OptionSpec): 'help' | 'version' | undefined {
    if (option.kind === 'help' || option.kind === 'version') return option.kind
    this.#set(option, option.kind !== 'unset')
    return undefined
  }

  #take(option: OptionSpec, flag: string, text: string | undefined): Ending | undefined {
    if (text === undefined) return usageError(this.#spec, `${flag} option requires 1 argument`)
    if (option.refusedValues?.values.includes(text))
      return usageError(this.#spec, `option ${flag}: '${text}' is not supported: ${option.refusedValues.reason}`)
    const wrong = (what: string): Ending => usageError(this.#spec, `option ${flag}: ${what}`)
    if (option.kind === 'integer' || option.kind === 'number') {
      const value = option.kind === 'integer' ? readInteger(text) : readNumber(text)
      const kind = option.kind === 'integer' ? 'integer' : 'floating-point'
      if (value === undefined) return wrong(`invalid ${kind} value: '${text}'`)
      this.#set(option, value)
    } else if (option.kind === 'choice' && !(option.choices ?? []).includes(text)) {
      return wrong(`invalid choice: '${text}' (choose from ${(option.choices ?? []).map((c) => `'${c}'`).join(', ')})`)
    } else if (option.kind === 'append') {
      const before = this.#values.get(option.dest)
      this.#set(option, [...(Array.isArray(before) ? before : []), text])
    } else {
      this.#set(option, text)
    }
    return undefined
  }

  #set(option: OptionSpec, value: OptionValue): void {
    this.#values.set(option.dest, value)
    this.#explicit.add(option.dest)
  }

  #refusal(flag: string): Ending | undefined {
    const refused = this.#spec.refused.find((option) => option.flags.includes(flag))
    return refused && usageError(this.#spec, `${flag} is not supported: ${refused.reason}`)
  }

  #unknown(typed: string): Ending {
    const meant = typed.startsWith('--') ? nearest(typed, this.#byFlag.keys()) : undefined
    return usageError(
      this.#spec,
      `no such option: ${typed}`,
      meant === undefined ? undefined : `Did you mean ${meant}?`,
    )
  }
}

/** As optparse reads one: `0x1f`, `0b11` and a leading zero for octal are understood. */
function readInteger(text: string): number | undefined {
  const [, sign = '', digits = ''] = /^\s*([-+]?)(\w+)\s*$/.exec(text) ?? []
  if (/^0x[0-9a-f]+$|^0b[01]+$/i.test(digits) && sign === '') return Number(digits)
  if (/^0[0-7]*$/.test(digits) && sign === '') return Number.parseInt(digits, 8)
  return /^\d+$/.test(digits) && (sign !== '' || !digits.startsWith('0')) ? Number(sign + digits) : undefined
}

function readNumber(text: string): number | undefined {
  const value = Number(text)
  return text.trim() === '' || Number.isNaN(value) ? undefined : value
}
