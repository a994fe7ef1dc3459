// The command line of `brine-call`, Salt's `salt-call`.

import { type Ending, EXIT_USAGE, usageError } from './ending.ts'
import type { CommandSpec } from './option.ts'
import {
  ABOUT,
  ARGS_STDIN,
  CONFIG_DIR,
  doc,
  logging,
  NO_PARSE,
  OUTPUT,
  OUTPUT_DIFF,
  REFUSED_EVERYWHERE,
  REFUSED_EXECUTORS,
  REFUSED_PROFILING,
  timeout,
} from './option-groups.ts'
import { type ParseContext, parseCommand } from './parse.ts'
import type { ParsedOptions } from './parsed-options.ts'

/** What `brine-call` understands. */
export const BRINE_CALL: CommandSpec = {
  name: 'brine-call',
  usage: '[options] <function> [arguments]',
  description: "Runs a function on this machine in the minion's place.",
  options: [
    ...ABOUT,
    CONFIG_DIR,
    ARGS_STDIN,
    NO_PARSE,
    { flags: ['-g', '--grains'], dest: 'grains_run', kind: 'flag', help: "Print this minion's grains." },
    {
      flags: ['-m', '--module-dirs'],
      dest: 'module_dirs',
      kind: 'append',
      help: 'A further directory with modules/, states/ and grains/ (or _modules/ …) to load from. May be given several times.',
    },
    doc('Print the documentation of a function or a module, or of all of them.'),
    {
      flags: ['--return'],
      dest: 'return',
      kind: 'text',
      metavar: 'RETURNER',
      help: 'Send the return to these returners too, separated by commas.',
    },
    {
      flags: ['--local'],
      dest: 'local',
      kind: 'flag',
      help: 'Run without a master: files and pillar come from this machine.',
    },
    { flags: ['--file-root'], dest: 'file_root', kind: 'text', help: 'With --local: the directory of the states.' },
    { flags: ['--pillar-root'], dest: 'pillar_root', kind: 'text', help: 'With --local: the directory of the pillar.' },
    {
      flags: ['--retcode-passthrough'],
      dest: 'retcode_passthrough',
      kind: 'flag',
      help: "Exit with the function's own return code instead of 1.",
    },
    {
      flags: ['--metadata'],
      dest: 'print_metadata',
      kind: 'flag',
      help: 'Print what surrounds the return too: its outputter, its return code.',
    },
    {
      flags: ['--set-metadata'],
      dest: 'metadata',
      kind: 'text',
      metavar: 'METADATA',
      help: 'Data, as YAML, that is kept with the job.',
    },
    { flags: ['--id'], dest: 'id', kind: 'text', help: "The minion's id, instead of the configured one." },
    { flags: ['--skip-grains'], dest: 'skip_grains', kind: 'flag', help: 'With --local: gather no grains.' },
    {
      flags: ['--no-return-event'],
      dest: 'no_return_event',
      kind: 'flag',
      help: 'Do not send the return to the master.',
    },
    timeout(10, 'auth_timeout'),
    OUTPUT_DIFF,
  ],
  groups: [
    OUTPUT,
    {
      title: 'Brine Options',
      options: [
        {
          flags: ['--master'],
          dest: 'master',
          kind: 'text',
          metavar: 'URL',
          help: "The master's bootstrap URL, instead of the configured one.",
        },
        {
          flags: ['--sock'],
          dest: 'sock',
          kind: 'text',
          metavar: 'PATH',
          help: "The socket of this minion's own event bus, instead of the one in sock_dir.",
        },
      ],
    },
    logging(true),
  ],
  refused: [
    ...REFUSED_EVERYWHERE,
    REFUSED_EXECUTORS,
    REFUSED_PROFILING,
    { flags: ['--proxyid'], reason: 'Brine has no proxy minions.' },
    { flags: ['--cachedir'], reason: 'set cachedir in the configuration of the minion.' },
    { flags: ['--states-dir'], reason: 'states are part of Brine; give modules of your own with -m.' },
    { flags: ['--refresh-grains-cache'], reason: 'grains are gathered anew at every call.' },
    { flags: ['--priv'], reason: 'run the command as that user.' },
  ],
}

/** What `brine-call` was asked to do: run a function, or print grains or documentation as the options say. */
export interface BrineCallInvocation {
  readonly kind: 'invocation'
  readonly options: ParsedOptions
  readonly fun: string | undefined
  readonly words: readonly string[]
}

/** Reads the words after `brine-call`. */
export async function readBrineCall(
  argv: readonly string[],
  context: ParseContext,
): Promise<BrineCallInvocation | Ending> {
  const parsed = await parseCommand(BRINE_CALL, argv, context)
  if (parsed.kind === 'end') return parsed
  const { options, args } = parsed
  const grains = options.flag('grains_run')
  const docs = options.flag('doc')
  if (args.length === 0 && !grains && !docs) {
    const { helpText } = await import('./help.ts')
    const { stderr } = usageError(BRINE_CALL, 'Requires function, --grains or --doc')
    return { kind: 'end', exit: EXIT_USAGE, stdout: helpText(BRINE_CALL, context.columns), stderr }
  }
  if (args.length > 0 && grains) return usageError(BRINE_CALL, '-g/--grains does not accept any arguments')
  if (args.length > 1 && docs)
    return usageError(BRINE_CALL, 'You can only get documentation for one method at one time')
  return { kind: 'invocation', options, fun: args[0], words: args.slice(1) }
}
