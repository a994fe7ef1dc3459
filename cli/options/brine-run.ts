// The command line of `brine-run`, Salt's `salt-run`.
import { isJid } from '../../core/event/jid.ts'
import { type Ending, usageError } from './ending.ts'
import type { CommandSpec } from './option.ts'
import {
  ABOUT,
  ARGS_STDIN,
  BRINE_GROUP,
  CONFIG_DIR,
  doc,
  EAUTH,
  JID,
  logging,
  NO_PARSE,
  OUTPUT,
  REFUSED_EVERYWHERE,
  REFUSED_PROFILING,
  timeout,
} from './option-groups.ts'
import { type ParseContext, parseCommand } from './parse.ts'
import type { ParsedOptions } from './parsed-options.ts'
import { runnerOptions } from './runner-options.ts'

/** What `brine-run` understands. */
export const BRINE_RUN: CommandSpec = {
  name: 'brine-run',
  usage: '[options] <function> [arguments]',
  description: 'Runs a runner: a function on the master.',
  options: [
    ...ABOUT,
    CONFIG_DIR,
    {
      ...timeout(0),
      help: 'Seconds that manage.up, down and status wait for minions. Default: timeout of the configuration.',
    },
    ARGS_STDIN,
    JID,
    NO_PARSE,
    doc('Print the documentation of a runner or a runner function, or of all of them.'),
    { flags: ['--async'], dest: 'async', kind: 'flag', help: 'Start the runner and do not wait for its return.' },
  ],
  groups: [
    EAUTH,
    {
      ...OUTPUT,
      options: [
        ...OUTPUT.options,
        { flags: ['--quiet'], dest: 'quiet', kind: 'flag', help: 'Do not print what the runner returns.' },
      ],
    },
    BRINE_GROUP,
    logging(true),
  ],
  refused: [
    ...REFUSED_EVERYWHERE,
    REFUSED_PROFILING,
    { flags: ['--skip-grains'], reason: 'the master has no grains to load.' },
  ],
}

/** What `brine-run` was asked to do; without a function it prints the documentation of all of them. */
export interface BrineRunInvocation {
  readonly kind: 'invocation'
  readonly options: ParsedOptions
  readonly fun: string | undefined
  readonly words: readonly string[]
}

/** Reads the words after `brine-run`. */
export async function readBrineRun(
  argv: readonly string[],
  context: ParseContext,
): Promise<BrineRunInvocation | Ending> {
  const parsed = await parseCommand(BRINE_RUN, runnerOptions(argv), context)
  if (parsed.kind === 'end') return parsed
  const { options, args } = parsed
  const jid = options.text('jid')
  if (jid !== undefined && !isJid(jid)) return usageError(BRINE_RUN, `'${jid}' is not a valid JID`)
  if (options.flag('doc') && args.length > 1) {
    return usageError(BRINE_RUN, 'You can only get documentation for one method at one time')
  }
  return { kind: 'invocation', options, fun: args[0], words: args.slice(1) }
}
