// The command line of `brine migrate`: what of a Salt master works here, and its keys.
import { type Ending, usageError } from './ending.ts'
import type { CommandSpec } from './option.ts'
import { ABOUT, BRINE_GROUP, CONFIG_DIR } from './option-groups.ts'
import { type ParseContext, parseCommand } from './parse.ts'
import type { ParsedOptions } from './parsed-options.ts'

/** What `brine migrate` understands. */
export const BRINE_MIGRATE: CommandSpec = {
  name: 'brine migrate',
  usage: '[options] check DIR | keys PKI_DIR',
  description:
    'check reads the configuration directory of a Salt master (/etc/salt) with its reactors, states and pillar, and says what works, what differs and what is missing. keys accepts the minions that the master of a pki directory (/etc/salt/pki/master) accepted, by their public keys. Exit code of check: 0, 1 where something is missing; of keys: 1 where a key could not be accepted.',
  options: [
    ...ABOUT,
    CONFIG_DIR,
    {
      flags: ['--root'],
      dest: 'root',
      kind: 'text',
      metavar: 'DIR',
      help: 'check: look for the absolute paths of the configuration below this folder, as for a copy of the machine.',
    },
    {
      flags: ['--out', '--output'],
      dest: 'output',
      kind: 'choice',
      choices: ['text', 'json'],
      default: 'text',
      help: "check: 'text' or 'json'. Default: %default.",
    },
    { flags: ['-v', '--verbose'], dest: 'verbose', kind: 'flag', help: 'check: print what works, too.' },
    { flags: ['--dry-run'], dest: 'dry_run', kind: 'flag', help: 'keys: say what would be done, and do nothing.' },
    { flags: ['-y', '--yes'], dest: 'yes', kind: 'flag', help: 'keys: do not ask.' },
  ],
  groups: [BRINE_GROUP],
  refused: [],
}

/** What `brine migrate` was asked to do. */
export interface BrineMigrateInvocation {
  readonly kind: 'invocation'
  readonly options: ParsedOptions
  readonly action: 'check' | 'keys'
  readonly folder: string
}

/** Whether the words after `brine` mean this: `migrate` and one of its two actions. Anything else is a target named so. */
export function isBrineMigrate(argv: readonly string[]): boolean {
  if (argv[0] !== 'migrate') return false
  const [second = '--help'] = argv.slice(1)
  return second === 'check' || second === 'keys' || second.startsWith('-')
}

/** Reads the words after `brine migrate`. */
export async function readBrineMigrate(
  argv: readonly string[],
  context: ParseContext,
): Promise<BrineMigrateInvocation | Ending> {
  const parsed = await parseCommand(BRINE_MIGRATE, argv, context)
  if (parsed.kind === 'end') return parsed
  const [action, folder, ...more] = parsed.args
  if ((action !== 'check' && action !== 'keys') || folder === undefined || more.length > 0)
    return usageError(BRINE_MIGRATE, 'it takes `check DIR` or `keys PKI_DIR`')
  return { kind: 'invocation', options: parsed.options, action, folder }
}
