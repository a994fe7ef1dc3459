// The beacons of a running minion: their configuration, which may change at any time, and a look at each in its turn.
import { messageOf } from '../../core/error.ts'
import { isMap, type Mapping, type Value } from '../../core/value/index.ts'
import type { Beacon, BeaconEvent, BeaconKind, BeaconWorld } from './beacon.ts'
import { type BeaconEntry, beaconEntry, mapOf, withEnabled } from './entry.ts'

/** What the beacons need of the minion. */
export interface BeaconParts {
  readonly id: string
  /** Seconds from one turn to the next: `interval` is counted in turns, as Salt does. */
  readonly loopInterval: number
  /** What stands in the minion's configuration files. */
  readonly configured: Value
  /** What the pillar has now. */
  readonly pillar: () => Value
  readonly kinds: () => readonly BeaconKind[]
  readonly world: BeaconWorld
  /** Whether a state run is under way; who answers has called `stateRunEnded` for those that are over. */
  readonly isStateRunning: () => boolean
  /** Takes an event; in the order of the calls. */
  readonly emit: (tag: string, data: Mapping) => void
}

/** How a change of the configuration went; `beacons` are those of the configuration, without the pillar's. */
export interface BeaconChange {
  readonly complete: boolean
  readonly comment: string
  readonly beacons: Mapping
}

interface Running {
  readonly kind: BeaconKind
  readonly beacon: Beacon
}

/**
 * Promises: a beacon is looked at by one turn at a time; what is told carries the beacon's own fields and, beside them,
 * `data` (the same fields) and `tag`; a beacon that throws tells its error and is looked at again; what cannot be run is
 * said once, until its configuration changes.
 */
export class Beacons {
  readonly #parts: BeaconParts
  #own: Mapping
  readonly #running = new Map<string, Running>()
  /** Turns since a beacon with an interval was looked at. */
  readonly #turns = new Map<string, number>()
  /** The configuration that was found wrong, by beacon. */
  readonly #refused = new Map<string, Value>()
  #turning: Promise<void> | undefined
  /** State runs that have ended. */
  #ends = 0

  constructor(parts: BeaconParts) {
    this.#parts = parts
    this.#own = { ...mapOf(parts.configured) }
  }

  /** The beacons by name; those of the configuration hide the pillar's. `enabled` may be among them. */
  all(include: { readonly pillar?: boolean; readonly opts?: boolean } = {}): Mapping {
    return { ...(include.pillar === false ? {} : this.#pillar()), ...(include.opts === false ? {} : this.#own) }
  }

  /** The kinds that work on this machine. */
  available(): string[] {
    const kinds = this.#parts.kinds().filter((kind) => kind.unavailable?.() === undefined)
    return kinds.map(({ name }) => name).sort()
  }

  /** What is wrong with a configuration; undefined where nothing is. */
  async problem(name: string, written: Value): Promise<string | undefined> {
    const entry = beaconEntry(name, written)
    if (entry === undefined) return `Configuration for ${name} beacon must be a list or a map.`
    const kind = this.#kind(entry)
    if (typeof kind === 'string') return kind
    return kind.validate(entry.options)
  }

  add(name: string, written: Value): BeaconChange {
    if (this.#isPillars(name))
      return this.#unchanged(`Cannot update beacon item ${name}, because it is configured in pillar.`)
    const comment = Object.hasOwn(this.#own, name)
      ? `Updating settings for beacon item: ${name}`
      : `Added new beacon item: ${name}`
    return this.#set(name, written, comment)
  }

  modify(name: string, written: Value): BeaconChange {
    if (this.#isPillars(name)) return this.#unchanged(`Cannot modify beacon item ${name}, it is configured in pillar.`)
    return this.#set(name, written, `Updating settings for beacon item: ${name}`)
  }

  delete(name: string): BeaconChange {
    if (this.#isPillars(name)) return this.#unchanged(`Cannot delete beacon item ${name}, it is configured in pillar.`)
    if (!Object.hasOwn(this.#own, name)) return this.#changed(`Beacon item ${name} not found.`)
    const { [name]: _, ...rest } = this.#own
    this.#own = rest
    this.#close(name)
    return this.#changed(`Deleting beacon item: ${name}`)
  }

  /** All beacons, or one. */
  setEnabled(enabled: boolean, name?: string): BeaconChange {
    const [verb, doing] = enabled ? ['enable', 'Enabling'] : ['disable', 'Disabling']
    if (name === undefined) {
      this.#own = { ...this.#own, enabled }
      return this.#changed(`${doing} beacons`)
    }
    if (this.#isPillars(name) || !Object.hasOwn(this.#own, name))
      return this.#unchanged(`Cannot ${verb} beacon item ${name}, it is configured in pillar.`)
    return this.#set(name, withEnabled(this.#own[name] ?? {}, enabled), `${doing} beacon item ${name}`)
  }

  /** Forgets all beacons of the configuration. */
  reset(): BeaconChange {
    for (const name of this.#running.keys()) this.#close(name)
    this.#own = {}
    return this.#changed('Beacons have been reset')
  }

  /** Looks at every beacon whose turn it is. Never rejects; a turn that still goes on is waited for instead. */
  turn(): Promise<void> {
    this.#turning ??= this.#turn().finally(() => {
      this.#turning = undefined
    })
    return this.#turning
  }

  /** A state run has ended: beacons that are not to tell of it forget what happened until now. */
  stateRunEnded(): void {
    this.#ends++
    const all = this.all()
    for (const [name, { beacon }] of this.#running)
      if (beaconEntry(name, all[name] ?? null)?.disableDuringStateRun === true) beacon.quiet?.()
  }

  async close(): Promise<void> {
    await this.#turning
    for (const name of [...this.#running.keys()]) this.#close(name)
  }

  async #turn(): Promise<void> {
    const all = this.all()
    for (const name of [...this.#running.keys()]) if (!Object.hasOwn(all, name)) this.#close(name)
    if (all.enabled === false) return
    for (const [name, written] of Object.entries(all)) if (name !== 'enabled') await this.#lookAt(name, written)
  }

  async #lookAt(name: string, written: Value): Promise<void> {
    const entry = beaconEntry(name, written)
    if (entry?.enabled === false) return this.#close(name)
    const problem = this.#refused.get(name) === written ? '' : await this.#told(name, written)
    if (problem !== undefined || entry === undefined) return this.#close(name)
    if (!this.#isTurnOf(name, entry)) return
    if (entry.disableDuringStateRun && this.#parts.isStateRunning()) return
    const ends = this.#ends
    try {
      const events = await this.#open(name, entry).look(entry.options)
      // A state run that began meanwhile may be what these events are of, be it over or not.
      if (entry.disableDuringStateRun && (this.#parts.isStateRunning() || this.#ends !== ends)) return
      for (const event of events) this.#tell(name, event)
    } catch (error) {
      const message = messageOf(error)
      this.#parts.world.log.error(`Unable to start ${name} beacon, ${message}`)
      const tag = `salt/beacon/${this.#parts.id}/${name}/`
      this.#parts.emit(tag, { id: this.#parts.id, error: message, data: {}, tag })
    }
    if (entry.runOnce) this.setEnabled(false, name)
  }

  /** The problem of a configuration not looked at before, said once. */
  async #told(name: string, written: Value): Promise<string | undefined> {
    if (this.#running.has(name)) return undefined
    const problem = await this.problem(name, written)
    if (problem === undefined) {
      this.#refused.delete(name)
      return undefined
    }
    this.#refused.set(name, written)
    this.#parts.world.log.error(`Beacon ${name} configuration invalid, not running.\n${problem}`)
    return problem
  }

  /** As Salt counts: the first turn only begins to count. */
  #isTurnOf(name: string, { interval }: BeaconEntry): boolean {
    if (interval <= 0) return true
    const turns = this.#turns.get(name) ?? 0
    const isDue = turns > 0 && turns * this.#parts.loopInterval >= interval
    this.#turns.set(name, isDue ? 1 : turns + 1)
    return isDue
  }

  #open(name: string, entry: BeaconEntry): Beacon {
    const running = this.#running.get(name)
    if (running !== undefined && running.kind.name === entry.kind) return running.beacon
    this.#close(name)
    const kind = this.#kind(entry)
    if (typeof kind === 'string') throw new Error(kind)
    const beacon = kind.open(this.#parts.world)
    this.#running.set(name, { kind, beacon })
    return beacon
  }

  #kind({ kind: name }: BeaconEntry): BeaconKind | string {
    const kind = this.#parts.kinds().findLast((one) => one.name === name)
    if (kind === undefined) return `There is no beacon of the kind ${name}: there are ${this.available().join(', ')}.`
    return kind.unavailable?.() ?? kind
  }

  #close(name: string): void {
    const running = this.#running.get(name)
    if (running === undefined) return
    this.#running.delete(name)
    this.#turns.delete(name)
    const said = (error: unknown): void =>
      this.#parts.world.log.warn(`The beacon ${name} could not be closed: ${messageOf(error)}`)
    try {
      Promise.resolve(running.beacon.close?.()).catch(said)
    } catch (error) {
      said(error)
    }
  }

  #tell(name: string, { tag: rest = '', ...fields }: BeaconEvent): void {
    const { id, emit } = this.#parts
    const tag = `salt/beacon/${id}/${name}/${rest}`
    const flat: Mapping = { id }
    for (const [key, value] of Object.entries(fields)) if (value !== undefined) flat[key] = value
    emit(tag, { ...flat, data: flat.data ?? { ...flat }, tag })
  }

  #pillar(): Mapping {
    const beacons = this.#parts.pillar()
    return beacons !== null && isMap(beacons) ? (mapOf(beacons) ?? {}) : {}
  }

  #isPillars(name: string): boolean {
    return Object.hasOwn(this.#pillar(), name)
  }

  #set(name: string, written: Value, comment: string): BeaconChange {
    this.#own = { ...this.#own, [name]: written }
    this.#close(name)
    return this.#changed(comment)
  }

  #changed(comment: string): BeaconChange {
    return { complete: true, comment, beacons: this.#own }
  }

  #unchanged(comment: string): BeaconChange {
    return { complete: false, comment, beacons: this.#own }
  }
}
