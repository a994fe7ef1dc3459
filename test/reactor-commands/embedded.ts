// An embedded master in this process, whose store a test can make fail, asked by the real commands over its socket.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { embeddedOptions } from '../../cli/commands/master-options.ts'
import { parseMasterConfig } from '../../core/config/index.ts'
import { type EmbeddedMaster, type EmbeddedOptions, startEmbeddedMaster } from '../../platform/embedded/index.ts'
import { testMinion } from '../master/harness.ts'
import { ensureBuilt, programPath } from '../system/built.ts'
import { type Ended, runProgram } from '../system/process.ts'

/** A master with its folder, and the commands as typed on its machine. */
export interface EmbeddedStage {
  readonly root: string
  readonly embedded: EmbeddedMaster
  run(...args: string[]): Promise<Ended>
  /** Takes a minion in and answers its jobs from then on by `collect`. */
  accept(id: string): Promise<void>
  close(): Promise<void>
}

/** Starts it; `@LAB@` stands for the folder in the configuration and in the files. */
export async function embeddedStage(
  config: string,
  files: Readonly<Record<string, string>>,
  more: Partial<EmbeddedOptions> = {},
): Promise<EmbeddedStage> {
  await ensureBuilt()
  const root = mkdtempSync(join(tmpdir(), 'brine-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const text = `root_dir: ${root}
pki_dir: pki
data_dir: data
sock_dir: run
interface: 127.0.0.1
auto_accept: True
reactor_root: ${root}/srv/reactor
file_roots:
  base:
    - ${root}/srv/salt
rest_cherrypy:
  port: 0
${config}`
  // Threads may not set it; the folder is this user's alone anyway.
  vi.spyOn(process, 'umask').mockReturnValue(0)
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const parsed = parseMasterConfig([{ name: 'master', text }])
  const embedded = await startEmbeddedMaster({
    ...embeddedOptions({ ...parsed, confFile: join(root, 'master') }, log),
    ...more,
  })
  return {
    root,
    embedded,
    run: (...args) =>
      runProgram(process.execPath, [programPath('brine-run'), '--sock', embedded.socketPath, ...args], { cwd: root }),
    async accept(id) {
      const { options } = embedded.master
      await embedded.master.authenticate(await testMinion(id).request({ audience: options.id }))
    },
    async close() {
      await embedded.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
