// One reaction's item in the ledger: how it is claimed, changed, read, and opened again.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { Ending, LedgerEntry } from '../../../reaction/plan.ts'
import type { Claim, ClaimRequest, ClaimWrite, Lease } from '../../../reaction/ports.ts'
import { type Attributes, type Expression, n, numberIn, s } from './dynamo.ts'

/** An update and the condition it is made under. */
export interface ConditionalUpdate {
  readonly set: Expression
  readonly condition: string
}

/** Words of DynamoDB's own that attributes are named by. */
const NAMES = { '#state': 'state', '#owner': 'owner', '#until': 'until', '#ttl': 'ttl' }

/**
 * Claims a reaction that has not ended and whose lease, if any, is over. The jid first written stays. `mark` is this claim's
 * alone: {@link claimOf} knows it again by that.
 */
export function claimUpdate(
  { jid }: ClaimRequest,
  { owner, now, until }: Lease,
  end: Attributes,
  mark: string,
): ConditionalUpdate {
  return {
    set: {
      text:
        'SET #state = :running, generation = if_not_exists(generation, :zero) + :one, jid = if_not_exists(jid, :jid), ' +
        'failures = if_not_exists(failures, :none), #owner = :owner, claimedAt = :now, #until = :until, mark = :mark, #ttl = :end',
      names: NAMES,
      values: {
        ':running': s('running'),
        ':zero': n(0),
        ':one': n(1),
        ':jid': s(jid),
        ':none': { L: [] },
        ':owner': s(owner),
        ':now': n(now),
        ':until': n(until),
        ':mark': s(mark),
        ':end': end.ttl ?? n(0),
      },
    },
    condition:
      'attribute_not_exists(ending) AND (attribute_not_exists(#state) OR #state <> :running OR #until <= :now)',
  }
}

/**
 * What a claim came to, from the item before it, or the one that stood against it. Where the answer to the write was lost,
 * the SDK writes again and meets its own claim: whether another was cut off before it is then only known of the first.
 */
export function claimOf(done: boolean, old: Attributes | undefined, { jid }: ClaimRequest, mark: string): Claim {
  if (!done) {
    const ending = endingOf(old)
    const generation = numberIn(old, 'generation') ?? 0
    if (ending === undefined && old?.mark?.S === mark)
      return {
        kind: 'claimed',
        generation,
        jid: old.jid?.S ?? jid,
        resumed: generation > 1,
        failures: failuresOf(old),
      }
    return ending === undefined ? { kind: 'held', until: numberIn(old, 'until') ?? 0 } : { kind: 'ended', ending }
  }
  return {
    kind: 'claimed',
    generation: (numberIn(old, 'generation') ?? 0) + 1,
    jid: old?.jid?.S ?? jid,
    resumed: old?.state?.S === 'running',
    failures: failuresOf(old),
  }
}

/** A write over the claim of a generation. */
export function changeOf({ generation, at, change }: ClaimWrite, end: Attributes): ConditionalUpdate {
  const { text, values, names = [] } = updateOf(change, at)
  const used = ['#state', '#ttl', ...names] as const
  return {
    set: {
      text: `SET #ttl = :end, ${text}`,
      names: Object.fromEntries(used.map((name) => [name, NAMES[name]])),
      values: { ...values, ':generation': n(generation), ':running': s('running'), ':end': end.ttl ?? n(0) },
    },
    condition: 'generation = :generation AND #state = :running',
  }
}

function updateOf(
  change: ClaimWrite['change'],
  at: number,
): { text: string; values: NonNullable<Expression['values']>; names?: ('#owner' | '#until')[] } {
  switch (change.kind) {
    case 'end':
      return {
        text: '#state = :state, ending = :ending, endedAt = :at',
        values: { ':state': s(change.ending.state), ':ending': endingAttribute(change.ending), ':at': n(at) },
      }
    case 'give-back':
      return change.failure === undefined
        ? { text: '#state = :state', values: { ':state': s('planned') } }
        : {
            text: '#state = :state, failures = list_append(failures, :failure)',
            values: { ':state': s('planned'), ':failure': { L: [s(change.failure)] } },
          }
    case 'jid':
      return { text: 'jid = :jid', values: { ':jid': s(change.jid) } }
    case 'renew':
      return { text: '#until = :until', values: { ':until': n(change.until) }, names: ['#until'] }
  }
}

/** An item as the ledger's readers know it. */
export function entryOf(key: string, item: Attributes): LedgerEntry {
  const ending = endingOf(item)
  const claimedAt = numberIn(item, 'claimedAt')
  const endedAt = numberIn(item, 'endedAt')
  const leaseUntil = numberIn(item, 'until')
  return {
    key,
    state: (item.state?.S ?? 'planned') as LedgerEntry['state'],
    generation: numberIn(item, 'generation') ?? 0,
    failures: failuresOf(item),
    ...(item.jid?.S === undefined ? {} : { jid: item.jid.S }),
    ...(claimedAt === undefined ? {} : { claimedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(item.owner?.S === undefined ? {} : { owner: item.owner.S }),
    ...(leaseUntil === undefined ? {} : { leaseUntil }),
    ...(ending === undefined ? {} : { ending }),
  }
}

/** Whether it ended so that a person may have it run again. */
export function isReopenable(item: Attributes): boolean {
  return endingOf(item)?.redrivable === true
}

/** Makes an ended reaction `planned` without failures; its generation goes on, its jid stays. */
export function reopenUpdate(item: Attributes): ConditionalUpdate {
  return {
    set: {
      text: 'SET #state = :planned, failures = :none REMOVE ending, endedAt, claimedAt, #owner, #until',
      names: { '#state': NAMES['#state'], '#owner': NAMES['#owner'], '#until': NAMES['#until'] },
      values: { ':planned': s('planned'), ':none': { L: [] }, ':generation': n(numberIn(item, 'generation') ?? 0) },
    },
    condition: 'generation = :generation AND attribute_exists(ending)',
  }
}

/** Bytes from which an ending is deflated: that of a job names its minions, of which there may be tens of thousands. */
const LARGE = 900

function endingAttribute(ending: Ending): AttributeValue {
  const text = encodeRecord(ending)
  return Buffer.byteLength(text) <= LARGE ? s(text) : { B: deflateRawSync(text) }
}

function endingOf(item: Attributes | undefined): Ending | undefined {
  const { S: text, B: deflated } = item?.ending ?? {}
  if (deflated !== undefined) return decodeRecord<Ending>(inflateRawSync(deflated).toString())
  return text === undefined ? undefined : decodeRecord<Ending>(text)
}

function failuresOf(item: Attributes | undefined): string[] {
  return (item?.failures?.L ?? []).map(({ S }) => S ?? '')
}
