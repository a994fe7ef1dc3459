// An event as EventBridge carries it, and back: what is ours alone may speak for master and minions.
import { BrineError } from '../../../core/error.ts'
import { derivedEventId } from '../../../core/event/derived-id.ts'
import type { Cause, Event } from '../../../core/event/event.ts'
import { LAUNCH_MARK } from '../../../core/event/launch-mark.ts'
import { stampOf } from '../../../core/event/stamp.ts'
import { parseJson } from '../../../core/value/json.ts'
import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import { type Dict, get, isMap, type Mapping, type Value, withEntry, withoutEntry } from '../../../core/value/value.ts'
import { detailTypeLimit, eventLimit, isReservedTag, sourceNamed, sources } from '../layout/index.ts'
import type { Payloads } from '../store/payloads.ts'

/** What is put on the bus. */
export interface Entry {
  readonly Source: string
  readonly DetailType: string
  readonly Detail: string
}

/** Our own part of `detail`. The data stand in one of three places: readable, as a record's text, or in S3. */
interface Detail {
  readonly tag: string
  readonly id: string
  /** Microseconds, and the place in its call: the log restores the order of a call by them. */
  readonly at: number
  readonly nth: number
  /** The master put it on the bus for somebody else. */
  readonly custom?: true
  readonly key?: string
  /** The return of a launch's start-up job, however its data travel: the rule for launches takes it. */
  readonly launch?: true
  readonly cause?: Cause
  readonly data?: Mapping
  readonly record?: string
  readonly claim?: string
}

/** An event with the moment it was put on the bus. */
export interface Received {
  readonly event: Event
  readonly at: number
  readonly nth: number
}

/** What JSON may hold as an escape and queues may not once it is none: a lone surrogate, U+FFFE, U+FFFF. */
const ESCAPED = /\\u(?:[dD][89a-fA-F]|[fF]{3}[eEfF])/
/** The two characters of JSON's that SQS takes in no message. */
const NONE_OF_SQS = /[\uFFFE\uFFFF]/g

/**
 * The entry of an event. Data that JSON keeps as they are stand readable in `detail.data`, for other teams' rules;
 * floats such as `2.0`, large integers and ordered maps travel as text, and what is too large as a claim check.
 */
export async function entryOf(event: Event, at: number, nth: number, payloads: Payloads): Promise<Entry> {
  const { id, tag, key, cause } = event
  const text = encodeRecord(event.data).replace(NONE_OF_SQS, (none) => `\\u${none.charCodeAt(0).toString(16)}`)
  const common = JSON.stringify({
    tag,
    id,
    at,
    nth,
    ...(event.source === 'custom' ? { custom: true } : {}),
    ...(key === undefined ? {} : { key }),
    ...(cause === undefined ? {} : { cause }),
    ...(event.source === 'minion' && isLaunch(event.data) ? { launch: true } : {}),
  }).slice(0, -1)
  let data =
    text.startsWith('j') && !ESCAPED.test(text) ? `"data":${text.slice(1)}` : `"record":${JSON.stringify(text)}`
  if (Buffer.byteLength(data) > eventLimit) data = `"claim":"${await payloads.store(Buffer.from(text))}"`
  const source = event.source === 'minion' ? sources.minion : sources.master
  return { Source: source, DetailType: detailType(tag), Detail: `${common},${data}}` }
}

function isLaunch(data: Event['data']): boolean {
  const metadata = get(data, 'metadata') ?? null
  return isMap(metadata) && get(metadata, LAUNCH_MARK) !== undefined
}

/** The tag cut to what a `detail-type` holds. */
function detailType(tag: string): string {
  const points = [...tag]
  return points.length <= detailTypeLimit && tag.length <= detailTypeLimit ? tag : cut(points)
}

function cut(points: readonly string[]): string {
  let text = ''
  for (const point of points) {
    if (text.length + point.length > detailTypeLimit) break
    text += point
  }
  return text
}

/**
 * The event of a message's body, as a rule puts it on a queue. Undefined for what is no event of ours: another source,
 * no tag, or a reserved tag from a source that may not fire it. Throws `payload-lost` where a claim check leads nowhere.
 */
export async function receivedFrom(body: string, payloads: Payloads): Promise<Received | undefined> {
  const envelope = JSON.parse(body) as { source?: unknown; detail?: unknown }
  const source = typeof envelope.source === 'string' ? sourceNamed(envelope.source) : undefined
  if (source === undefined) return undefined
  if (source === 'custom') return customFrom(body)
  const detail = envelope.detail as Detail
  const { id, tag, at, nth, key, cause, custom } = detail
  const data = await dataOf(detail, payloads)
  return {
    event: {
      id,
      tag,
      data,
      source: custom === true ? 'custom' : source,
      ...(cause === undefined ? {} : { cause }),
      ...(key === undefined ? {} : { key }),
    },
    at,
    nth,
  }
}

async function dataOf({ data, record, claim }: Detail, payloads: Payloads): Promise<Event['data']> {
  if (data !== undefined) return data
  if (record !== undefined) return decodeRecord<Event['data']>(record)
  const bytes = await payloads.get(claim ?? '')
  if (bytes === undefined) {
    throw new BrineError(`The payload ${claim} of an event is not in the bucket any more.`, { code: 'payload-lost' })
  }
  return decodeRecord<Event['data']>(Buffer.from(bytes).toString())
}

/**
 * An event that anybody with `grantFire` put on the bus: `{"tag": …, "data": {…}}`. Its id comes from EventBridge's own,
 * or from the ULID the sender gave, in a space of its own: nobody can take the id of another event beforehand.
 */
function customFrom(body: string): Received | undefined {
  const envelope = parseJson(body)
  const detail = isMap(envelope) ? (get(envelope, 'detail') ?? null) : null
  if (!isMap(envelope) || !isMap(detail)) return undefined
  const tag = get(detail, 'tag')
  if (typeof tag !== 'string' || tag === '' || isReservedTag(tag)) return undefined
  const time = Date.parse(String(get(envelope, 'time')))
  const at = (Number.isNaN(time) ? 0 : time) * 1000
  const data = get(detail, 'data') ?? {}
  const stamped = withEntry(withoutEntry(isMap(data) ? data : { data }, '_stamp'), '_stamp', stampOf(at))
  return { event: { id: customId(get(detail, 'id'), envelope, at), tag, data: stamped, source: 'custom' }, at, nth: 0 }
}

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/
const TIME = 10

function customId(given: Value | undefined, envelope: Mapping | Dict, at: number): string {
  if (typeof given === 'string' && ULID.test(given))
    return given.slice(0, TIME) + derivedEventId('', `given/${given}`).slice(TIME)
  const jid = stampOf(at).replace(/\D/g, '')
  return derivedEventId(jid, `bus/${String(get(envelope, 'id'))}`)
}
