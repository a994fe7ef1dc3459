// The command lines of the daemons, `brine-master` and `brine-minion`.

import { type Ending, usageError } from './ending.ts'
import type { CommandSpec, OptionSpec } from './option.ts'
import { ABOUT, CONFIG_DIR, logging, REFUSED_DAEMON, REFUSED_EVERYWHERE } from './option-groups.ts'
import { type ParseContext, parseCommand } from './parse.ts'
import type { ParsedOptions } from './parsed-options.ts'

const LOG_FORMAT: OptionSpec = {
  flags: ['--log-format'],
  dest: 'log_format',
  kind: 'choice',
  choices: ['text', 'json'],
  help: 'Log as text or as JSON lines.',
}

/** What `brine-master` understands. */
export const BRINE_MASTER: CommandSpec = {
  name: 'brine-master',
  usage: '[options]',
  description: 'The master on this machine: event bus, reactor, jobs and keys in one process.',
  options: [...ABOUT, CONFIG_DIR],
  groups: [
    {
      title: 'Brine Options',
      options: [
        {
          flags: ['--restore'],
          dest: 'restore',
          kind: 'text',
          metavar: 'FILE',
          help: 'Put a back-up (brine-run store.backup) in the place of what is stored, and end. What was there is kept beside it.',
        },
      ],
    },
    withFormat(logging(true)),
  ],
  refused: [...REFUSED_EVERYWHERE, ...REFUSED_DAEMON],
}

/** What `brine-minion` understands. */
export const BRINE_MINION: CommandSpec = {
  name: 'brine-minion',
  usage: '[options]',
  description: 'The minion: runs the jobs of its master and sends it events.',
  options: [
    ...ABOUT,
    CONFIG_DIR,
    { flags: ['--id'], dest: 'id', kind: 'text', help: "The minion's id, instead of the configured one." },
  ],
  groups: [
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
      ],
    },
    withFormat(logging(true)),
  ],
  refused: [...REFUSED_EVERYWHERE, ...REFUSED_DAEMON],
}

function withFormat(group: CommandSpec['groups'][number]): CommandSpec['groups'][number] {
  return { ...group, options: [...group.options, LOG_FORMAT] }
}

/** A daemon to start. */
export interface DaemonInvocation {
  readonly kind: 'invocation'
  readonly options: ParsedOptions
}

/** Reads the words after `brine-master` or `brine-minion`. A daemon takes no arguments: a stray word is a mistake. */
export async function readDaemon(
  spec: CommandSpec,
  argv: readonly string[],
  context: ParseContext,
): Promise<DaemonInvocation | Ending> {
  const parsed = await parseCommand(spec, argv, context)
  if (parsed.kind === 'end') return parsed
  if (parsed.args.length > 0) return usageError(spec, `unexpected argument: ${parsed.args[0]}`)
  return { kind: 'invocation', options: parsed.options }
}
