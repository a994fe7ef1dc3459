// Compares two masked event streams: the same events, in the same order wherever one order is meant.
import { isObject, type Json, type StreamEvent, sortKeys } from './mask.ts'

/** How two streams differ, as sentences; none where they are equal. */
export type Differences = readonly string[]

/**
 * Events left out of both streams, since when they come says nothing about the commands: presence is announced by the
 * clock, a watcher's own start is seen by the other watcher or not, keys rotate when a minion is deleted (Salt's alone),
 * and what Brine adds has tags of its own.
 */
export function isIncidental({ tag, data }: StreamEvent): boolean {
  if (tag.startsWith('salt/presence/')) return true
  // `brine/reactor/…`, as the mask writes it; Salt has no such tag.
  if (tag.startsWith('salt/reactor/')) return true
  if (tag === 'key' && isObject(data) && 'rotate_aes_key' in data) return true
  return isObject(data) && data.fun === 'runner.state.event'
}

/** Joins repetitions of one minion's same event (a pending key asks again and again) to one. */
export function joinRepeats(events: readonly StreamEvent[]): StreamEvent[] {
  const last = new Map<string, string>()
  return events.filter((event) => {
    const lane = subjectsOf(event).find((subject) => subject.startsWith('minion '))
    if (lane === undefined) return true
    const text = textOf(event)
    const repeated = last.get(lane) === text
    last.set(lane, text)
    return !repeated
  })
}

/** The same text for events that are equal whatever the order of their keys. */
export function textOf({ tag, data }: StreamEvent): string {
  return `${tag}\t${JSON.stringify(sortKeys(data))}`
}

/** What an event is about: a minion, a job or run. Two events about the same thing have one order. */
function subjectsOf({ tag, data }: StreamEvent): readonly string[] {
  const subjects: string[] = []
  const jid = /<jid of .*?>(?=\/|$)/.exec(tag)?.[0]
  if (jid !== undefined) subjects.push(jid)
  const id = isObject(data) && typeof data.id === 'string' ? data.id : /^minion\/refresh\/(.+)$/.exec(tag)?.[1]
  if (id !== undefined) subjects.push(`minion ${id}`)
  return subjects
}

/** True where the order of two events is meant: the same minion's, or the same job's unless two minions sent them. */
function isOrdered(a: StreamEvent, b: StreamEvent): boolean {
  const [left, right] = [subjectsOf(a), subjectsOf(b)]
  const minionOf = (subjects: readonly string[]) => subjects.find((subject) => subject.startsWith('minion '))
  const [first, second] = [minionOf(left), minionOf(right)]
  if (first !== undefined && second !== undefined) return first === second
  return left.some((subject) => right.includes(subject))
}

/** Compares masked streams for equality (see {@link isIncidental} and {@link joinRepeats} for what is taken out first). */
export function compareStreams(golden: readonly StreamEvent[], ours: readonly StreamEvent[]): Differences {
  const [left, right] = [golden, ours].map((events) => joinRepeats(events.filter((event) => !isIncidental(event))))
  return [...compareContent(left ?? [], right ?? []), ...compareOrder(left ?? [], right ?? [])]
}

function compareContent(golden: readonly StreamEvent[], ours: readonly StreamEvent[]): Differences {
  const rest = ours.map(textOf)
  const missing = golden.map(textOf).filter((text) => {
    const at = rest.indexOf(text)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
  return [...missing.map((text) => `missing: ${text}`), ...rest.map((text) => `extra:   ${text}`)]
}

function compareOrder(golden: readonly StreamEvent[], ours: readonly StreamEvent[]): Differences {
  const places = new Map<string, number[]>()
  ours.forEach((event, index) => {
    const text = textOf(event)
    places.set(text, [...(places.get(text) ?? []), index])
  })
  const placed = golden.flatMap((event) => {
    const place = places.get(textOf(event))?.shift()
    return place === undefined ? [] : [{ event, place }]
  })
  return placed.flatMap((before, index) =>
    placed
      .slice(index + 1)
      .filter((after) => after.place < before.place && isOrdered(before.event, after.event))
      .map((after) => `order:   ${before.event.tag} must come before ${after.event.tag}`),
  )
}

/**
 * Compares as an article's transcript is meant: each of its events occurs, in its order, with at least its keys. More
 * events and more keys are allowed.
 */
export function compareAsSubset(golden: readonly StreamEvent[], ours: readonly StreamEvent[]): Differences {
  let at = 0
  for (const event of golden) {
    const found = ours.findIndex(
      (other, index) => index >= at && other.tag === event.tag && contains(other.data, event.data),
    )
    if (found < 0) return [`missing from position ${at}: ${textOf(event)}`]
    at = found + 1
  }
  return []
}

/** True where every key and item of `part` is in `whole`, with more keys allowed and lists equal in length. */
export function contains(whole: Json, part: Json): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(whole) &&
      whole.length === part.length &&
      part.every((item, index) => contains(whole[index] ?? null, item))
    )
  if (isObject(part))
    return (
      isObject(whole) && Object.entries(part).every(([key, item]) => key in whole && contains(whole[key] ?? null, item))
    )
  return Object.is(whole, part)
}

/** Compares a command's masked output: equal, or equal but for the order in which the minions' returns came. */
export function compareOutput(golden: string, ours: string): Differences {
  if (golden === ours || withoutOrder(golden) === withoutOrder(ours)) return []
  return [`expected ${JSON.stringify(golden)}`, `but got  ${JSON.stringify(ours)}`]
}

/** The minions the transcripts were recorded with. */
const MINIONS = 'db1|web-asg-1'

/** The returns of several minions in one order: blocks of text, or the entries of one JSON object. */
function withoutOrder(text: string): string {
  const entry = new RegExp(`^(\\s*)"(?:${MINIONS})": `)
  const lines = text.split('\n')
  if (lines[0] === '{' && lines.slice(1, -2).every((line) => entry.test(line)))
    return lines
      .map((line) => line.replace(/,$/, ''))
      .sort()
      .join('\n')
  // What follows the returns stays at its place.
  const end = text.indexOf('\n\n\n---')
  const returns = end < 0 ? text : text.slice(0, end)
  const sorted = returns
    .split(new RegExp(`^(?=(?:\\p{Cc}\\[[\\d;]*m)?(?:${MINIONS})\\b|\\{)`, 'mu'))
    .map((block) => block.trimEnd())
    .sort()
    .join('\n')
  return end < 0 ? sorted : sorted + text.slice(end)
}
