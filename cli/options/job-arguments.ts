// The words of a command line as the `arg` of a job.
import type { Value } from '../../core/value/index.ts'
import type { CallWords } from './brine.ts'
import type { ParsedOptions } from './parsed-options.ts'

/** The words of one function as `arg`, keywords last; names in `--no-parse` keep their text. */
async function argumentsOf(words: readonly string[], options: ParsedOptions): Promise<Value[]> {
  if (words.every(isPlain)) return [...words]
  const { parseInput } = await import('../../core/arguments/index.ts')
  return parseInput(words, { noParse: noParseNames(options) })
}

/** The `fun` and `arg` of a job: of a compound command a list of each. */
export async function jobCall(
  call: CallWords,
  options: ParsedOptions,
): Promise<{ readonly fun: string | readonly string[]; readonly arg: Value[] }> {
  if (call.kind === 'single') return { fun: call.fun, arg: await argumentsOf(call.words, options) }
  return { fun: call.fun, arg: await Promise.all(call.words.map((words) => argumentsOf(words, options))) }
}

/** The names of `--no-parse`. */
export function noParseNames(options: ParsedOptions): string[] {
  return (options.text('no_parse') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

const YAML_WORD = /^(?:y(?:es)?|no?|true|false|on|off|null|none)$/i

/** A word YAML would leave as it is, so that most commands start without a YAML reader. */
function isPlain(word: string): boolean {
  return /^[A-Za-z][\w./-]*$/.test(word) && !YAML_WORD.test(word)
}
