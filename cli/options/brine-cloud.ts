// The command line of `brine-cloud`, Salt's `salt-cloud`.
import { type Ending, usageError } from './ending.ts'
import type { CommandSpec, OptionSpec } from './option.ts'
import { ABOUT, BRINE_GROUP, CONFIG_DIR, logging, OUTPUT, REFUSED_EVERYWHERE } from './option-groups.ts'
import { type ParseContext, parseCommand } from './parse.ts'
import type { ParsedOptions } from './parsed-options.ts'

const queries: readonly OptionSpec[] = [
  { flags: ['-Q', '--query'], dest: 'query', kind: 'flag', help: 'Print some information on every machine.' },
  { flags: ['-F', '--full-query'], dest: 'full_query', kind: 'flag', help: 'Print all information on every machine.' },
  {
    flags: ['-S', '--select-query'],
    dest: 'select_query',
    kind: 'flag',
    help: 'Print the fields that query.selection names, of every machine.',
  },
  { flags: ['--list-providers'], dest: 'list_providers', kind: 'flag', help: 'Print the configured providers.' },
  {
    flags: ['--list-profiles'],
    dest: 'list_profiles',
    kind: 'text',
    help: "Print the configured profiles of a provider, or with 'all' of all providers.",
  },
]

const listings: readonly OptionSpec[] = ['locations', 'images', 'sizes'].map((what) => ({
  flags: [`--list-${what}`],
  dest: `list_${what}`,
  kind: 'text',
  help: `Print the ${what} that a provider has, or with 'all' those of all providers.`,
}))

/** What `brine-cloud` understands. */
export const BRINE_CLOUD: CommandSpec = {
  name: 'brine-cloud',
  usage: '[options] <-m MAP | -p PROFILE> <NAME> [NAME2 ...]',
  description: 'Makes machines on EC2 from profiles, and asks for, changes and ends them. Each becomes a minion.',
  options: [...ABOUT, CONFIG_DIR],
  groups: [
    {
      title: 'Execution Options',
      options: [
        {
          flags: ['-a', '--action'],
          dest: 'action',
          kind: 'text',
          help: 'Do this to the machines named: start, stop, reboot, show_instance, enable_term_protect, …',
        },
        {
          flags: ['-f', '--function'],
          dest: 'function',
          kind: 'text',
          metavar: '<FUNC-NAME> <PROVIDER>',
          help: 'Ask this of a provider: list_nodes, show_instance, avail_images, … Arguments are key=value.',
        },
        {
          flags: ['-p', '--profile'],
          dest: 'profile',
          kind: 'text',
          help: 'Make the machines named from this profile.',
        },
        {
          flags: ['-m', '--map'],
          dest: 'map',
          kind: 'text',
          help: 'Make the machines of this map that there are not. With -Q, -F, -S, -d or -a do that to its machines.',
        },
        {
          flags: ['-L', '--location'],
          dest: 'location',
          kind: 'text',
          help: "Ask this region in place of the providers' own; with -Q, -F, -S and --list-….",
        },
        {
          flags: ['-d', '--destroy'],
          dest: 'destroy',
          kind: 'flag',
          help: 'End the machines named, and delete the keys of their minions.',
        },
        {
          flags: ['--no-deploy'],
          dest: 'deploy',
          kind: 'unset',
          default: true,
          help: 'Make the machines alone: install no minion, and do not wait for one.',
        },
        { flags: ['-P', '--parallel'], dest: 'parallel', kind: 'flag', help: 'Make or end all machines at once.' },
        { flags: ['-y', '--assume-yes'], dest: 'assume_yes', kind: 'flag', help: 'Do not ask before doing it.' },
      ],
    },
    { title: 'Query Options', options: queries },
    { title: 'Cloud Providers Listings', options: listings },
    OUTPUT,
    BRINE_GROUP,
    logging(true),
  ],
  refused: [
    ...REFUSED_EVERYWHERE,
    {
      flags: ['-H', '--hard'],
      reason: 'a map ends no machine that it does not name; end them by name (-d).',
    },
    { flags: ['-b', '--bootstrap'], reason: 'nothing is deployed over SSH; install the package on the machine.' },
    {
      flags: ['-u', '--update-bootstrap', '--script-args'],
      reason: 'there is no bootstrap script; user data installs the minion.',
    },
    { flags: ['-k', '--keep-tmp', '--show-deploy-args'], reason: 'nothing is deployed over SSH.' },
    { flags: ['--set-password'], reason: 'there is no keyring; write id and key into the provider.' },
  ],
}

/** What was asked for. */
export type CloudAction =
  | { readonly kind: 'query'; readonly fun: 'query' | 'full_query' | 'select_query' | 'list_providers' }
  | {
      readonly kind: 'list'
      readonly fun: 'list_profiles' | 'list_locations' | 'list_images' | 'list_sizes'
      readonly provider: string
    }
  | { readonly kind: 'destroy'; readonly names: readonly string[] }
  | { readonly kind: 'action'; readonly fun: string; readonly words: readonly string[] }
  | { readonly kind: 'function'; readonly fun: string; readonly provider: string; readonly words: readonly string[] }
  | {
      readonly kind: 'map'
      readonly path: string
      /** Of these alone; all where there are none. */
      readonly names: readonly string[]
      readonly what:
        | { readonly kind: 'make' }
        | { readonly kind: 'destroy' }
        | { readonly kind: 'query'; readonly query: 'list_nodes' | 'list_nodes_full' | 'list_nodes_select' }
        | { readonly kind: 'action'; readonly fun: string }
    }
  | { readonly kind: 'profile'; readonly profile: string; readonly names: readonly string[] }

/** What `brine-cloud` was asked to do. */
export interface BrineCloudInvocation {
  readonly kind: 'invocation'
  readonly options: ParsedOptions
  readonly action: CloudAction
}

/** Reads the words after `brine-cloud`. Of several things asked for the first in Salt's order is done. */
export async function readBrineCloud(
  argv: readonly string[],
  context: ParseContext,
): Promise<BrineCloudInvocation | Ending> {
  const parsed = await parseCommand(BRINE_CLOUD, argv, context)
  if (parsed.kind === 'end') return parsed
  const { options, args } = parsed
  for (const group of [queries, listings]) {
    const given = group.filter(({ dest }) => options.explicit.has(dest))
    if (given.length > 1) {
      const flags = given.map(({ flags }) => flags.at(-1)).join('/')
      return usageError(BRINE_CLOUD, `The options ${flags} are mutually exclusive. Please only choose one of them`)
    }
  }
  const action = actionOf(options, args)
  if (typeof action === 'string') return usageError(BRINE_CLOUD, action)
  return { kind: 'invocation', options, action }
}

/** What each of them asks of the machines of a map. */
const queryTypes = { query: 'list_nodes', full_query: 'list_nodes_full', select_query: 'list_nodes_select' } as const

function actionOf(options: ParsedOptions, args: readonly string[]): CloudAction | string {
  if (options.flag('list_providers') && args.length > 0) return "'--list-providers' does not accept any arguments"
  const asked = askedOf(options, args)
  const isPlaced = typeof asked !== 'string' && (asked.kind === 'query' || asked.kind === 'list')
  if (options.text('location') !== undefined && !isPlaced)
    return '--location goes with -Q, -F, -S and --list-… alone: machines are looked for where their provider says. Write a provider for each region (extends: ALIAS:ec2), and a profile of it'
  return asked
}

function askedOf(options: ParsedOptions, args: readonly string[]): CloudAction | string {
  const path = options.text('map')
  const ofMap = (what: Extract<CloudAction, { kind: 'map' }>['what']): CloudAction => ({
    kind: 'map',
    path: path ?? '',
    names: args,
    what,
  })
  if (options.flag('list_providers')) return { kind: 'query', fun: 'list_providers' }
  for (const fun of ['query', 'full_query', 'select_query'] as const)
    if (options.flag(fun))
      return path === undefined ? { kind: 'query', fun } : ofMap({ kind: 'query', query: queryTypes[fun] })
  for (const fun of ['list_profiles', 'list_locations', 'list_images', 'list_sizes'] as const) {
    const provider = options.text(fun)
    if (provider !== undefined) return { kind: 'list', fun, provider }
  }
  if (options.flag('destroy') && path !== undefined) return ofMap({ kind: 'destroy' })
  if (options.flag('destroy') && args.length > 0) return { kind: 'destroy', names: args }
  const action = options.text('action')
  if (action !== undefined && path !== undefined) return ofMap({ kind: 'action', fun: action })
  if (action !== undefined && args.length > 0) return { kind: 'action', fun: action, words: args }
  const fun = options.text('function')
  if (fun !== undefined) {
    const [provider, ...words] = args
    if (provider === undefined) return '-f option requires 2 arguments'
    if (provider === '' || provider.includes('=')) return '--function expects two arguments: <function-name> <provider>'
    const left = words.filter((word) => !word.includes('='))
    if (left.length > 0)
      return `Any arguments passed to --function need to be passed as kwargs. Ex: image=ami-54cf5c3d. Remaining arguments: [${left.map((word) => `'${word}'`).join(', ')}]`
    return { kind: 'function', fun, provider, words }
  }
  const profile = options.text('profile')
  if (profile !== undefined && args.length > 0) return { kind: 'profile', profile, names: args }
  if (path !== undefined) return ofMap({ kind: 'make' })
  return 'Nothing was done. Using the proper arguments?'
}
