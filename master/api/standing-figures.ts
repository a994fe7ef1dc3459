// Figures of how things stand now, wherever the master runs: keys, minions, and what waits for the reactor.
import type { KeyLists } from '../keys.ts'
import type { Connections, MinionId } from '../ports.ts'
import type { Figure } from './prometheus.ts'

/** Where they come from. */
export interface StandingNeeds {
  readonly version: string
  readonly keys: { lists(): Promise<KeyLists> }
  readonly presence: { present(): Promise<readonly MinionId[]> }
  readonly connections: Pick<Connections, 'connected'>
  /** Events the reactor has not settled, and those whose reactions failed for good. */
  readonly deliveries: { waiting(): Promise<number>; dead(): Promise<number> }
}

/** Asks for all of them at once. */
export async function standingFigures(needs: StandingNeeds): Promise<Figure[]> {
  const [lists, present, connected, waiting, dead] = await Promise.all([
    needs.keys.lists(),
    needs.presence.present(),
    needs.connections.connected(),
    needs.deliveries.waiting(),
    needs.deliveries.dead(),
  ])
  return [
    {
      name: 'brine_info',
      kind: 'gauge',
      help: 'Always 1; the label says which version runs.',
      values: [[{ version: needs.version }, 1]],
    },
    {
      name: 'brine_keys',
      kind: 'gauge',
      help: 'Minion keys by state.',
      values: [
        [{ state: 'accepted' }, lists.minions.length],
        [{ state: 'pending' }, lists.minions_pre.length],
        [{ state: 'rejected' }, lists.minions_rejected.length],
        [{ state: 'denied' }, lists.minions_denied.length],
      ],
    },
    {
      name: 'brine_minions',
      kind: 'gauge',
      help: 'Minions that were heard of lately (present), and those with an open socket (connected).',
      values: [
        [{ state: 'present' }, present.length],
        [{ state: 'connected' }, connected.size],
      ],
    },
    plainFigure('brine_deliveries_waiting', 'gauge', 'Events the reactor has not settled.', waiting),
    plainFigure(
      'brine_deliveries_dead',
      'gauge',
      'Events whose reactions failed for good; reactor.failed lists them.',
      dead,
    ),
  ]
}

/** A figure with one value. */
export function plainFigure(name: string, kind: Figure['kind'], help: string, value: number): Figure {
  return { name, kind, help, values: [[{}, value]] }
}
