// The wheels `config` and `minions`: the master's configuration, and who is connected.
import type { Mapping } from '../../core/value/index.ts'
import type { Presence } from '../presence.ts'
import type { MasterFunction } from '../run.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { wheelDoc } from './wheel-doc.ts'

/** Functions of the wheels `config` and `minions`. `opts` is the master's configuration. */
export function configWheel(opts: Mapping, presence: Presence): Record<string, MasterFunction> {
  return {
    'config.values': {
      signature: { params: [] },
      doc: wheelDoc('Return the configuration of the master; secrets are masked', 'config.values'),
      readOnly: true,
      idempotent: true,
      run: async () => withoutSecrets(opts),
    },
    'minions.connected': {
      signature: { params: [] },
      doc: wheelDoc('List the minions that are connected to the master', 'minions.connected'),
      readOnly: true,
      idempotent: true,
      run: async () => [...(await presence.present())].sort(),
    },
  }
}
