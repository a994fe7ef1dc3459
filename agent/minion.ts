// The minion as it runs: keys, journal, bus, master, jobs; put together, started and stopped in order.
import { join } from 'node:path'
import { BrineError, messageOf } from '../core/error.ts'
import { type Mapping, pythonEquals } from '../core/value/index.ts'
import { Autonomy } from './autonomy.ts'
import { pause } from './connection/backoff.ts'
import { Delivery } from './connection/delivery.ts'
import { Doorbell } from './connection/doorbell.ts'
import { MailboxReader } from './connection/mailbox.ts'
import { MasterClock } from './connection/master-clock.ts'
import { formatDate } from './date-format.ts'
import { customKinds } from './files/index.ts'
import { ProcessRecords } from './jobs/recorded-process.ts'
import { JobRunner } from './jobs/runner.ts'
import { Journal } from './journal/journal.ts'
import { loadKeys, removeKeys } from './keys.ts'
import { createLink, type Link } from './link.ts'
import { localBusAddress } from './local-bus/address.ts'
import { askOnBus } from './local-bus/ask.ts'
import { LocalBus } from './local-bus/server.ts'
import { takeLock } from './lock.ts'
import type { MasterEvent } from './modules/module.ts'
import type { Outside } from './outside.ts'
import { createRuntime, type Runtime } from './runtime.ts'
import { type AgentSettings, type AgentSetup, settingsOf } from './settings.ts'
import { updateOutcome } from './update/update.ts'
import { brineVersion } from './version.ts'

/** A minion. */
export interface Minion {
  readonly id: string
  /**
   * Sets everything up and begins to ask for a token; does not wait for the master. Throws where another minion runs on
   * the same data, where a key cannot be read, and the like.
   */
  start(): Promise<void>
  /** Resolves when the master has accepted the minion and knows of its start. Never for a minion without a master. */
  readonly joined: Promise<void>
  /** Resolves when the minion has stopped; rejects where it had to stop (the master is not the pinned one). */
  readonly finished: Promise<void>
  /** Takes no more jobs, gives running ones and unsent returns a few seconds, and ends. */
  stop(): Promise<void>
}

/** How long stopping waits, milliseconds. */
const grace = { jobs: 5000, delivery: 2000 }

/** Makes a minion from a configuration; nothing happens before `start`. Throws a BrineError `config` for an impossible id. */
export function createMinion(setup: AgentSetup, outside: Outside): Minion {
  return new RunningMinion(settingsOf(setup), outside)
}

class RunningMinion implements Minion {
  readonly id: string
  readonly joined: Promise<void>
  readonly finished: Promise<void>
  readonly #settings: AgentSettings
  readonly #outside: Outside
  readonly #over = new AbortController()
  readonly #closers: (() => Promise<unknown> | unknown)[] = []
  #parts:
    | {
        journal: Journal
        bus: LocalBus
        runtime: Runtime
        link: Link
        delivery: Delivery
        runner: JobRunner
        autonomy: Autonomy
      }
    | undefined
  #working = false
  #resolveJoined: () => void = () => undefined
  #resolveFinished: () => void = () => undefined
  #rejectFinished: (error: unknown) => void = () => undefined

  constructor(settings: AgentSettings, outside: Outside) {
    this.id = settings.id
    this.#settings = settings
    this.#outside = outside
    this.joined = new Promise((resolve) => {
      this.#resolveJoined = resolve
    })
    this.finished = new Promise((resolve, reject) => {
      this.#resolveFinished = resolve
      this.#rejectFinished = reject
    })
    // Who does not ask for the end must not be ended by it.
    this.finished.catch(() => undefined)
  }

  async start(): Promise<void> {
    try {
      await this.#start()
    } catch (error) {
      await this.#close()
      throw error
    }
  }

  async stop(): Promise<void> {
    await this.#end()
    this.#resolveFinished()
  }

  /** Gives running jobs and unsent returns their time, and closes everything. */
  async #end(): Promise<void> {
    const { runner, delivery } = this.#parts ?? {}
    if (runner !== undefined && !(await runner.stop(grace.jobs))) {
      this.#outside.log.warn(
        'Jobs that still run are left: the next start returns what their commands come to, and the others as interrupted.',
      )
    }
    if (this.#working) await delivery?.drained(grace.delivery)
    await this.#close()
  }

  async #start(): Promise<void> {
    const { config, id } = this.#settings
    const outside = this.#outside
    const clock = new MasterClock(outside)
    const bus = await LocalBus.open(localBusAddress(config.sock_dir, id), () => clock.now() * 1_000_000)
    this.#closers.push(() => bus.close())
    this.#closers.push(await takeLock(join(config.data_dir, 'minion.lock')))
    const [keys, journal] = await Promise.all([
      loadKeys(config.pki_dir),
      Journal.open(this.#settings.journalPath, outside),
    ])
    this.#closers.push(() => journal.close())
    const link = await createLink({ settings: this.#settings, keys, clock, outside, signal: this.#over.signal })
    this.#closers.push(() => link.http.close())
    link.session.onFatal = (error) => void this.#fail(error)
    const waiting = this.#settings.isLocal ? undefined : this.#wait(link)
    const runtime = await createRuntime(
      this.#settings,
      {
        cli: 'salt-minion',
        isLocal: this.#settings.isLocal,
        connection: link.connection,
        onGrains: (grains) => link.introduction.tell(grains),
        fetchPillar: this.#settings.isLocal
          ? undefined
          : async (grains, request) => {
              if (request.reauthenticate === true) await link.session.renew()
              return link.connection.refresh(grains, brineVersion, request)
            },
        fireLocal: async (tag, data) => {
          bus.fire(tag, data)
          return true
        },
        askMinion: (question) => askOnBus(bus, question),
        restart: (why) => void this.#restart(why),
        fireMaster: (event) => this.#fireMaster(event),
        refreshMaster: ({ reauthenticate }) => this.#refresh(reauthenticate),
        security: {
          minionFinger: keys.finger,
          masterFinger: () => link.trust.finger,
          removeKeys: () => removeKeys(config.pki_dir),
        },
      },
      outside,
    )
    const delivery = new Delivery({ journal, connection: link.connection, outside, signal: this.#over.signal })
    delivery.onDelivered = () => void this.#tellDropped()
    const runner = new JobRunner({
      view: runtime.view,
      journal,
      trust: link.trust,
      clock: link.clock,
      records: new ProcessRecords(join(config.data_dir, 'jobs')),
      most: config.process_count_max,
      ordered: this.#settings.opts.multifunc_ordered === true,
    })
    const autonomy = new Autonomy({
      settings: this.#settings,
      runtime,
      bus,
      send: (tag, data, options) => void this.#send(tag, data, options),
      sendReturn: async (ret) => {
        if (!this.#settings.isLocal) await journal.addReturn(ret)
      },
    })
    this.#closers.push(() => autonomy.stop())
    this.#parts = { journal, bus, runtime, link, delivery, runner, autonomy }
    await autonomy.startReactor()
    if (this.#settings.isLocal || config.beacons_before_connect) autonomy.start()
    if (this.#settings.isLocal) await runtime.view.refreshPillar()
    await runner.recover()
    this.#refreshGrainsEvery(config.grains_refresh_every * 60_000)
    // It may have been stopped, or have had to stop, meanwhile.
    if (this.#over.signal.aborted) await this.#close()
    if (waiting === undefined) return
    void waiting.then((has) => {
      if (!has) return
      link.session.onJoined = () => void this.#join()
      void this.#join()
    })
  }

  /** Asks for the first token while the rest is set up. */
  async #wait(link: Link): Promise<boolean> {
    try {
      await pause(this.#settings.config.random_startup_delay * 1000 * this.#outside.random(), this.#over.signal)
      await link.session.standing()
      return true
    } catch (error) {
      if (!this.#over.signal.aborted) await this.#fail(error)
      return false
    }
  }

  /** The key was accepted: the master gets the grains, then hears of the start; then work begins. */
  async #join(): Promise<void> {
    const parts = this.#parts
    if (parts === undefined || this.#over.signal.aborted) return
    const { log } = this.#outside
    for (let wait = 500; ; wait = Math.min(wait * 2, 30_000)) {
      try {
        await parts.runtime.view.refreshPillar()
        await parts.runtime.view.syncModules({ kinds: customKinds, saltenvs: ['base'], wants: () => true })
        break
      } catch (error) {
        if (this.#over.signal.aborted) return
        log.warn(`${messageOf(error)} Trying again in ${wait / 1000} s.`)
        await pause(wait, this.#over.signal)
      }
    }
    await this.#announceStart()
    log.info(
      `The master at ${this.#settings.bootstrap.socketPath ?? this.#settings.bootstrap.origin} has accepted minion ${this.id}.`,
    )
    if (!this.#working) this.#work(parts.link, parts.delivery, parts.runner, parts.journal)
    parts.autonomy.start()
    await this.#tellUpdate()
    await parts.delivery.drained(10_000)
    this.#resolveJoined()
  }

  #work(link: Link, delivery: Delivery, runner: JobRunner, journal: Journal): void {
    this.#working = true
    const { signal } = this.#over
    const outside = this.#outside
    const doorbell: Doorbell = new Doorbell({
      session: link.session,
      bootstrap: this.#settings.bootstrap,
      http: link.http,
      outside,
      signal,
      onRing: () => mailbox.poke(),
      onSilence: () => mailbox.poke(),
    })
    const mailbox = new MailboxReader({
      connection: link.connection,
      journal,
      outside,
      signal,
      listening: () => doorbell.listening,
      onJob: (job) => runner.take(job),
    })
    this.#closers.push(() => Promise.all([delivery.stopped(), doorbell.stopped(), mailbox.stopped()]))
    delivery.start()
    doorbell.start()
    mailbox.start()
  }

  async #announceStart(): Promise<void> {
    const { config } = this.#settings
    const grains = this.#parts?.runtime.grains.all() ?? {}
    const text = `Minion ${this.id} started at ${formatDate(this.#outside.now() / 1000, '%c')}`
    const chosen = config.start_event_grains.filter((name) => Object.hasOwn(grains, name))
    const more: Mapping =
      chosen.length === 0 ? {} : { grains: Object.fromEntries(chosen.map((name) => [name, grains[name] ?? null])) }
    const tags = [...(config.enable_legacy_startup_events ? ['minion_start'] : []), `salt/minion/${this.id}/start`]
    for (const tag of tags)
      await this.#send(tag, { id: this.id, cmd: '_minion_event', pretag: null, data: text, tag, ...more })
  }

  #fireMaster({ tag, data, preload }: MasterEvent): Promise<boolean> {
    const { id } = this
    return this.#send(
      tag,
      preload === undefined
        ? { id, cmd: '_minion_event', pretag: null, data, tag }
        : { id, tag, data, cmd: '_minion_event', ...preload },
    )
  }

  /** Journals an event, where there is a master; it is on the minion's own bus too. */
  async #send(tag: string, data: Mapping, { beacon = false }: { beacon?: boolean } = {}): Promise<boolean> {
    const parts = this.#parts
    if (parts === undefined || tag === '') return false
    parts.bus.fire(tag, data)
    if (this.#settings.isLocal) return false
    return (await parts.journal.addEvent({ tag, data, beacon })) !== undefined
  }

  /** A newer agent that was on trial has reached the master, or one was taken back: the master hears of it. */
  async #tellUpdate(): Promise<void> {
    const home = process.env.BRINE_AGENT_DIR
    const outcome = home === undefined ? undefined : await updateOutcome(home)
    if (outcome !== undefined)
      await this.#fireMaster({ tag: `brine/minion/${this.id}/${outcome.tag}`, data: outcome.data })
  }

  async #tellDropped(): Promise<void> {
    const dropped = this.#parts?.journal.takeDropped()
    if (dropped === undefined) return
    const { beacon, event, return: returns, reason } = dropped
    this.#outside.log.error(
      `${beacon} beacon events, ${event} other events and ${returns} returns were dropped: ${reason}.`,
    )
    await this.#fireMaster({ tag: `brine/minion/${this.id}/dropped`, data: { beacon, event, return: returns, reason } })
  }

  async #refresh(reauthenticate: boolean): Promise<void> {
    const parts = this.#parts
    if (parts === undefined) return
    if (reauthenticate) await parts.link.session.renew()
    await parts.link.connection.refresh(parts.runtime.grains.all(), brineVersion)
  }

  /** `grains_refresh_every`: the master hears of grains that changed by themselves. */
  #refreshGrainsEvery(milliseconds: number): void {
    if (milliseconds <= 0) return
    const timer = setInterval(() => {
      const grains = this.#parts?.runtime.grains
      const before = grains?.all() ?? {}
      void grains
        ?.load()
        .then((after) => (pythonEquals(before, after) ? undefined : this.#refresh(false)))
        .catch((error: unknown) => this.#outside.log.warn(`The grains could not be refreshed: ${messageOf(error)}`))
    }, milliseconds)
    this.#closers.push(() => clearInterval(timer))
  }

  /** Ends as it does when it is told to, and says by `finished` that it wants to be started again. */
  async #restart(why: string): Promise<void> {
    this.#outside.log.info(`${why} The minion ends to be started again.`)
    // The return of the job that asks for it comes first.
    await pause(500, this.#over.signal)
    await this.#end()
    this.#rejectFinished(new BrineError(why, { code: 'restart' }))
  }

  async #fail(error: unknown): Promise<void> {
    this.#outside.log.error(messageOf(error))
    this.#rejectFinished(error)
    await this.#close()
  }

  async #close(): Promise<void> {
    this.#over.abort()
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close()
      } catch (error) {
        this.#outside.log.warn(`Closing: ${messageOf(error)}`)
      }
    }
  }
}
