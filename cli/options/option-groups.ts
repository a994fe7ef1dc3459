// The options that several commands share, group by group.
import type { OptionGroup, OptionSpec, RefusedOption } from './option.ts'

const LEVELS = ['all', 'debug', 'error', 'critical', 'garbage', 'info', 'profile', 'quiet', 'trace', 'warning']
const FILE_LEVELS = ['all', 'garbage', 'trace', 'debug', 'profile', 'info', 'warning', 'error', 'critical', 'quiet']
const LEVELS_BY_WEIGHT =
  "'all', 'garbage', 'trace', 'debug', 'profile', 'info', 'warning', 'error', 'critical' or 'quiet'"

/** `--version`, `-V`, `-h`: first in every command. */
export const ABOUT: readonly OptionSpec[] = [
  { flags: ['--version'], dest: 'version', kind: 'version', help: 'Print the version and exit.' },
  {
    flags: ['-V', '--versions-report'],
    dest: 'versions_report',
    kind: 'versions',
    help: 'Print the versions of Brine and of what it runs on, and exit.',
  },
  { flags: ['-h', '--help'], dest: 'help', kind: 'help', help: 'Print this help and exit.' },
]

/** `-c DIR`. */
export const CONFIG_DIR: OptionSpec = {
  flags: ['-c', '--config-dir'],
  dest: 'config_dir',
  kind: 'text',
  help: 'Read the configuration from this directory instead of the usual one.',
}

/** `--args-stdin`. */
export const ARGS_STDIN: OptionSpec = {
  flags: ['--args-stdin'],
  dest: 'args_stdin',
  kind: 'flag',
  help: 'Read further options and arguments from standard input, one a line.',
}

/** `--no-parse`. */
export const NO_PARSE: OptionSpec = {
  flags: ['--no-parse'],
  dest: 'no_parse',
  kind: 'text',
  metavar: 'argname1,argname2,...',
  help: 'Keep the values of these named arguments as text instead of reading them as YAML. Separate names by commas.',
}

/** `-t SECONDS`. */
export function timeout(seconds: number, dest = 'timeout'): OptionSpec {
  return {
    flags: ['-t', '--timeout'],
    dest,
    kind: 'integer',
    default: seconds,
    help: 'Seconds to wait for the command. Default: %default.',
  }
}

/** `-d`. */
export function doc(help: string): OptionSpec {
  return { flags: ['-d', '--doc', '--documentation'], dest: 'doc', kind: 'flag', help }
}

/** `--output-diff`. */
export const OUTPUT_DIFF: OptionSpec = {
  flags: ['--output-diff'],
  dest: 'state_output_diff',
  kind: 'flag',
  help: 'Print only the states that changed something or failed.',
}

/** `--jid`. */
export const JID: OptionSpec = {
  flags: ['--jid'],
  dest: 'jid',
  kind: 'text',
  help: 'Use this job id instead of a new one.',
}

/** How to reach a master that is not on this machine. */
export const BRINE_GROUP: OptionGroup = {
  title: 'Brine Options',
  description: 'Which master to talk to. Without any of these: the one on this machine.',
  options: [
    { flags: ['--master'], dest: 'master', kind: 'text', metavar: 'URL', help: 'The bootstrap URL of a master.' },
    {
      flags: ['--stack'],
      dest: 'stack',
      kind: 'text',
      metavar: 'NAME',
      help: 'The CloudFormation stack of a master on AWS, found with your AWS credentials.',
    },
    {
      flags: ['--sock'],
      dest: 'sock',
      kind: 'text',
      metavar: 'PATH',
      help: 'The socket of a master on this machine, instead of the one in sock_dir.',
    },
  ],
}

/** Logging; salt-key has no `-l` for the level, since that lists keys. */
export function logging(short: boolean): OptionGroup {
  return {
    title: 'Logging Options',
    description: 'These override what the configuration says about logging.',
    options: [
      {
        flags: short ? ['-l', '--log-level'] : ['--log-level'],
        dest: 'log_level',
        kind: 'choice',
        choices: LEVELS,
        help: `What is logged to standard error: ${LEVELS_BY_WEIGHT}. Default: 'warning'. Levels below 'info' may show secrets.`,
      },
      { flags: ['--log-file'], dest: 'log_file', kind: 'text', help: 'The file to log to.' },
      {
        flags: ['--log-file-level'],
        dest: 'log_level_logfile',
        kind: 'choice',
        choices: FILE_LEVELS,
        help: `What is logged to the file: ${LEVELS_BY_WEIGHT}. Default: 'warning'.`,
      },
    ],
  }
}

/** How returns are printed. */
export const OUTPUT: OptionGroup = {
  title: 'Output Options',
  description: 'How the answer is printed.',
  options: [
    {
      flags: ['--out', '--output'],
      dest: 'output',
      kind: 'text',
      refusedValues: {
        values: ['dson', 'overstatestage', 'pony', 'profile', 'progress', 'virt_query'],
        reason:
          'there are highstate, json, key, nested, newline_values_only, no_return, pprint, quiet, raw, table, txt and yaml.',
      },
      help: 'The outputter: nested, json, yaml, txt, raw, pprint, table, newline_values_only, highstate, key or quiet.',
    },
    {
      flags: ['--out-indent', '--output-indent'],
      dest: 'output_indent',
      kind: 'integer',
      help: 'Spaces a level in json, yaml and pprint. A negative number prints on one line.',
    },
    {
      flags: ['--out-file', '--output-file'],
      dest: 'output_file',
      kind: 'text',
      help: 'Write the answer to this file, which is emptied first.',
    },
    {
      flags: ['--out-file-append', '--output-file-append'],
      dest: 'output_file_append',
      kind: 'flag',
      help: 'Do not empty the file of --out-file first.',
    },
    { flags: ['--no-color', '--no-colour'], dest: 'no_color', kind: 'flag', help: 'Print without colours.' },
    {
      flags: ['--force-color', '--force-colour'],
      dest: 'force_color',
      kind: 'flag',
      help: 'Print with colours even where standard output is no terminal.',
    },
    {
      flags: ['--state-output', '--state_output'],
      dest: 'state_output',
      kind: 'text',
      help: "How states are printed: 'full', 'terse', 'mixed', 'changes' or 'filter'.",
    },
    {
      flags: ['--state-verbose', '--state_verbose'],
      dest: 'state_verbose',
      kind: 'text',
      help: 'False leaves out the states that succeeded without a change.',
    },
  ],
}

/** External authentication. */
export const EAUTH: OptionGroup = {
  title: 'External Authentication',
  options: [
    {
      flags: ['-a', '--auth', '--eauth', '--external-auth'],
      dest: 'eauth',
      kind: 'text',
      help: 'The authentication system to log in with, as in external_auth; the rights it gives are those that hold.',
    },
    {
      flags: ['-T', '--make-token'],
      dest: 'mktoken',
      kind: 'flag',
      help: 'Keep the token of this login in ~/.brine_token for the commands with the same --master, while it lives.',
    },
    { flags: ['--username'], dest: 'username', kind: 'text', help: 'Whom to log in as.' },
    { flags: ['--password'], dest: 'password', kind: 'text', help: 'The password; asked for where it is left out.' },
  ],
}

/** Options of Salt that no command of Brine has. */
export const REFUSED_EVERYWHERE: readonly RefusedOption[] = [
  { flags: ['--saltfile'], reason: 'there is no Saltfile; put settings into the configuration, or give -c.' },
  { flags: ['--hard-crash'], reason: 'use --log-level debug, which logs where an error came from.' },
]

/** The `--module-executors` family. */
export const REFUSED_EXECUTORS: RefusedOption = {
  flags: ['--module-executors', '--executor-opts'],
  reason: 'minions run functions directly.',
}

/** The profiling options of salt-run and salt-call. */
export const REFUSED_PROFILING: RefusedOption = {
  flags: ['--profiling-path', '--enable-profiling'],
  reason: 'run the command under node --cpu-prof instead.',
}

/** The options of daemons that a service manager takes over. */
export const REFUSED_DAEMON: readonly RefusedOption[] = [
  { flags: ['-d', '--daemon'], reason: 'it runs in the foreground; let systemd keep it in the background.' },
  { flags: ['--pid-file'], reason: 'its data directory is locked while it runs; ask systemd for the process id.' },
  { flags: ['--disable-keepalive'], reason: 'nothing restarts it but systemd.' },
  { flags: ['-u', '--user'], reason: 'start it as the user it should run as.' },
]
