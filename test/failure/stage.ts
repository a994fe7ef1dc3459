// A lab for faults: a master and minions as real processes, a reactor whose jobs note numbers in a file.
import { join } from 'node:path'
import { connect } from '../../client/index.ts'
import { createLab, type Lab, type LabOptions } from '../system/lab.ts'
import { NOTE_SLS, noteModule } from './observer.ts'

/** A lab, the file its jobs append to, and a way to fire numbers at it. */
export interface FailureLab {
  readonly lab: Lab
  readonly file: string
  /** Starts a minion; it fetches the module `note` from its master. */
  startMinion(id: string): void
  /**
   * Fires numbers from several sides until `more` says no; answers the acknowledged. A master that is away refuses, and
   * then the number may have been taken or not: either is right.
   */
  fire(options: {
    readonly sides: number
    readonly more: () => boolean
    /** Where the acknowledged are put as they come. */
    readonly into?: number[]
  }): Promise<number[]>
  close(): Promise<void>
}

/** Makes it with a running master. Every tag `note/…` leads to a job. */
export async function failureLab(
  options: LabOptions = {},
  sls: Readonly<Record<string, string>> = {},
): Promise<FailureLab> {
  const lab = await createLab({ ...options, master: `auto_accept: True\nreactor_breaker: 0\n${options.master ?? ''}` })
  const files = ['note.sls', ...Object.keys(sls)]
  lab.write(
    'etc/brine/master.d/reactor.conf',
    `reactor:\n${files.map((file) => `  - 'note/*': [/srv/reactor/${file}]\n`).join('')}`,
  )
  lab.write('srv/reactor/note.sls', NOTE_SLS)
  for (const [name, text] of Object.entries(sls)) lab.write(`srv/reactor/${name}`, text)
  const file = join(lab.root, 'noted')
  lab.write('srv/salt/_modules/note.mjs', noteModule(file))
  await lab.startMaster()
  let next = 0
  return {
    lab,
    file,
    startMinion(id) {
      lab.startMinion(id)
    },
    async fire({ sides, more, into: acknowledged = [] }) {
      const side = async (): Promise<void> => {
        const connection = connect({ kind: 'socket', path: lab.socket() })
        while (more()) {
          const n = next++
          try {
            await connection.fire('note/it', { n })
            acknowledged.push(n)
          } catch (error) {
            if (!isAway(error)) throw error
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
        }
        connection.close()
      }
      await Promise.all(Array.from({ length: sides }, side))
      return acknowledged
    },
    close: () => lab.close(),
  }
}

function isAway(error: unknown): boolean {
  return error instanceof Error && 'code' in error
}
