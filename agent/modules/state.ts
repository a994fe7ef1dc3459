// Applying states. As yet the minion gets no states from its master, and says so in Salt's words.
import { type Call, define, type ExecutionModule, examples } from './module.ts'

const noTop = 'No Top file or master_tops data matches found. Please see master log for details.'

async function highstate(call: Call) {
  // Salt compiles the pillar anew for a highstate, which proves the key and refreshes the grains on the master.
  if (!call.agent.isLocal) await call.agent.refreshMaster({ reauthenticate: true })
  call.context.retcode = 2
  return {
    'no_|-states_|-states_|-None': { result: false, comment: noTop, name: 'No States', changes: {}, __run_num__: 0 },
  }
}

/** Salt's `state` module. */
export const state: ExecutionModule = {
  name: 'state',
  file: 'state',
  functions: {
    highstate: define(
      'test=None, queue=None, **kwargs',
      `Bring the minion to the state that the top file gives it.${examples("brine '*' state.highstate")}`,
      (_, call) => highstate(call),
      { out: 'highstate' },
    ),
  },
}
