// The words beside the requisites themselves: those that are written the other way round, and all that the engine keeps.
import { REQUISITE_KEYWORDS } from '../sls/requisite-kinds.ts'

/** What is turned round, or copied, before the data is compiled. */
export const INVERTED: ReadonlySet<string> = new Set([
  'require_in',
  'watch_in',
  'onfail_in',
  'onchanges_in',
  'use',
  'use_in',
  'prereq_in',
])

/** What `use` and `use_in` never copy. */
export const NOT_USED: ReadonlySet<string> = new Set([
  ...INVERTED,
  'require',
  'watch',
  'prereq',
  'onfail',
  'onfail_stop',
  'onchanges',
])

/** What an argument of a state function can never be: words the engine keeps for itself. */
export const ENGINE_KEYWORDS: ReadonlySet<string> = new Set([
  ...REQUISITE_KEYWORDS,
  ...['onchanges_in', 'onfail_in', 'prereq_in', 'watch_in', 'require_in', 'listen_in', 'use', 'use_in'],
  ...['fun', 'state', 'check_cmd', 'cmd_opts_exclude', 'failhard', 'onlyif', 'unless', 'creates', 'retry', 'order'],
  ...['parallel', 'reload_modules', 'reload_grains', 'reload_pillar', 'runas', 'runas_password', 'no_log'],
  ...['fire_event', 'saltenv', 'umask', '__env__', '__sls__', '__id__', '__sls_included_from__'],
  ...['__orchestration_jid__', '__pub_user', '__pub_arg', '__pub_jid', '__pub_fun', '__pub_tgt', '__pub_ret'],
  ...['__pub_pid', '__pub_tgt_type', '__prereq__', '__prerequiring__', '__umask__'],
])
