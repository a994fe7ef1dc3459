// Fingerprints, to compare with what the other side shows.
import { define, type ExecutionModule, examples } from './module.ts'

/** Salt's `key` module. */
export const key: ExecutionModule = {
  name: 'key',
  file: 'key',
  functions: {
    finger: define(
      'hash_type=None',
      `Return the fingerprint of the minion's public key${examples("brine '*' key.finger")}`,
      (_, call) => call.agent.security.minionFinger,
      { readOnly: true },
    ),
    finger_master: define(
      'hash_type=None',
      `Return the fingerprint of the master's key that the minion trusts${examples("brine '*' key.finger_master")}`,
      (_, call) => call.agent.security.masterFinger(),
      { readOnly: true },
    ),
  },
}
