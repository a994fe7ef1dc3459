// The command line of `brine`, Salt's `salt`: its options, and what target and function they ask for.

import { isJid } from '../../core/event/jid.ts'
import { compoundWords } from './compound-words.ts'
import { type Ending, EXIT_INCOMPLETE, usageError } from './ending.ts'
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
  OUTPUT_DIFF,
  REFUSED_EVERYWHERE,
  REFUSED_EXECUTORS,
  timeout,
} from './option-groups.ts'
import { type ParseContext, parseCommand } from './parse.ts'
import type { ParsedOptions } from './parsed-options.ts'
import { DELIMITER_GROUP, listTarget, TARGET_GROUP, type TargetType, targetType } from './target-options.ts'

/** What `brine` understands. */
export const BRINE: CommandSpec = {
  name: 'brine',
  usage: "[options] '<target>' <function> [arguments]",
  description:
    'Runs a function on many minions at once and prints what each of them returns. `brine test [DIR|FILES]` runs the ' +
    'tests of reactors instead, `brine migrate` looks at a Salt master (see brine test --help, brine migrate --help).',
  options: [
    ...ABOUT,
    CONFIG_DIR,
    timeout(5),
    ARGS_STDIN,
    NO_PARSE,
    {
      flags: ['-s', '--static'],
      dest: 'static',
      kind: 'flag',
      help: 'Print all returns together when the last is in.',
    },
    { flags: ['-p', '--progress'], dest: 'progress', kind: 'flag', help: 'Show a progress bar on the terminal.' },
    { flags: ['--failhard'], dest: 'failhard', kind: 'flag', help: 'Stop a batch at the first return that failed.' },
    {
      flags: ['--async'],
      dest: 'async',
      kind: 'flag',
      help: 'Start the job, print its id and do not wait for returns.',
    },
    {
      flags: ['--subset'],
      dest: 'subset',
      kind: 'integer',
      default: 0,
      help: 'Run on this many minions, chosen at random among those targeted that have the function.',
    },
    { flags: ['-v', '--verbose'], dest: 'verbose', kind: 'flag', help: 'Print the job id, and who did not answer.' },
    {
      flags: ['--hide-timeout'],
      dest: 'show_timeout',
      kind: 'unset',
      default: true,
      help: 'Do not print minions that timed out.',
    },
    { flags: ['--show-jid'], dest: 'show_jid', kind: 'flag', help: 'Print the job id.' },
    {
      flags: ['-b', '--batch', '--batch-size'],
      dest: 'batch',
      kind: 'text',
      help: 'Run on this many minions at a time: a number, or a share of those targeted like 10%.',
    },
    {
      flags: ['--batch-wait'],
      dest: 'batch_wait',
      kind: 'number',
      default: 0,
      help: 'Seconds to wait after a return before the next minion of a batch starts.',
    },
    {
      flags: ['--batch-safe-limit'],
      dest: 'batch_safe_limit',
      kind: 'integer',
      default: 0,
      help: 'Run in batches where this many minions or more are targeted.',
    },
    {
      flags: ['--batch-safe-size'],
      dest: 'batch_safe_size',
      kind: 'text',
      default: '8',
      help: 'The batch size --batch-safe-limit uses. Default: %default.',
    },
    {
      flags: ['--return'],
      dest: 'return',
      kind: 'text',
      metavar: 'RETURNER',
      help: 'Send the returns to these returners too, separated by commas: webhook, eventbridge, syslog.',
    },
    {
      flags: ['--return_config'],
      dest: 'return_config',
      kind: 'text',
      metavar: 'RETURNER_CONF',
      help: 'The name of an alternative configuration of the returner.',
    },
    {
      flags: ['--return_kwargs'],
      dest: 'return_kwargs',
      kind: 'text',
      metavar: 'RETURNER_KWARGS',
      help: 'Options for the returner, as YAML.',
    },
    doc('Print the documentation of a function or a module, or of all of them.'),
    {
      flags: ['--args-separator'],
      dest: 'args_separator',
      kind: 'text',
      default: ',',
      help: "What stands between the arguments of the functions of a compound command. Default: '%default'.",
    },
    { flags: ['--summary'], dest: 'cli_summary', kind: 'flag', help: 'Print a summary after the returns.' },
    {
      flags: ['--metadata'],
      dest: 'metadata',
      kind: 'text',
      help: 'Data, as YAML, that is kept with the job and found again by jobs.list_jobs.',
    },
    JID,
    OUTPUT_DIFF,
    {
      flags: ['--preview-target'],
      dest: 'preview_target',
      kind: 'flag',
      help: 'Print the minions the target matches and run nothing.',
    },
  ],
  groups: [EAUTH, TARGET_GROUP, DELIMITER_GROUP, OUTPUT, BRINE_GROUP, logging(true)],
  refused: [
    ...REFUSED_EVERYWHERE,
    REFUSED_EXECUTORS,
    { flags: ['-H', '--hosts'], reason: 'it lists rosters of salt-ssh; use brine-run manage.present.' },
    { flags: ['--config-dump'], reason: 'use brine-run config.get or read the files of the configuration directory.' },
  ],
}

/** What `brine` was asked to do. */
export interface BrineInvocation {
  readonly kind: 'invocation'
  readonly options: ParsedOptions
  readonly tgt: string | readonly string[]
  readonly tgtType: TargetType
  /** One function with its words, or the functions of a compound command with the words of each. */
  readonly call: CallWords
}

/** Functions and their arguments as words, not yet read as values. */
export type CallWords =
  | { readonly kind: 'single'; readonly fun: string; readonly words: readonly string[] }
  | { readonly kind: 'compound'; readonly fun: readonly string[]; readonly words: readonly (readonly string[])[] }

/** Reads the words after `brine`. Without a target or a function it prints its help and ends with 42, as Salt does. */
export async function readBrine(argv: readonly string[], context: ParseContext): Promise<BrineInvocation | Ending> {
  const parsed = await parseCommand(BRINE, argv, context)
  if (parsed.kind === 'end') return parsed
  const { options } = parsed
  const target = targetType(options)
  if (target.clash !== undefined) return usageError(BRINE, target.clash)
  const jid = options.text('jid')
  if (jid !== undefined && !isJid(jid)) return usageError(BRINE, `'${jid}' is not a valid JID`)
  const args = withDoc(parsed.args, options)
  if (options.flag('doc') && args.length > 3) {
    return usageError(BRINE, 'You can only get documentation for one method at one time.')
  }
  const [tgt, fun, ...words] = args
  const preview = options.flag('preview_target')
  if (tgt === undefined) return await incomplete('\nCannot execute command without defining a target.\n\n', context)
  if (fun === undefined && !preview) return await incomplete('\nIncomplete options passed.\n\n', context)
  const call = readCall(fun ?? 'test.ping', words, options.text('args_separator') ?? ',')
  if (call.kind === 'end') return call
  const ids = target.type === 'list' ? listTarget(tgt) : tgt
  return { kind: 'invocation', options, tgt: ids, tgtType: target.type, call }
}

/** `-d` puts `sys.doc` before the function, and targets every minion where no target is given. */
function withDoc(args: readonly string[], options: ParsedOptions): readonly string[] {
  if (!options.flag('doc')) return args
  const [tgt = '*', fun, ...rest] = args
  if (fun === undefined) return [tgt, 'sys.doc']
  return fun === 'sys.doc' ? [tgt, fun, ...rest] : [tgt, 'sys.doc', fun, ...rest]
}

function readCall(fun: string, words: readonly string[], separator: string): CallWords | Ending {
  if (!fun.includes(',')) return { kind: 'single', fun, words }
  const functions = fun.split(',')
  const compound = compoundWords(functions.length, words, separator)
  if (typeof compound !== 'string') return { kind: 'compound', fun: functions, words: compound }
  return { kind: 'end', exit: EXIT_INCOMPLETE, stdout: '', stderr: compound }
}

async function incomplete(stderr: string, context: ParseContext): Promise<Ending> {
  const { helpText } = await import('./help.ts')
  return { kind: 'end', exit: EXIT_INCOMPLETE, stdout: helpText(BRINE, context.columns), stderr }
}
