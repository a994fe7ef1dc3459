// What a beacon is: a kind that says what it accepts, and one running watch of that kind that is looked at in turns.
import type { Mapping, Value } from '../../core/value/index.ts'
import type { Log } from '../outside.ts'

/** A kind of beacon: `inotify`, `load`, … What it keeps between two looks lives in what `open` returns. */
export interface BeaconKind {
  readonly name: string
  /** The first line says what it watches; the end shows a configuration. */
  readonly doc: string
  /** Why it cannot work on this machine; undefined where it can. @default it always can */
  unavailable?(): string | undefined
  /** What is wrong with the options, in Salt's words; undefined where nothing is. Never throws. */
  validate(options: Mapping): string | undefined | Promise<string | undefined>
  open(world: BeaconWorld): Beacon
}

/** A configured beacon while it runs. */
export interface Beacon {
  /** What there is to tell since the last look. What it throws is told as the beacon's error. */
  look(options: Mapping): BeaconEvent[] | Promise<BeaconEvent[]>
  /** A state run has ended: what happened until now is not to be told. */
  quiet?(): void
  close?(): void | Promise<void>
}

/** The fields of an event; `tag` is what follows `salt/beacon/<id>/<name>/`. */
export interface BeaconEvent {
  readonly tag?: string
  readonly [field: string]: Value | undefined
}

/** What a beacon sees of the minion. */
export interface BeaconWorld {
  /** Microseconds since 1970. */
  now(): number
  readonly log: Log
  /** Runs one of the minion's functions; throws what it throws. */
  run(fun: string, args?: readonly Value[]): Promise<Value>
}
