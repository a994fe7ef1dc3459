// Transcripts that need not come out equal, each with its reason.

/**
 * Why a transcript may differ. `superseded`: SEMANTICS.md takes it out of what has to be equal; `decided`: it differs for a reason of ours, and counts as not equal.
 */
export interface Exception {
  readonly kind: 'superseded' | 'decided'
  readonly reason: string
}

const decided = (reason: string): Exception => ({ kind: 'decided', reason })
const superseded = (reason: string): Exception => ({ kind: 'superseded', reason })

const TRACEBACK = decided('Salt prints a Python traceback')

/** By transcript. `events/…`, `cli/…`, `reactor/…` as in the goldens. */
const EXCEPTIONS: ReadonlyMap<string, Exception> = new Map([
  ['reactor/kwarg_list', superseded('`kwarg` given as a list of maps is merged (Salt drops it silently)')],
  ['reactor/dupid', superseded('the same ID in two files: both run (Salt runs the later alone)')],
  ['reactor/user_reactor_skipped', superseded("an event of the user Reactor is reacted to, within the loop's limits")],
  [
    'reactor/unknown_chain',
    superseded("an unknown reaction fails alone; the event's others run (Salt's reactor dies)"),
  ],
  ['reactor/unknown_type', superseded("an unknown reaction fails alone (Salt's reactor dies)")],
  ['reactor/unknown_fun', superseded('the reaction ends in the ledger with its reason; Salt fires a Python traceback')],
  ['reactor/caller', superseded('`caller.` on a master fails with its reason (Salt hangs)')],
  ['reactor/caller_legacy', superseded('`caller.` on a master fails with its reason (Salt hangs)')],
  ['reactor/loop', decided('a loop ends (Salt goes on for ever)')],
  ['reactor/pyrender', decided('the Python renderer is not taken: no Python is run')],
  ['reactor/require', decided('a requisite orders reactions and skips on failure (3007 passes it through)')],
  ['events/24_highstate_no_top', decided('a state run authenticates first, as the articles print it')],
  ['events/43_key_reject_delete', decided('a rejected key has `act: reject` (3007 leaves `act` out)')],
  ['events/42_minion_down', decided('who is connected is known: no saltutil.find_job rounds')],
  ['cli/key_F', decided('one signing key, not master.pem and master.pub')],
  ['cli/run_reactor_list', decided('an entry whose file is a text is listed with a list of one')],
  ['cli/run_reactor_list_json', decided('an entry whose file is a text is listed with a list of one')],
  ['cli/cli_no_master_ping', decided('says where it looked for the master, and fails')],
  ['cli/err_exc', TRACEBACK],
  ['cli/run_exc', TRACEBACK],
  ['cli/jobs_list_jobs', decided("Salt's own fault in reading the option")],
])

/** Why a transcript may differ, or undefined where it must be equal. */
export function exceptionOf(folder: string, name: string): Exception | undefined {
  return EXCEPTIONS.get(`${folder}/${name}`)
}
