// The execution functions of the master's own machine, for `salt.cmd`.
import { join } from 'node:path'
import { openCall, systemOutside } from '../../agent/index.ts'
import { parseMinionConfig } from '../../core/config/index.ts'
import type { MasterModules } from '../../platform/embedded/index.ts'

/** Where such a function finds what a minion has of its own. */
export interface MasterMachine {
  /** What it is called among minions: `<id>_master`. */
  readonly id: string
  /** Its cache and its folders lie below this one. */
  readonly dataDir: string
  readonly fileRoots: Readonly<Record<string, readonly string[]>>
  readonly pillarRoots: Readonly<Record<string, readonly string[]>>
}

/** A minion without a master, opened for each call: its grains and modules are those of this moment. */
export function machineModules({ id, dataDir, fileRoots, pillarRoots }: MasterMachine): MasterModules {
  const folder = join(dataDir, 'modules')
  const folders = ['cachedir', 'data_dir', 'pki_dir', 'sock_dir', 'log_file'].map((key) => [key, join(folder, key)])
  const text = JSON.stringify({
    id,
    file_client: 'local',
    file_roots: fileRoots,
    pillar_roots: pillarRoots,
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
