// The execution functions of the master's own machine, for `salt.cmd`.
import { join } from 'node:path'
import { openCall, systemOutside } from '../../agent/index.ts'
import { type MasterConfig, parseMinionConfig } from '../../core/config/index.ts'
import type { MasterModules } from '../../platform/embedded/index.ts'

/** What of the master's configuration such a minion has; its cache and its folders lie below `data_dir`. */
type Shared = Pick<MasterConfig, 'data_dir' | 'file_roots' | 'pillar_roots' | 'file_ignore_glob' | 'file_ignore_regex'>

/**
 * A minion without a master, opened for each call: its grains and modules are those of this moment. `id` is what it is
 * called among minions.
 */
export function machineModules(id: string, shared: Shared): MasterModules {
  const folder = join(shared.data_dir, 'modules')
  const folders = ['cachedir', 'data_dir', 'pki_dir', 'sock_dir', 'log_file'].map((key) => [key, join(folder, key)])
  const text = JSON.stringify({
    id,
    file_client: 'local',
    file_roots: shared.file_roots,
    pillar_roots: shared.pillar_roots,
    file_ignore_glob: shared.file_ignore_glob,
    file_ignore_regex: shared.file_ignore_regex,
    ...Object.fromEntries(folders),
  })
  const { config, written } = parseMinionConfig([{ name: 'master', text }])
  return {
    async run(fun, args, kwargs) {
      const agent = await openCall({ config, written, confDir: folder }, { local: true }, systemOutside())
      try {
        if (agent.view.functions.get(fun) === undefined) return { kind: 'missing' }
        return { kind: 'returned', value: await agent.cmd(fun, args, kwargs) }
      } finally {
        await agent.close()
      }
    },
  }
}
