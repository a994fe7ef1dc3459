// A master in this process, whose store can be made to fail, and a minion as a real process that notes what it ran.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { embeddedOptions } from '../../cli/commands/master-options.ts'
import { parseMasterConfig } from '../../core/config/index.ts'
import { type EmbeddedMaster, startEmbeddedMaster } from '../../platform/embedded/index.ts'
import { ensureBuilt, programPath } from '../system/built.ts'
import { type Background, startProgram } from '../system/process.ts'
import { waitFor } from '../system/wait.ts'
import { NOTE_SLS, noteModule } from './observer.ts'

/** The master, and the file that the minion `worker` notes numbers in. */
export interface FaultStage {
  readonly root: string
  readonly embedded: EmbeddedMaster
  readonly file: string
  readonly warnings: readonly string[]
  /** Fires numbers as somebody outside would; answers those that were acknowledged. */
  fire(numbers: readonly number[], sides?: number): Promise<number[]>
  close(): Promise<void>
}

/** Starts both and waits for the minion. Retries are quick and leases short, so that faults are met often and got over soon. */
export async function faultStage(
  sls: Readonly<Record<string, string>> = {},
  retry: { tries: number; base: number; cap: number } = { tries: 20, base: 5_000, cap: 100_000 },
): Promise<FaultStage> {
  await ensureBuilt()
  const root = mkdtempSync(join(tmpdir(), 'brine-'))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const file = join(root, 'noted')
  for (const [name, text] of Object.entries({ ...sls, 'note.sls': NOTE_SLS })) write(`srv/reactor/${name}`, text)
  write('srv/salt/_modules/note.mjs', noteModule(file))
  const entries = [...Object.keys(sls), 'note.sls'].map((name) => `  - 'note/*': [/srv/reactor/${name}]\n`).join('')
  const text = `root_dir: ${root}
id: lab
pki_dir: pki
data_dir: data
sock_dir: run
interface: 127.0.0.1
auto_accept: True
reactor_breaker: 0
reactor_root: ${root}/srv/reactor
file_roots: {base: [${root}/srv/salt]}
rest_cherrypy: {port: 0, disable_ssl: True}
reactor:
${entries}`
  const warnings: string[] = []
  const log = { info: () => undefined, warn: (line: string) => warnings.push(line), error: () => undefined }
  const parsed = parseMasterConfig([{ name: 'master', text }])
  const embedded = await startEmbeddedMaster({
    ...embeddedOptions({ ...parsed, confFile: join(root, 'master') }, log),
    reactorRetry: retry,
    reactorLease: 1_000_000,
  })
  write(
    'minion/minion',
    ['pki_dir', 'cachedir', 'data_dir', 'sock_dir'].map((key) => `${key}: ${root}/minion/${key}\n`).join('') +
      `log_file: ${root}/minion.log\nid: worker\nmaster: ${embedded.url}\nacceptance_wait_time: 1\nmaster_id: lab\n`,
  )
  mkdirSync(join(root, 'minion'), { recursive: true })
  const minion: Background = startProgram(process.execPath, [programPath('brine-minion')], join(root, 'minion-out'), {
    env: { BRINE_CONFIG_DIR: join(root, 'minion') },
  })
  await waitFor(
    () => `the minion to connect; it said ${minion.stderr().slice(-500)}`,
    async () => ((await embedded.store.connections.connected()).has('worker') ? true : undefined),
  )
  return {
    root,
    embedded,
    file,
    warnings,
    async fire(numbers, sides = 8) {
      const acknowledged: number[] = []
      const left = [...numbers]
      const side = async (): Promise<void> => {
        for (let n = left.shift(); n !== undefined; n = left.shift()) {
          try {
            await embedded.master.fire({ tag: 'note/it', data: { n } })
            acknowledged.push(n)
          } catch (error) {
            if (!(error instanceof Error)) throw error
          }
        }
      }
      await Promise.all(Array.from({ length: sides }, side))
      return acknowledged
    },
    async close() {
      await minion.stop()
      await embedded.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** The numbers below `count`. */
export const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n)
