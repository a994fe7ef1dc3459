// The configuration keys that master and minion have in common.
import type { Value } from '../value/index.ts'
import { key, ownKey, unusedKey } from './key.ts'
import { anything, flag, map, oneOf, optional, regexes, retry, roots, text, texts, whole } from './types.ts'

const level = oneOf('all', 'garbage', 'trace', 'debug', 'profile', 'info', 'warning', 'error', 'critical', 'quiet')
const empty: Value = {}

/** What else is read, and what is written to the log. */
export const logKeys = {
  include: key(texts, [], 'Further files, by name or shell pattern, relative to the file that names them.'),
  log_level: key(level, 'warning', 'What is written to the terminal, from this level up.'),
  log_level_logfile: key(optional(level), null, 'What is written to `log_file`; `log_level` where it is not set.'),
  log_format: ownKey(oneOf('text', 'json'), 'text', 'Lines of text, or one JSON object a line.'),
}

/** Where states, pillar and files come from. */
export const rootsKeys = {
  file_roots: key(
    roots,
    { base: ['/srv/salt'] },
    'Folders of states and files, by environment; the first that has a file wins.',
  ),
  pillar_roots: key(roots, { base: ['/srv/pillar'] }, 'Folders of pillar files, by environment.'),
  state_top: key(text, 'top.sls', 'The name of the top file.'),
  default_top: key(text, 'base', 'Whose top file counts where environments disagree.'),
  env_order: key(texts, [], 'The order in which environments are looked at.'),
  top_file_merging_strategy: key(
    oneOf('merge', 'merge_all', 'same'),
    'merge',
    'How the top files of several environments become one.',
  ),
  saltenv: key(optional(text), null, 'The environment where none is named.'),
  pillarenv: key(optional(text), null, 'The environment of the pillar where none is named.'),
  file_ignore_glob: key(texts, [], 'Files of `file_roots` that nobody gets: shell patterns of their paths.'),
  file_ignore_regex: key(
    regexes,
    [],
    'Files of `file_roots` that nobody gets: regular expressions that are found in their paths.',
  ),
  hash_type: key(oneOf('sha256', 'sha512', 'sha384', 'sha1', 'md5'), 'sha256', 'The hash by which files are compared.'),
}

/** How states are run and shown. */
export const stateKeys = {
  state_events: key(flag, false, 'Fire an event for each state that ran.'),
  state_output: key(
    oneOf('full', 'terse', 'mixed', 'changes', 'filter', 'full_id', 'terse_id', 'mixed_id', 'changes_id', 'filter_id'),
    'full',
    'How much is printed of each state.',
  ),
  state_output_diff: key(flag, false, 'Print only states that changed something or failed.'),
  state_verbose: key(flag, true, 'Print also states that changed nothing.'),
  state_auto_order: key(flag, true, 'Run states in the order of the files.'),
  failhard: key(flag, false, 'End a state run at the first failure.'),
}

/** What the reactor does; a minion without a master has one too. */
export const reactorKeys = {
  reactor: key(
    anything,
    [],
    'The list of event globs and the SLS files they lead to; in place of the files a map `{sls, match, once_within, group_by}`.',
  ),
  reactor_worker_threads: unusedKey(whole(1), 10, 'Reactions run side by side without threads.'),
  reactor_breaker: ownKey(
    whole(),
    600,
    "Reactions of one entry to one minion's events in a minute; more opens the breaker for a minute. 0 for any number.",
  ),
  reactor_retry: ownKey(
    retry,
    {},
    'How often a reaction is tried that finds the store busy: tries (5), base (1) and cap (300), in seconds.',
  ),
  reactor_root: ownKey(text, '/srv/reactor', 'What `/srv/reactor/` means where that folder does not exist.'),
  schedule: key(map, empty, 'Functions that run by themselves.'),
  max_event_size: unusedKey(whole(1024), 1_048_576, 'Large events are kept whole, their bulk beside the record.'),
}
