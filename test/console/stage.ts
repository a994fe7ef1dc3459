// A master whose console is looked at, minions as processes of their own, and a store that can be made to fail.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedOptions } from '../../cli/commands/master-options.ts'
import { parseMasterConfig } from '../../core/config/index.ts'
import { BrineError } from '../../core/error.ts'
import { type EmbeddedMaster, startEmbeddedMaster } from '../../platform/embedded/index.ts'
import { ensureBuilt, programPath, ROOT } from '../system/built.ts'
import { freePort } from '../system/lab.ts'
import { type Background, startProgram } from '../system/process.ts'

/** The password of both users: `admin` may everything, `limited` only `test.*`. */
export const PASSWORD = 'console-secret'

const FILES: Readonly<Record<string, string>> = {
  'srv/reactor/hello.sls': `greet:
  local.test.echo:
    - tgt: {{ data['id'] }}
    - arg:
      - hello {{ data['data']['name'] }}
`,
  'srv/reactor/ship.sls': `pack:
  local.test.echo:
    - tgt: web1
    - arg:
      - pack {{ data['order'] }}
`,
  'srv/salt/web.sls': `@LAB@/motd:
  file.managed:
    - contents: |
        Welcome to brine.
        All that happens here is told.
web service:
  test.succeed_with_changes: []
migrate:
  cmd.run:
    - name: echo the database is read-only >&2; false
certificate:
  test.nop: []
`,
  'srv/salt/orch/deploy.sls': `drain:
  salt.function:
    - name: cmd.run
    - tgt: web1
    - arg: ['for n in $(seq 3000); do [ -e @LAB@/drained ] && exit 0; sleep 0.1; done']
deploy:
  salt.function:
    - name: test.echo
    - tgt: '*'
    - arg: [version 1.4.2]
    - require:
      - salt: drain
look:
  salt.runner:
    - name: manage.present
    - require:
      - salt: deploy
`,
}

/** What runs. */
export interface ConsoleStage {
  readonly embedded: EmbeddedMaster
  /** The console's address. */
  readonly url: string
  /** How often the delivery of the next jobs that pack something fails. */
  failNext(times: number): void
  /** Lets `drain` end, the first step of `orch.deploy`; until then it lasts. */
  letDrain(): void
  /** Has it last again. */
  holdDrain(): void
  close(): Promise<void>
}

/** Starts master and minions; the minions wait for their keys to be accepted. */
export async function startConsoleStage(minions: readonly string[]): Promise<ConsoleStage> {
  await ensureBuilt()
  const root = mkdtempSync(join(tmpdir(), 'brine-'))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text.replaceAll('@LAB@', root))
  }
  const text = `root_dir: ${root}
pki_dir: pki
data_dir: data
sock_dir: run
interface: 127.0.0.1
reactor_root: ${root}/srv/reactor
file_roots:
  base:
    - ${root}/srv/salt
rest_cherrypy:
  port: ${await freePort()}
  disable_ssl: True
sharedsecret: ${PASSWORD}
external_auth:
  sharedsecret:
    admin: ['.*', '@runner', '@wheel', '@jobs']
    limited: ['test.*']
netapi_enable_clients: [local, local_async, runner, runner_async, wheel]
reactor:
  - 'hello/*':
    - /srv/reactor/hello.sls
  - 'shop/order/*/paid':
    - /srv/reactor/ship.sls
`
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const parsed = parseMasterConfig([{ name: 'master', text }])
  const embedded = await startEmbeddedMaster({
    ...embeddedOptions({ ...parsed, confFile: join(root, 'master') }, log),
    reactorRetry: { tries: 2, base: 10_000, cap: 20_000 },
  })
  // What is told before it is stored, or answered before, takes longer to be stored than the page waits by itself.
  const { orchestrations, queue } = embedded.store
  const create = orchestrations.create.bind(orchestrations)
  orchestrations.create = async (record) => {
    await sleep(1_500)
    return create(record)
  }
  const settle = queue.settle.bind(queue)
  queue.settle = async (event, settlement) => {
    if (settlement.kind === 'dead') await sleep(2_000)
    await settle(event, settlement)
  }
  let failing = 0
  const { mailbox } = embedded.store
  const put = mailbox.put.bind(mailbox)
  mailbox.put = async (ids, entry) => {
    if (failing > 0 && isPacking(entry.envelope)) {
      failing--
      throw new BrineError('The mailboxes cannot be written just now.', { code: 'busy' })
    }
    await put(ids, entry)
  }
  const programs = minions.map((id) => startMinion(root, embedded.url, id))
  return {
    embedded,
    url: `${embedded.url}/console/`,
    failNext(times) {
      failing = times
    },
    letDrain: () => writeFileSync(join(root, 'drained'), ''),
    holdDrain: () => rmSync(join(root, 'drained'), { force: true }),
    async close() {
      await Promise.all(programs.map((program) => program.stop()))
      await embedded.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Whether a job's envelope, whose payload anybody may read, asks for what `ship.sls` does. */
function isPacking(envelope: string): boolean {
  return Buffer.from(envelope.split('.')[1] ?? '', 'base64url')
    .toString()
    .includes('"pack ')
}

function startMinion(root: string, url: string, id: string): Background {
  const folder = join(root, 'etc', id)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'minion'),
    `id: ${id}
master: ${url}
root_dir: ${join(root, id)}
acceptance_wait_time: 1
`,
  )
  return startProgram(process.execPath, [programPath('brine-minion'), '-c', folder], join(root, `${id}.said`), {
    env: { BRINE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/brine') },
  })
}
