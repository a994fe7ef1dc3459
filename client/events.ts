// The master's bus and a minion's own, for programs: Salt's MasterEvent and MinionEvent.
import type { Mapping } from '../core/value/index.ts'
import type { Connection, WatchedEvent } from './connection.ts'
import { EventReader, type GetEventOptions, type MatchOptions } from './event-reader.ts'
import { follow } from './follow.ts'

/** Which events of the master's bus, and from where on. */
export interface EventOptions extends MatchOptions {
  /** Go on from this cursor (of an event seen before) instead of from now. */
  readonly since?: string
}

/** The master's bus. Comes back by itself, without a gap, where the connection breaks. */
export class MasterEvent extends EventReader<WatchedEvent> {
  readonly #connection: Connection

  constructor(connection: Connection, { since = 'now' }: { readonly since?: string } = {}) {
    super((signal) => follow(connection, { since }, signal))
    this.#connection = connection
  }

  /** Fires an event; resolves when it is durable. */
  fireEvent(data: Mapping, tag: string): Promise<void> {
    return this.#connection.fire(tag, data)
  }
}

/** Where a minion's own bus is: by its configuration, or by its `sock_dir` and id. */
export type MinionPlace =
  | { readonly configDir?: string | undefined }
  | { readonly sockDir: string; readonly id: string }

/** A minion's own bus, for programs on its machine and of its user. On Windows a named pipe in place of the socket. */
export class MinionEvent extends EventReader {
  readonly #place: MinionPlace

  constructor(place: MinionPlace = {}) {
    super(async (signal) => {
      const bus = await localBus(place)
      signal.addEventListener('abort', () => bus.close(), { once: true })
      return bus.subscribe(signal)
    })
    this.#place = place
  }

  /** Fires an event on this bus alone; false where there is no bus to take it. */
  async fireEvent(data: Mapping, tag: string): Promise<boolean> {
    const bus = await localBus(this.#place)
    try {
      return await bus.fire(tag, data)
    } finally {
      bus.close()
    }
  }
}

async function localBus(place: MinionPlace) {
  const { connectLocalBus, localBusAddress, settingsOf } = await import('../agent/index.ts')
  if ('sockDir' in place) return connectLocalBus(localBusAddress(place.sockDir, place.id))
  const { minionConfig } = await import('./configuration.ts')
  const setup = await minionConfig(place, process.env, false, () => undefined)
  return connectLocalBus(localBusAddress(setup.config.sock_dir, settingsOf(setup).id))
}

/** Events as they come, until the signal ends or the loop is left; a broken connection is taken up where it was cut. */
export async function* iterEvents(connection: Connection, options: EventOptions = {}): AsyncGenerator<WatchedEvent> {
  const events = new MasterEvent(connection, options.since === undefined ? {} : { since: options.since })
  try {
    yield* events.iterEvents(options)
  } finally {
    events.close()
  }
}

/** The next event, from now on; null where none came in time. For a loop take {@link MasterEvent}, which misses nothing between. */
export async function getEvent(connection: Connection, options: GetEventOptions = {}): Promise<unknown> {
  const events = new MasterEvent(connection)
  try {
    return await (options.full === true
      ? events.getEvent({ ...options, full: true })
      : events.getEvent({ ...options, full: false }))
  } finally {
    events.close()
  }
}
