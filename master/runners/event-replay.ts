// `event.replay`: events of the log fired again, for reactors that were not there, or were wrong, when they passed.
import { derivedEventId } from '../../core/event/derived-id.ts'
import type { Event } from '../../core/event/event.ts'
import { REPLAY_MARK, replayMark, replayOf } from '../../core/event/replay-mark.ts'
import { stampInstant } from '../../core/event/stamp.ts'
import { matchTag } from '../../core/event/tag-glob.ts'
import { get, type Mapping, pythonStr, pythonTruth, type Value, withEntry } from '../../core/value/index.ts'
import { createReactorSet, isThrottleCode, type Ledger } from '../../reaction/index.ts'
import type { Draft, Fire } from '../fire.ts'
import type { Clock, ConfigStore, EventLog } from '../ports.ts'
import { type MasterFunction, RunError } from '../run.ts'
import { scanLog } from './find-event.ts'
import { readInstant } from './instant.ts'

/** What replaying needs. */
export interface ReplayNeeds {
  readonly config: ConfigStore
  readonly ledger: Ledger
  readonly log: EventLog
  readonly clock: Clock
  readonly fire: Fire
}

/** Copies fired at once, and events that one call replays where it is not told otherwise. */
const BATCH = 200
const MOST = 10_000

/** The function. */
export function eventReplayRunner(needs: ReplayNeeds): Record<string, MasterFunction> {
  return {
    'event.replay': {
      signature: {
        params: [
          { name: 'from', default: null },
          { name: 'to', default: null },
          { name: 'tag', default: '*' },
          { name: 'dry_run', default: false },
          { name: 'again', default: false },
          { name: 'limit', default: MOST },
        ],
      },
      doc: `    Fire events of the log again, for the reactor as it is configured now

    Taken are events between \`from\` and \`to\` whose tag matches \`tag\`, that an entry of the reactor matches, and that
    were not reacted to, or that a breaker refused. Each is fired once more with its data and a mark, \`_replay\`, that names the event it repeats; an
    event that was reacted to, or replayed, before is left out unless \`again=True\`. Times are UTC stamps, days, or so long
    ago: 15m, 2h, 1d. Without \`from\` the log's beginning is meant, without \`to\` now. \`dry_run=True\` tells and fires nothing.

    CLI Example:

    .. code-block:: bash

        brine-run event.replay from=2h tag='salt/minion/*/start' dry_run=True
        brine-run event.replay --from 2026-01-31T09:00:00 --to 2026-01-31T10:00:00 --tag 'myco/*'
        brine-run event.replay --from 1d --tag salt/auth --again
`,
      run: async ({ named }) => replayed(needs, named),
    },
  }
}

async function replayed(needs: ReplayNeeds, named: Readonly<Record<string, Value>>): Promise<Value> {
  const now = needs.clock.now()
  const from = readInstant(named.from, 'from', now) ?? 0
  const to = readInstant(named.to, 'to', now) ?? now
  const limit = Number(named.limit ?? MOST)
  if (from > to) throw new RunError('`from` lies after `to`: nothing can be between them. Exchange them.')
  if (!Number.isInteger(limit) || limit < 1)
    throw new RunError(`limit=${pythonStr(named.limit ?? null)} is no number of events.`)
  const again = pythonTruth(named.again ?? false)
  const glob = pythonStr(named.tag ?? '*')
  const reactors = createReactorSet(await needs.config.reactors())

  const candidates: Event[] = []
  let unmatched = 0
  await scanLog(needs.log, 'oldest', (event) => {
    const at = stampInstant(pythonStr(get(event.data, '_stamp') ?? ''))
    if (at === undefined || at < from || at > to || !matchTag(glob, event.tag)) return true
    if (replayOf(event.data) !== undefined) return true
    if (reactors.matching(event).length === 0) unmatched++
    else candidates.push(event)
    return true
  })
  const chosen: Event[] = []
  let reacted = 0
  for (const event of candidates) {
    if (!again && (await wasReactedTo(needs, event))) reacted++
    else chosen.push(event)
  }
  const taken = chosen.slice(0, limit)
  const counts: Mapping = {
    reacted_before: reacted,
    without_entry: unmatched,
    ...(chosen.length > limit ? { beyond_limit: chosen.length - limit } : {}),
  }
  if (pythonTruth(named.dry_run ?? false)) return { would_replay: taken.map(listed), ...counts }
  const run = needs.clock.eventId()
  for (let start = 0; start < taken.length; start += BATCH) {
    await needs.fire(
      ...taken
        .slice(start, start + BATCH)
        .map((event) => copyOf(event, run, again ? needs.clock.eventId() : undefined)),
    )
  }
  return { replayed: taken.map(listed), ...counts }
}

/** Reacted to itself, or by a copy that was fired earlier. What a breaker refused whole was not reacted to. */
async function wasReactedTo({ ledger, log }: ReplayNeeds, event: Event): Promise<boolean> {
  const files = (await ledger.plan(event.id))?.plan.files
  const reacted = files !== undefined && !files.every(({ error }) => isThrottleCode(error?.code ?? ''))
  return reacted || (await log.find(copyId(event))) !== undefined
}

function copyId(event: Event): string {
  return derivedEventId(event.id, 'replay')
}

/** The copy is a root of its own, as if somebody outside fired it; the key that acceptance is bound to stays. */
function copyOf(event: Event, run: string, id: string | undefined): Draft {
  return {
    tag: event.tag,
    data: withEntry(event.data, REPLAY_MARK, replayMark(event, run)),
    source: event.source,
    id: id ?? copyId(event),
    ...(event.key === undefined ? {} : { key: event.key }),
  }
}

function listed(event: Event): Mapping {
  return { event: event.id, tag: event.tag, at: get(event.data, '_stamp') ?? null }
}
