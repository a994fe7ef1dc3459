// The command line of `brine-key`, Salt's `salt-key`: its options, and which of its actions they ask for.

import { type Ending, usageError } from './ending.ts'
import type { CommandSpec, OptionSpec } from './option.ts'
import { ABOUT, BRINE_GROUP, CONFIG_DIR, logging, OUTPUT, REFUSED_EVERYWHERE } from './option-groups.ts'
import { type ParseContext, parseCommand } from './parse.ts'
import type { ParsedOptions } from './parsed-options.ts'

function include(kind: string, when: string): OptionSpec {
  return {
    flags: [`--include-${kind}`],
    dest: `include_${kind}`,
    kind: 'flag',
    help: `Include ${kind} keys when ${when}.`,
  }
}

function one(short: string, verb: string, help: string): OptionSpec {
  return { flags: [short, `--${verb}`], dest: verb, kind: 'text', help }
}

function all(short: string, verb: string, help: string): OptionSpec {
  return { flags: [short, `--${verb}-all`], dest: `${verb}_all`, kind: 'flag', help }
}

/** What `brine-key` understands. */
export const BRINE_KEY: CommandSpec = {
  name: 'brine-key',
  usage: '[options]',
  description: 'Manages the keys that minions and the master prove themselves with.',
  options: [
    ...ABOUT,
    CONFIG_DIR,
    { flags: ['-q', '--quiet'], dest: 'quiet', kind: 'flag', help: 'Print nothing.' },
    { flags: ['-y', '--yes'], dest: 'yes', kind: 'flag', help: 'Answer yes to every question.' },
    {
      flags: ['--preserve-minions'],
      dest: 'preserve_minions',
      kind: 'text',
      metavar: 'BOOL',
      help: 'True keeps what the master knows of a minion (grains, last seen) when its key is deleted.',
    },
  ],
  groups: [
    OUTPUT,
    {
      title: 'Actions',
      options: [
        {
          flags: ['-l', '--list'],
          dest: 'list',
          kind: 'text',
          metavar: 'ARG',
          help: "List keys by state: 'pre', 'un' or 'unaccepted', 'acc' or 'accepted', 'rej' or 'rejected', 'den' or 'denied', or 'all'.",
        },
        all('-L', 'list', 'List all keys.'),
        one('-a', 'accept', 'Accept the pending keys whose id matches this glob.'),
        all('-A', 'accept', 'Accept all pending keys.'),
        one('-r', 'reject', 'Reject the pending keys whose id matches this glob.'),
        all('-R', 'reject', 'Reject all pending keys.'),
        include('all', 'accepting or rejecting: rejected or accepted ones'),
        include('accepted', 'rejecting'),
        include('rejected', 'accepting'),
        include('denied', 'accepting or rejecting'),
        one('-p', 'print', 'Print the public keys whose id matches this glob.'),
        all('-P', 'print', 'Print all public keys.'),
        one('-d', 'delete', 'Delete the keys whose id matches this glob.'),
        all('-D', 'delete', 'Delete all keys.'),
        one('-f', 'finger', 'Print the fingerprints of the keys whose id matches this glob.'),
        all('-F', 'finger', "Print all fingerprints, the master's own too."),
      ],
    },
    {
      title: 'Key Generation Options',
      options: [
        { flags: ['--gen-keys'], dest: 'gen_keys', kind: 'text', help: 'Make a key pair with this name.' },
        {
          flags: ['--gen-keys-dir'],
          dest: 'gen_keys_dir',
          kind: 'text',
          default: '.',
          help: "The directory --gen-keys writes to. Default: '%default'.",
        },
        {
          flags: ['--keysize'],
          dest: 'keysize',
          kind: 'integer',
          help: 'Make an RSA key of this size, 2048 to 32768, instead of an Ed25519 key.',
        },
        {
          flags: ['-u', '--user'],
          dest: 'user',
          kind: 'text',
          help: 'The user who gets the key pair that --gen-keys makes.',
        },
        {
          flags: ['--import'],
          dest: 'import',
          kind: 'text',
          metavar: 'PATH',
          help: 'Accept these public keys before their minions come: a file named for its minion, or a directory of such files.',
        },
      ],
    },
    BRINE_GROUP,
    logging(false),
  ],
  refused: [
    ...REFUSED_EVERYWHERE,
    {
      flags: ['--auth', '--eauth', '--external-auth', '-T', '--make-token', '--username', '--password'],
      reason:
        "keys are decided on over the master's socket; others use key.accept and its like of the API's wheel client.",
    },
    { flags: ['--rotate-aes-key'], reason: 'there is no shared AES key: a deleted key is refused at once.' },
    {
      flags: ['--gen-signature', '--priv', '--pub', '--signature-path', '--auto-create'],
      reason: 'the master signs what it sends with its own key, whose fingerprint -F shows.',
    },
  ],
}

/** What can be done with keys; the match is a glob, for `list` the state, for `gen_keys` the name, for `import` a directory. */
export interface KeyAction {
  readonly action: 'gen_keys' | 'import' | 'list' | 'print' | 'accept' | 'reject' | 'delete' | 'finger'
  readonly match: string
  /** `-F`: with the master's own keys. */
  readonly all: boolean
  readonly includeAccepted: boolean
  readonly includeRejected: boolean
  readonly includeDenied: boolean
}

/** What `brine-key` was asked to do. */
export interface BrineKeyInvocation {
  readonly kind: 'invocation'
  readonly options: ParsedOptions
  readonly action: KeyAction
}

/** Reads the words after `brine-key`; words that are no options are ignored, as by salt-key. */
export async function readBrineKey(
  argv: readonly string[],
  context: ParseContext,
): Promise<BrineKeyInvocation | Ending> {
  const parsed = await parseCommand(BRINE_KEY, argv, context)
  if (parsed.kind === 'end') return parsed
  const { options } = parsed
  const list = options.text('list')
  if (list !== undefined && !/^(acc|pre|un|rej|den|all)/.test(list)) {
    return usageError(BRINE_KEY, `'${list}' is not a valid argument to '--list'`)
  }
  const keysize = options.number('keysize')
  if (keysize !== undefined && keysize < 2048) return usageError(BRINE_KEY, 'The minimum value for keysize is 2048')
  if (keysize !== undefined && keysize > 32768) return usageError(BRINE_KEY, 'The maximum value for keysize is 32768')
  return { kind: 'invocation', options, action: keyAction(options) }
}

/** Of several actions the first in Salt's order is done; with none all keys are listed. */
function keyAction(options: ParsedOptions): KeyAction {
  const { action, match, all: every } = chosen(options)
  const includeAll = options.flag('include_all')
  return {
    action,
    match,
    all: every,
    includeAccepted:
      action === 'accept' ? false : options.flag('include_accepted') || (includeAll && action === 'reject'),
    includeRejected:
      action === 'reject' ? false : options.flag('include_rejected') || (includeAll && action === 'accept'),
    includeDenied: options.flag('include_denied'),
  }
}

function chosen(options: ParsedOptions): Pick<KeyAction, 'action' | 'match' | 'all'> {
  for (const action of ['gen_keys', 'import'] as const) {
    const match = options.text(action)
    if (match !== undefined) return { action, match, all: false }
  }
  for (const action of ['list', 'print', 'accept', 'reject', 'delete', 'finger'] as const) {
    const match = options.text(action)
    if (match !== undefined) return { action, match, all: false }
    if (options.flag(`${action}_all`)) return { action, match: action === 'list' ? 'all' : '*', all: true }
  }
  return { action: 'list', match: 'all', all: true }
}
