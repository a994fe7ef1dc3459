// Orchestrations over a real store, with minions made of a function each, and masters that may die and come again.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { base64url } from 'jose'
import type { Event, Jid } from '../../core/event/event.ts'
import { isMapping, type Mapping, parseJson, type Value } from '../../core/value/index.ts'
import { createMaster, type Master, type MasterExtras } from '../../master/master.ts'
import { defaultMasterOptions } from '../../master/options.ts'
import type { Ports } from '../../master/ports.ts'
import type { RunOutcome } from '../../master/run.ts'
import { type EmbeddedStore, openEmbeddedStore } from '../../platform/embedded/store/index.ts'
import { masterId, testMinion } from './harness.ts'

/** A job as a minion gets it. */
export interface GivenJob {
  readonly jid: Jid
  readonly fun: string
  readonly arg: readonly Value[]
}

/** What a minion answers: the return, or undefined for never. */
export type Answering = (minion: string, job: GivenJob) => { return: Value; retcode?: number; out?: string } | undefined

/** A master with its minions. */
export interface OrchestrationStage {
  readonly store: EmbeddedStore
  /** The master there is now. */
  master(): Master
  /** Every job each minion ran, in order: `minion fun arg`. */
  readonly ran: string[]
  /** Runs `state.orchestrate`. */
  orchestrate(kwarg: Mapping, user?: string): Promise<RunOutcome>
  /** Ends the driver as a crash does, and makes another master over the same store; `ports` may stand in for its own. */
  restart(ports?: Partial<Ports>): Promise<Master>
  events(): Promise<Event[]>
  close(): Promise<void>
}

/** What a stage has beside minions and files. */
export interface StageExtras {
  /** Puts more below or beside the folder of the files. */
  readonly prepare?: (root: string) => void
  readonly master?: (root: string) => Partial<MasterExtras>
}

/** Makes one with these accepted minions and SLS files. */
export async function orchestrationStage(
  minions: readonly string[],
  files: Readonly<Record<string, string>>,
  answering: Answering,
  extras: StageExtras = {},
): Promise<OrchestrationStage> {
  const folder = mkdtempSync(join(tmpdir(), 'brine-orch-'))
  for (const [path, text] of Object.entries(files)) {
    const full = join(folder, 'srv', path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
  }
  const root = join(folder, 'srv')
  extras.prepare?.(root)
  const store = await openEmbeddedStore({
    dataDir: join(folder, 'data'),
    pkiDir: join(folder, 'pki'),
    fileRoots: { base: [root] },
  })
  const makeMaster = (ports: Partial<Ports> = {}): Master =>
    createMaster(
      { ...store, ...ports },
      { ...defaultMasterOptions, id: masterId, version: '0.0.0', autoAccept: true },
      {
        timeout: 0.4,
        gatherJobTimeout: 0.4,
        template: { opts: { id: 'vm_master' }, grains: {}, pillar: {} },
        ...extras.master?.(root),
      },
    )
  // What minions talk to does not die with the master that is tried: they send a return until it is taken.
  const gateway = makeMaster()
  let master = makeMaster()
  for (const id of minions) await master.authenticate(await testMinion(id).request())
  const ran: string[] = []
  const ended = new AbortController()
  const working = minions.map((id) => work(id, store, gateway, answering, ran, ended.signal))
  return {
    store,
    master: () => master,
    ran,
    orchestrate(kwarg, user = 'root') {
      const jid = store.clock.jid()
      const own = user === 'root' ? { orchestration_jid: jid } : {}
      const asked = {
        client: 'runner',
        fun: 'state.orchestrate',
        arg: [],
        kwarg: { ...own, ...kwarg },
        user,
        jid,
      } as const
      return master.startRun(asked).outcome
    },
    async restart(ports) {
      // A dead process may hang in the middle of a turn: nobody waits for it.
      const dying = master
      void dying.orchestrations().then((all) => all.stop().catch(() => undefined))
      master = makeMaster(ports)
      return master
    },
    events: async () => (await store.log.read('oldest', 100_000)).events.map(({ event }) => event),
    async close() {
      ended.abort()
      await (await master.orchestrations()).stop()
      await Promise.all(working)
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A minion: each job once, whatever it is given again. */
async function work(
  id: string,
  store: EmbeddedStore,
  master: Master,
  answering: Answering,
  ran: string[],
  signal: AbortSignal,
): Promise<void> {
  const known = new Set<Jid>()
  while (!signal.aborted) {
    for (const { jid, envelope } of await store.mailbox.fetch(id, store.clock.now())) {
      if (known.has(jid)) continue
      const job = parseJson(
        new TextDecoder().decode(base64url.decode(envelope.split('.')[1] ?? '')),
      ) as unknown as GivenJob
      const answer = answering(id, job)
      if (job.fun !== 'saltutil.find_job')
        ran.push(`${id} ${job.fun} ${job.arg.filter((each) => !isMapping(each)).join(' ')}`.trim())
      known.add(jid)
      if (answer === undefined) continue
      const load = { id: store.clock.eventId(), jid, fun: job.fun, fun_args: [...job.arg], retcode: 0, success: true }
      await master.collect.returns({ kind: 'minion', id, epoch: 1 }, [{ ...load, ...answer }])
    }
    await store.mailbox.wait(id, AbortSignal.any([signal, AbortSignal.timeout(250)]), known)
  }
}
