// `reactor.failed`, `reactor.redrive`, `reactor.discard`: deliveries that were given up, told, tried again or forgotten.
import type { EventId } from '../../core/event/event.ts'
import { stampOf } from '../../core/event/stamp.ts'
import { type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Ledger } from '../../reaction/index.ts'
import { reactionKey } from '../../reaction/index.ts'
import type { Clock, DeliveryQueue } from '../ports.ts'
import { type MasterFunction, RunError } from '../run.ts'
import { readInstant } from './instant.ts'
import { knownFields } from './known-fields.ts'

/** What dead letters need. */
export interface DeadNeeds {
  readonly queue: DeliveryQueue
  readonly ledger: Ledger
  readonly clock: Clock
}

type Letter = Awaited<ReturnType<DeliveryQueue['dead']>>[number]

const choice = [
  { name: 'event', default: null },
  { name: 'all', default: false },
  { name: 'since', default: null },
]

/** The three functions. */
export function reactorDeadRunner(needs: DeadNeeds): Record<string, MasterFunction> {
  return {
    'reactor.failed': {
      signature: { params: [{ name: 'since', default: null }] },
      doc: `    List the dead letters: events whose reactions were tried as often as \`reactor_retry\` says, and given up

    Each is told with its event and data, the reason, and how its reactions stand. \`since\` leaves out what was given up
    earlier: a UTC time, or so long ago (15m, 2h, 1d).

    CLI Example:

    .. code-block:: bash

        brine-run reactor.failed
        brine-run reactor.failed since=1d --out json
`,
      readOnly: true,
      idempotent: true,
      out: 'reactor_failed',
      run: async ({ named }) => {
        const since = readInstant(named.since, 'since', needs.clock.now()) ?? 0
        const letters = (await needs.queue.dead()).filter(({ at }) => at >= since).sort((a, b) => a.at - b.at)
        return Promise.all(letters.map((letter) => letterValue(needs.ledger, letter)))
      },
    },
    'reactor.redrive': {
      signature: { params: choice },
      doc: `    Try dead letters again: one by its event id, all of them, or those given up since a time

    What failed because all its tries were used runs again, with fresh tries; what had ended otherwise does not.

    CLI Example:

    .. code-block:: bash

        brine-run reactor.redrive 01KC3VZ8Y2Q5B7N9M4X6T1R0WA
        brine-run reactor.redrive --all
        brine-run reactor.redrive since=2h
`,
      idempotent: true,
      run: async ({ named }) => {
        const redriven: Mapping = {}
        for (const { event } of await chosen(needs, named, 'redrive')) {
          // Reopened first: cut off between the two, the letter is still there to be redriven.
          const reactions = await needs.ledger.reopen(event.id)
          if (await needs.queue.redrive(event.id, 'again')) redriven[event.id] = { tag: event.tag, reactions }
        }
        return { redriven }
      },
    },
    'reactor.discard': {
      signature: { params: choice },
      doc: `    Forget dead letters: one by its event id, all of them, or those given up since a time

    How their reactions ended stays in the ledger, so that reactor.explain still tells it.

    CLI Example:

    .. code-block:: bash

        brine-run reactor.discard 01KC3VZ8Y2Q5B7N9M4X6T1R0WA
        brine-run reactor.discard --all
`,
      idempotent: true,
      run: async ({ named }) => {
        const discarded: Mapping = {}
        for (const { event } of await chosen(needs, named, 'discard'))
          if (await needs.queue.redrive(event.id, 'discard')) discarded[event.id] = { tag: event.tag }
        return { discarded }
      },
    },
  }
}

async function chosen(
  { queue, clock }: DeadNeeds,
  named: Readonly<Record<string, Value>>,
  what: string,
): Promise<Letter[]> {
  const letters = await queue.dead()
  const since = readInstant(named.since, 'since', clock.now())
  if (since !== undefined) return letters.filter(({ at }) => at >= since)
  if (pythonTruth(named.all ?? false)) return letters
  const wanted = named.event ?? null
  if (wanted === null)
    throw new RunError(`Say which: reactor.${what} takes an event id of reactor.failed, --all, or since=2h.`)
  const ids: EventId[] = (Array.isArray(wanted) ? wanted : [wanted]).map(pythonStr)
  const missing = ids.find((id) => !letters.some(({ event }) => event.id === id))
  if (missing !== undefined)
    throw new RunError(`${missing} is no dead letter. brine-run reactor.failed lists those there are.`)
  return letters.filter(({ event }) => ids.includes(event.id))
}

async function letterValue(ledger: Ledger, { event, reason, at }: Letter): Promise<Mapping> {
  const [stored, rows] = await Promise.all([ledger.plan(event.id), ledger.entries(event.id)])
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const reactions = (stored?.plan.reactions ?? []).map(({ ordinal, id, type, fun }) => {
    const row = byKey.get(reactionKey(event.id, ordinal))
    return knownFields({
      id,
      call: `${type}.${fun}`,
      state: row?.state ?? 'planned',
      reason: row?.ending?.reason,
      failures: row === undefined || row.failures.length === 0 ? undefined : [...row.failures],
      redrivable: row?.ending?.redrivable,
    })
  })
  return {
    event: event.id,
    tag: event.tag,
    given_up: stampOf(at),
    reason,
    reactions,
    data: event.data,
  }
}
