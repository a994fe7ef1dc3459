// The whole system in one process: an embedded master with the sample reactors, one minion, the bus on the terminal.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createMinion, systemOutside } from '../../agent/index.ts'
import { localFolder } from '../../client/config-files.ts'
import { masterConfig, minionConfig, reactorEntries } from '../../client/configuration.ts'
import { messageOf } from '../../core/error.ts'
import { type EmbeddedMaster, startEmbeddedMaster } from '../../platform/embedded/index.ts'
import { eventLine } from '../output/event-line.ts'
import { untilToldToEnd } from './daemon.ts'
import { openLog } from './log.ts'
import { embeddedOptions } from './master-options.ts'

const minionId = 'minion1'

/** Runs until interrupted. What it makes is in `.brine/`, below the working folder. */
export async function startCommand(argv: readonly string[]): Promise<number> {
  const say = (line: string): void => void process.stderr.write(line)
  const folder = resolve(localFolder)
  const log = openLog({
    name: 'brine',
    format: 'text',
    level: 'warning',
    fileLevel: 'info',
    file: join(folder, 'log', 'brine'),
  })
  try {
    const configDir = prepare(folder, portOf(argv))
    const master = await startEmbeddedMaster({
      ...embeddedOptions(await masterConfig(configDir, process.env, true, say), log),
      configDir,
      readEntries: () => reactorEntries(configDir, process.env),
    })
    const stopPrinting = new AbortController()
    const printed = printBus(master, stopPrinting.signal)
    const minion = createMinion(await minionConfig({ configDir }, process.env, true, say), systemOutside(log))
    await minion.start()
    greet(master, say)
    await acceptMinion(master)
    await untilToldToEnd()
    say('\nEnding: the minion first, then the master.\n')
    await minion.stop()
    await master.stop()
    stopPrinting.abort()
    await printed
    return 0
  } catch (error) {
    say(`${messageOf(error)}\n`)
    return 1
  } finally {
    await log.close()
  }
}

function portOf(argv: readonly string[]): number {
  const at = argv.indexOf('--port')
  return at < 0 ? 8000 : Number(argv[at + 1])
}

/** Writes the configuration where there is none yet; what the user changes in it stays. */
function prepare(folder: string, port: number): string {
  const configDir = join(folder, 'etc')
  const reactors = resolve('reactors')
  const write = (name: string, text: string): void => {
    if (!existsSync(join(configDir, name))) writeFileSync(join(configDir, name), text, { mode: 0o600 })
  }
  mkdirSync(join(configDir, 'master.d'), { recursive: true, mode: 0o700 })
  write(
    'master',
    `# The master that \`npm start\` runs. Salt's keys; docs/configuration.md lists them.
root_dir: ${folder}
pki_dir: pki/master
cachedir: cache/master
data_dir: data/master
sock_dir: run
log_file: log/master
interface: 127.0.0.1
reactor_root: ${reactors}
file_roots:
  base:
    - ${join(folder, 'srv')}
presence_events: False
rest_cherrypy:
  port: ${port}
# Who may use the API: admin, with this secret as the password.
sharedsecret: ${randomBytes(20).toString('hex')}
external_auth:
  sharedsecret:
    admin:
      - '.*'
      - '@runner'
      - '@wheel'
      - '@jobs'
netapi_enable_clients: [local, local_async, local_subset, local_batch, runner, runner_async, wheel, wheel_async]
`,
  )
  write(
    'minion',
    `# The minion that \`npm start\` runs.
id: ${minionId}
master: https://127.0.0.1:${port}
root_dir: ${folder}
pki_dir: pki/minion
cachedir: cache/minion
data_dir: data/minion
sock_dir: run
log_file: log/minion
acceptance_wait_time: 1
`,
  )
  const conf = join(configDir, 'master.d', 'reactor.conf')
  if (!existsSync(conf) && existsSync(join(reactors, 'reactor.conf'))) symlinkSync(join(reactors, 'reactor.conf'), conf)
  return configDir
}

async function acceptMinion(master: EmbeddedMaster): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const lists = await master.master.keys.matching(minionId)
    if (lists.minions.length > 0) return
    if (lists.minions_pre.length > 0) {
      await master.master.keys.accept(minionId, {}, 'npm start')
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function printBus(master: EmbeddedMaster, signal: AbortSignal): Promise<void> {
  for await (const batch of master.store.log.follow('now', signal)) {
    for (const { event } of batch) process.stdout.write(`${eventLine(event, true)}\n`)
  }
}

function greet(master: EmbeddedMaster, say: (line: string) => void): void {
  say(`
Brine runs: master at ${master.url}, minion ${minionId}, reactors in reactors/. The bus is printed here; Ctrl-C ends it.
In a second terminal, in this folder:

  npx brine '*' test.ping
  npx brine-call event.send hello/world name=you
  npx brine-run jobs.list_jobs
  npx brine-key -L

The REST API is salt-api's, with a certificate of the master's own (SHA-256 ${master.certificate?.fingerprint ?? 'none'}):
user admin, eauth sharedsecret, the password (sharedsecret) is in ${localFolder}/etc/master. The console, for a browser: ${master.url}/console/

  curl -k ${master.url}/login -d username=admin -d eauth=sharedsecret -d password=…
  curl -SsNk '${master.url}/events?token=…'

`)
}
