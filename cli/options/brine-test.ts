// The command line of `brine test`, which runs the tests of reactors, and when the words after `brine` mean it.
import { statSync } from 'node:fs'
import type { Ending } from './ending.ts'
import type { CommandSpec } from './option.ts'
import { ABOUT, CONFIG_DIR } from './option-groups.ts'
import { type ParseContext, parseCommand } from './parse.ts'
import type { ParsedOptions } from './parsed-options.ts'

/** What `brine test` understands. */
export const BRINE_TEST: CommandSpec = {
  name: 'brine test',
  usage: '[options] [DIR|FILES]',
  description:
    'Runs the tests of reactors, *.test.yml, on this machine; no master is needed. Each case is an event and the reactions ' +
    'expected of it. Without an argument the tests of ./reactors run, or those of reactor_root where there is no such ' +
    "folder; an SLS file stands for the .test.yml beside it. The reactor's entries are those of the folder's own " +
    "reactor.conf, else of the master's configuration. Exit code: 0, 1 where a case fails.",
  options: [
    ...ABOUT,
    CONFIG_DIR,
    {
      flags: ['-k', '--filter'],
      dest: 'filter',
      kind: 'text',
      metavar: 'TEXT',
      help: 'Run only cases whose name or tag contains this text.',
    },
    {
      flags: ['--lint'],
      dest: 'lint',
      kind: 'flag',
      help: 'Lint the reactor set too, as brine-run reactor.lint does; its errors fail.',
    },
    {
      flags: ['--update'],
      dest: 'update',
      kind: 'flag',
      help: 'Write what the reactors do now into the cases that fail. Look at the difference before you keep it.',
    },
    {
      flags: ['-v', '--verbose'],
      dest: 'verbose',
      kind: 'flag',
      help: 'Print the cases that pass, too.',
    },
    {
      flags: ['--out', '--output'],
      dest: 'output',
      kind: 'choice',
      choices: ['text', 'json'],
      default: 'text',
      help: "'text' or 'json'. Default: %default.",
    },
    { flags: ['--no-color', '--no-colour'], dest: 'no_color', kind: 'flag', help: 'Print without colour.' },
    { flags: ['--force-color', '--force-colour'], dest: 'force_color', kind: 'flag', help: 'Print in colour.' },
  ],
  groups: [],
  refused: [],
}

/** What `brine test` was asked to do. */
export interface BrineTestInvocation {
  readonly kind: 'invocation'
  readonly options: ParsedOptions
  readonly paths: readonly string[]
}

/**
 * Whether the words after `brine` mean the tests of reactors: the first is exactly `test`, and what follows, options
 * apart, is nothing, folders, or names that end in `.test.yml` or `.sls`. Anything else is a target named `test`.
 */
export function isBrineTest(argv: readonly string[]): boolean {
  if (argv[0] !== 'test') return false
  const values = BRINE_TEST.options
    .filter(({ kind }) => kind === 'text' || kind === 'choice')
    .flatMap(({ flags }) => flags)
  return argv.slice(1).every((word, index) => {
    if (word.startsWith('-')) return true
    return values.includes(argv[index] ?? '') || /\.test\.yml$|\.sls$/.test(word) || isFolder(word)
  })
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Reads the words after `brine test`. */
export async function readBrineTest(
  argv: readonly string[],
  context: ParseContext,
): Promise<BrineTestInvocation | Ending> {
  const parsed = await parseCommand(BRINE_TEST, argv, context)
  return parsed.kind === 'end' ? parsed : { kind: 'invocation', options: parsed.options, paths: parsed.args }
}
