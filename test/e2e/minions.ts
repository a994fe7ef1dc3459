// Minions as real processes, each with a folder of its own below the world's.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, programPath } from '../system/built.ts'
import { type Background, type Ended, runProgram, startProgram } from '../system/process.ts'

/** Starts and stops them. */
export interface Minions {
  /** `environment` is laid over the process's own. */
  start(id: string, environment?: Readonly<Record<string, string>>): Background
  call(id: string, args: readonly string[]): Promise<Ended>
  stopAll(): Promise<void>
}

/** Minions that join the master at the URL. */
export async function minionsAt(
  root: string,
  master: { readonly url: string; readonly id?: string },
): Promise<Minions> {
  await ensureBuilt()
  const running: Background[] = []
  const folderOf = (id: string) => join(root, 'etc', id)
  return {
    start(id, environment = {}) {
      const places = ['pki_dir', 'cachedir', 'data_dir', 'sock_dir'].map((key) => `${key}: ${root}/run/${id}/${key}\n`)
      mkdirSync(folderOf(id), { recursive: true })
      mkdirSync(join(root, 'logs'), { recursive: true })
      writeFileSync(
        join(folderOf(id), 'minion'),
        `${places.join('')}log_file: ${root}/logs/${id}.log
id: ${id}
master: ${master.url}
${master.id === undefined ? '' : `master_id: ${master.id}\n`}acceptance_wait_time: 1
`,
      )
      const program = startProgram(process.execPath, [programPath('brine-minion')], join(root, 'logs', id), {
        env: { ...environment, BRINE_CONFIG_DIR: folderOf(id) },
      })
      running.push(program)
      return program
    },
    call: (id, args) =>
      runProgram(process.execPath, [programPath('brine-call'), ...args], { env: { BRINE_CONFIG_DIR: folderOf(id) } }),
    async stopAll() {
      await Promise.all(running.map((program) => program.stop()))
    },
  }
}
