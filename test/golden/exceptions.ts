// Transcripts that need not come out equal, each with its reason: what was decided otherwise, and what is not here yet.
import type { Argv, Step } from './scenario.ts'

/** Why a transcript may differ. */
export interface Exception {
  readonly kind: 'decided' | 'later'
  readonly reason: string
}

const decided = (reason: string): Exception => ({ kind: 'decided', reason })

const TRACEBACK = decided('Salt prints a Python traceback')
const MANAGE_KEY = decided(
  "carries the master's secret key of 3007's reactor management; here the runner asks the store",
)

/** By transcript. `events/…`, `cli/…`, `reactor/…` as in the goldens. */
const EXCEPTIONS: ReadonlyMap<string, Exception> = new Map([
  ['reactor/kwarg_list', decided('`kwarg` given as a list of maps is merged (Salt drops it silently)')],
  ['reactor/dupid', decided('the same ID in two files: both run (Salt runs the later alone)')],
  ['reactor/user_reactor_skipped', decided("an event of the user Reactor is reacted to, within the loop's limits")],
  ['reactor/unknown_chain', decided("an unknown reaction fails alone; the event's others run (Salt's reactor dies)")],
  ['reactor/unknown_type', decided("an unknown reaction fails alone (Salt's reactor dies)")],
  ['reactor/unknown_fun', decided('the reaction ends in the ledger with its reason; Salt fires a Python traceback')],
  ['reactor/caller', decided('`caller.` on a master fails with its reason (Salt hangs)')],
  ['reactor/caller_legacy', decided('`caller.` on a master fails with its reason (Salt hangs)')],
  ['reactor/loop', decided('a loop ends (Salt goes on for ever)')],
  ['reactor/pyrender', decided('the Python renderer is not taken: no Python is run')],
  ['reactor/require', decided('a requisite orders reactions and skips on failure (3007 passes it through)')],
  ['events/42_minion_down', decided('who is connected is known: no saltutil.find_job rounds')],
  ['cli/key_F', decided('one signing key, not master.pem and master.pub')],
  ['cli/err_exc', TRACEBACK],
  ['cli/run_exc', TRACEBACK],
  ['cli/jobs_list_jobs', decided("Salt's own fault in reading the option")],
  ['cli/run_reactor_list', MANAGE_KEY],
  ['cli/run_reactor_list_json', MANAGE_KEY],
  ['cli/run_reactor_add', MANAGE_KEY],
  ['cli/run_reactor_add_again', MANAGE_KEY],
  ['cli/run_reactor_del', MANAGE_KEY],
  ['cli/run_reactor_del_again', MANAGE_KEY],
  ['cli/run_reactor_leader', MANAGE_KEY],
])

const LATER: readonly (readonly [RegExp, string])[] = [
  [/^(salt|salt-call) .*\bstate\.(?!highstate\b)/, 'states'],
  [/^salt-run .*\bstate\.(?!event\b)/, 'orchestration'],
  [/\bpillar\.|with_pillar|^salt (-I|-J)\b/, 'pillar'],
  [/^salt (-S|-P|-R)\b/, 'the other targets'],
  [
    /--(summary|subset|show-jid|hide-timeout|state-\S+|args-separator|force-color|out-indent)\b/,
    "the commands' other options",
  ],
  [/--out=(newline_values_only|pprint)\b/, 'the other outputters'],
  [/\btest\.ping,test\.arg\b/, 'several functions in one job'],
  [/\bjobs\.(list_job|print_job|exit_success|last_run)\b/, 'the other runners'],
  [/\bmanage\.(present|versions)\b|\berror\.error\b/, 'the other runners'],
]

/** What a step types, one line a command. */
function linesOf(step: Step): readonly string[] {
  const line = (argv: Argv) => argv.join(' ')
  if ('argv' in step) return [line(step.argv)]
  return step.kind === 'events' ? step.during.flatMap((part) => ('argv' in part ? [line(part.argv)] : [])) : []
}

/** Why the step's transcript may differ, or undefined where it must be equal. */
export function exceptionOf(folder: string, name: string, step: Step): Exception | undefined {
  const known = EXCEPTIONS.get(`${folder}/${name}`)
  if (known !== undefined) return known
  if (folder === 'reactor' && name === 'orch') return { kind: 'later', reason: 'orchestration' }
  const found = linesOf(step).flatMap((line) => LATER.filter(([pattern]) => pattern.test(line)))[0]
  return found === undefined ? undefined : { kind: 'later', reason: found[1] }
}
