// What can be completed after each program's name: its options, as its own tables have them, and its words.
import { BRINE } from '../options/brine.ts'
import { BRINE_CALL } from '../options/brine-call.ts'
import { BRINE_CLOUD } from '../options/brine-cloud.ts'
import { BRINE_KEY } from '../options/brine-key.ts'
import { BRINE_RUN } from '../options/brine-run.ts'
import { BRINE_MASTER, BRINE_MINION } from '../options/daemons.ts'
import { helpOf } from '../options/help.ts'
import { allOptions, type CommandSpec, type OptionSpec, takesValue } from '../options/option.ts'
import { OUTPUTTERS } from '../output/choose.ts'

/** What a word may be: from a list made with the script, or asked of the master when it is typed. */
export type WordKind = 'minion' | 'pending' | 'execution' | 'runner' | 'folder' | 'file' | 'nothing' | readonly string[]

/** One program. */
export interface Program {
  readonly name: string
  readonly options: readonly CompletedOption[]
  /** The words that are no options, in order. */
  readonly words: readonly WordKind[]
}

/** One option; `value` is absent where it takes none. */
export interface CompletedOption {
  readonly flags: readonly string[]
  readonly help: string
  readonly value?: WordKind
}

const folders = ['config_dir', 'gen_keys_dir', 'root', 'file_root', 'pillar_root', 'module_dirs']
const files = ['output_file', 'log_file', 'import', 'sock', 'restore']

const values: Readonly<Record<string, WordKind>> = {
  output: OUTPUTTERS,
  state_output: ['full', 'terse', 'mixed', 'changes', 'filter'],
  state_verbose: ['True', 'False'],
  preserve_minions: ['True', 'False'],
  list: ['pre', 'un', 'acc', 'rej', 'den', 'all'],
  return: ['webhook', 'eventbridge', 'syslog'],
  accept: 'pending',
  reject: 'pending',
  delete: 'minion',
  print: 'minion',
  finger: 'minion',
  ...Object.fromEntries(folders.map((dest) => [dest, 'folder' as const])),
  ...Object.fromEntries(files.map((dest) => [dest, 'file' as const])),
}

function completed(option: OptionSpec): CompletedOption {
  const { flags } = option
  const help = helpOf(option)
  if (!takesValue(option)) return { flags, help }
  return { flags, help, value: option.choices ?? values[option.dest] ?? 'nothing' }
}

function program(spec: CommandSpec, words: readonly WordKind[]): Program {
  return { name: spec.name, options: allOptions(spec).map(completed), words }
}

/** All programs. */
export const programs: readonly Program[] = [
  program(BRINE, ['minion', 'execution']),
  program(BRINE_RUN, ['runner']),
  program(BRINE_CALL, ['execution']),
  program(BRINE_KEY, []),
  program(BRINE_CLOUD, []),
  program(BRINE_MASTER, []),
  program(BRINE_MINION, []),
]

/** The lists that a script holds. */
export interface Names {
  readonly execution: readonly string[]
  readonly runner: readonly string[]
}
