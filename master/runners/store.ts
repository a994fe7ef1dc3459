// The `store` runner: a back-up of what the master stores, taken while it runs.
import { pythonStr } from '../../core/value/index.ts'
import { type MasterFunction, RunError } from '../run.ts'

/** Writes a back-up to a path, or to a name of its own where none is given; answers where it is. */
export type WriteBackup = (path: string | undefined) => Promise<{ path: string; bytes: number; payloads: number }>

/** The function. A platform that backs up in another way gives none. */
export function storeRunner(backup: WriteBackup | undefined): Record<string, MasterFunction> {
  return {
    'store.backup': {
      signature: { params: [{ name: 'path', default: null }] },
      doc: `    Back up the master's store into one file, while it goes on

    The file holds the store as it is at one moment, and the payloads; not the pki directory, which is to be kept apart.
    Without a path it stands below the data directory, under the time. A file that is there is never overwritten.
    \`brine-master --restore FILE\` puts it in force again.

    CLI Example:

    .. code-block:: bash

        brine-run store.backup
        brine-run store.backup /var/backups/brine-monday.tar.gz
`,
      async run({ named }) {
        if (backup === undefined) {
          throw new RunError('This master keeps nothing itself: turn on the point-in-time recovery of its tables.')
        }
        const path = named.path === null || named.path === undefined ? undefined : pythonStr(named.path)
        if (path !== undefined && !path.startsWith('/')) {
          throw new RunError(`The master does not know where ${path} is. Write the whole path, from / on.`)
        }
        return { ...(await backup(path)) }
      },
    },
  }
}
