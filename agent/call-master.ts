// The caller's side of the master: a token of its own, and a journal that is there as long as it holds something.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BrineError, messageOf } from '../core/error.ts'
import type { Mapping } from '../core/value/index.ts'
import { Backoff, pause } from './connection/backoff.ts'
import type { CompiledPillar } from './connection/connection.ts'
import { Delivery } from './connection/delivery.ts'
import { Journal } from './journal/journal.ts'
import type { Link } from './link.ts'
import type { MasterEvent, PillarRequest } from './modules/module.ts'
import type { Outside } from './outside.ts'
import { isAlive } from './process-id.ts'
import type { AgentSettings } from './settings.ts'
import { brineVersion } from './version.ts'

/** One process's dealings with the master. What it could not send stays in its journal for the next one. */
export class CallMaster {
  readonly #settings: AgentSettings
  readonly #outside: Outside
  readonly #link: Link
  readonly #over = new AbortController()
  #journal: Journal | undefined
  #delivery: Delivery | undefined
  readonly #refused = new Set<string>()

  constructor(settings: AgentSettings, outside: Outside, link: Link) {
    this.#settings = settings
    this.#outside = outside
    this.#link = link
  }

  get connection(): Link['connection'] {
    return this.#link.connection
  }

  /** Says where the grains are, for who is asked for some before its key is accepted. */
  introduce(grains: () => Mapping): void {
    this.#link.introduction.tell(grains)
  }

  get finger(): string {
    return this.#link.trust.finger
  }

  /** Gets a token, or says why there is none. */
  async join(milliseconds: number): Promise<void> {
    const end = this.#outside.now() / 1000 + milliseconds
    const backoff = new Backoff(this.#outside, 200, 2000)
    for (let healed = 0; ; ) {
      const attempt = await this.#link.session.attempt()
      if (attempt.kind === 'token') return
      if (attempt.kind === 'refused' && attempt.clockMoved && healed++ < 2) continue
      const late = this.#outside.now() / 1000 >= end
      if (attempt.kind !== 'unreachable' || late) {
        const hint =
          attempt.kind === 'waiting'
            ? 'Minion failed to authenticate with the master, has the minion key been accepted? '
            : ''
        throw new BrineError(`${hint}${attempt.message}`, { code: 'no-master' })
      }
      await pause(backoff.next())
    }
  }

  /** Answers the pillar, where one is asked for. */
  refresh(grains: Mapping, pillar?: PillarRequest): Promise<CompiledPillar> {
    return this.#link.connection.refresh(grains, brineVersion, pillar)
  }

  /** Opens the journal, and sends first what callers before could not send. */
  async begin(): Promise<void> {
    const directory = join(this.#settings.config.data_dir, 'call')
    await mkdir(directory, { recursive: true, mode: 0o700 })
    for (const name of await readdir(directory)) {
      const pid = Number(/^(\d+)\.journal$/.exec(name)?.[1] ?? process.pid)
      if (pid !== process.pid && !isAlive(pid)) await this.#sendOf(join(directory, name))
    }
  }

  /** True when the master has taken the event. */
  async fire(
    { tag, data, preload }: MasterEvent,
    fireLocal: (tag: string, data: Mapping) => Promise<boolean>,
  ): Promise<boolean> {
    if (tag === '') return false
    const load: Mapping = { id: this.#settings.id, tag, data, cmd: '_minion_event', ...preload }
    const [id] = await Promise.all([(await this.#open()).journal.addEvent({ tag, data: load }), fireLocal(tag, load)])
    if (id === undefined) return false
    const { journal, delivery } = await this.#open()
    if (!(await delivery.drained(30_000))) {
      journal.settle([id])
      return false
    }
    return !this.#refused.has(id)
  }

  async sendReturn(ret: Parameters<Journal['addReturn']>[0]): Promise<void> {
    const { journal, delivery } = await this.#open()
    await journal.addReturn(ret)
    if (!(await delivery.drained(30_000)))
      this.#outside.log.warn('The master did not take the return yet: the next brine-call sends it.')
  }

  async close(): Promise<void> {
    const { waiting = 0 } = this.#journal ?? {}
    this.#over.abort()
    await this.#delivery?.stopped()
    await this.#journal?.close()
    this.#link.http.close()
    if (this.#journal !== undefined && waiting === 0) await rm(this.#path, { force: true })
  }

  get #path(): string {
    return join(this.#settings.config.data_dir, 'call', `${process.pid}.journal`)
  }

  async #open(): Promise<{ journal: Journal; delivery: Delivery }> {
    this.#journal ??= await Journal.open(this.#path, this.#outside)
    this.#delivery ??= this.#deliver(this.#journal, this.#over.signal)
    return { journal: this.#journal, delivery: this.#delivery }
  }

  #deliver(journal: Journal, signal: AbortSignal): Delivery {
    const delivery = new Delivery({ journal, connection: this.#link.connection, outside: this.#outside, signal })
    delivery.onRefused = (id) => this.#refused.add(id)
    delivery.start()
    return delivery
  }

  async #sendOf(path: string): Promise<void> {
    try {
      const journal = await Journal.open(path, this.#outside)
      const over = new AbortController()
      const delivery = this.#deliver(journal, over.signal)
      const sent = await delivery.drained(5000)
      over.abort()
      await delivery.stopped()
      await journal.close()
      if (sent) await rm(path, { force: true })
    } catch (error) {
      this.#outside.log.warn(`What an earlier call could not send is left in ${path}: ${messageOf(error)}`)
    }
  }
}
