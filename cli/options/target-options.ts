// How minions are targeted: Salt's options and the target types they stand for.
import type { OptionGroup } from './option.ts'
import type { ParsedOptions } from './parsed-options.ts'

/** A target type by Salt's name. */
export type TargetType =
  | 'glob'
  | 'pcre'
  | 'list'
  | 'grain'
  | 'grain_pcre'
  | 'nodegroup'
  | 'range'
  | 'compound'
  | 'pillar'
  | 'pillar_pcre'
  | 'ipcidr'

interface TargetOption {
  readonly short: string
  readonly long: string
  readonly type: Exclude<TargetType, 'glob'>
  readonly help: string
}

const TARGETS: readonly TargetOption[] = [
  { short: '-E', long: '--pcre', type: 'pcre', help: 'The target is a regular expression that ids begin with.' },
  { short: '-L', long: '--list', type: 'list', help: 'The target is a list of ids, separated by commas or spaces.' },
  { short: '-G', long: '--grain', type: 'grain', help: 'The target is a grain and a glob for its value: "os:Arch*".' },
  {
    short: '-P',
    long: '--grain-pcre',
    type: 'grain_pcre',
    help: 'The target is a grain and a regular expression for its value: "os:Arch.*".',
  },
  {
    short: '-N',
    long: '--nodegroup',
    type: 'nodegroup',
    help: "The target is a nodegroup of the master's configuration.",
  },
  {
    short: '-R',
    long: '--range',
    type: 'range',
    help: 'The target is a range expression. Brine has no range server, so it matches no minion.',
  },
  {
    short: '-C',
    long: '--compound',
    type: 'compound',
    help: "The target joins several by and, or, not: 'G@os:Debian and web* or E@db.*'.",
  },
  { short: '-I', long: '--pillar', type: 'pillar', help: 'The target is a pillar key and a glob: "role:prod*".' },
  {
    short: '-J',
    long: '--pillar-pcre',
    type: 'pillar_pcre',
    help: 'The target is a pillar key and a regular expression: "role:prod.*".',
  },
  { short: '-S', long: '--ipcidr', type: 'ipcidr', help: 'The target is an IP address or a network in CIDR notation.' },
]

/** The target options. */
export const TARGET_GROUP: OptionGroup = {
  title: 'Target Options',
  description: 'What the target is, where it is not a glob over minion ids.',
  options: TARGETS.map(({ short, long, type, help }) => ({
    flags: [short, long],
    dest: `target_${type}`,
    kind: 'flag',
    help,
  })),
}

/** `--delimiter`. */
export const DELIMITER_GROUP: OptionGroup = {
  title: 'Additional Target Options',
  options: [
    {
      flags: ['--delimiter'],
      dest: 'delimiter',
      kind: 'text',
      default: ':',
      help: "What separates the keys of nested grains and pillar in a target. Default: '%default'.",
    },
  ],
}

/** The target type that was asked for, or the usage error where several were. */
export function targetType(
  options: ParsedOptions,
): { readonly type: TargetType; readonly clash?: never } | { readonly type?: never; readonly clash: string } {
  const chosen = TARGETS.filter(({ type }) => options.flag(`target_${type}`))
  if (chosen.length < 2) return { type: chosen[0]?.type ?? 'glob' }
  const flags = chosen.map(({ long }) => long).join('/')
  return { clash: `The options ${flags} are mutually exclusive. Please only choose one of them` }
}

/** The ids of a `-L` target: at commas where it has any, spaces dropped, else at white space. */
export function listTarget(target: string): string[] {
  if (target.includes(',')) return target.replaceAll(' ', '').split(',')
  return target.split(/\s+/).filter((id) => id !== '')
}
