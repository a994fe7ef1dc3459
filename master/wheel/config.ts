// The wheels `config` and `minions`: the master's configuration, and who is connected.
import type { Mapping } from '../../core/value/index.ts'
import type { Presence } from '../presence.ts'
import type { MasterFunction } from '../run.ts'
import { withoutSecrets } from '../runners/trying.ts'

/** Functions of the wheels `config` and `minions`. `opts` is the master's configuration. */
export function configWheel(opts: Mapping, presence: Presence): Record<string, MasterFunction> {
  return {
    'config.values': {
      signature: { params: [] },
      doc: '    Return the configuration of the master; secrets are masked\n\n    .. code-block:: bash\n\n        brine-run salt.cmd config.values\n',
      readOnly: true,
      idempotent: true,
      run: async () => withoutSecrets(opts),
    },
    'minions.connected': {
      signature: { params: [] },
      doc: '    List the minions that are connected to the master\n',
      readOnly: true,
      idempotent: true,
      run: async () => [...(await presence.present())].sort(),
    },
  }
}
