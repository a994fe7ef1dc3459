// Takes out of what was printed and fired what differs between two runs of one variant: in which order minions returned,
// whether somebody was asked if it still ran, how long names of jobs are.
import { isIncidental, joinRepeats, textOf } from '../golden/compare.ts'
import { isObject, type Json, type StreamEvent, sortKeys } from '../golden/mask.ts'

const BOTH = /\bweb-asg-1\b(["']?, ["']?)db1\b/g

/** Text in which minions that are listed together stand in one order. */
export function evenText(text: string): string {
  return text
    .replace(BOTH, 'db1$1web-asg-1')
    .replace(/\b[\w.-]+_master(?='?:)/g, '<host>_master')
    .replace(/(\bduration:\n\s+)[\d.]+/g, '$1<n>')
    .replace(/(__pub_pid["']?:\s+)\d+/g, '$1<pid>')
    .replace(/^.*DeprecationWarning: 'crypt' is deprecated.*\n.*\n/gm, '')
}

/** The same words whatever the order of two minions' parts: all lines sorted, the words of lines that name both too. */
export function withoutOrder(text: string): string {
  const lines = text.replace(/,$/gm, '').split('\n')
  const both = (line: string) => line.includes('db1') && line.includes('web-asg-1')
  return lines
    .map((line) =>
      both(line)
        ? line
            .split(/(?<=[,{}])\s*/)
            .sort()
            .join(' ')
        : line,
    )
    .sort()
    .join('\n')
}

/** Events without those that say nothing of the command, their times left out, jobs called `<1>`, `<2>` … by their functions. */
export function evenEvents(events: readonly StreamEvent[]): StreamEvent[] {
  const told = joinRepeats(events.filter((event) => !isIncidental(event) && !isAboutRunning(event)))
  const names = new Map<string, string>()
  const texts = told.map((event) => textOf({ tag: event.tag, data: even(event.data) }))
  for (const text of texts) for (const name of namesIn(text)) names.set(name, '')
  let count = 0
  for (const name of [...names.keys()].sort()) {
    count += 1
    names.set(name, `<jid of ${count}>`)
  }
  const byLength = [...names].sort(([a], [b]) => b.length - a.length)
  return texts.map((text) => {
    const [tag = '', data = ''] = text.split('\t')
    return { tag: renamed(tag, byLength), data: JSON.parse(renamed(data, byLength)) }
  })
}

/** The jobs named in a tag or in data, as they are written there. */
function namesIn(text: string): string[] {
  const [tag = ''] = text.split('\t')
  return [...tag.matchAll(/<jid of .*>(?=\/|$)|^<jid of .*>$/g)].map(([name]) => name)
}

function renamed(text: string, names: readonly (readonly [string, string])[]): string {
  let even = text
  for (const [name, short] of names) {
    even = even.replaceAll(name, short).replaceAll(JSON.stringify(name).slice(1, -1), short)
    even = even.replaceAll(JSON.stringify(JSON.stringify(name).slice(1, -1)).slice(1, -1), short)
  }
  return even
}

const LEFT_OUT = new Set(['_stamp', 'ts', 'start_time', 'duration'])

function even(value: Json): Json {
  if (typeof value === 'string') return evenText(value)
  if (Array.isArray(value)) {
    const items = value.map(even)
    return items.length === 2 && items[0] === 'web-asg-1' && items[1] === 'db1' ? ['db1', 'web-asg-1'] : items
  }
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key))
  return sortKeys(Object.fromEntries(kept.map(([key, item]) => [key, even(item)])))
}

/** Salt asks those who have not returned for a while; how long that is depends on the machine. A state run logs in first. */
function isAboutRunning({ tag, data }: StreamEvent): boolean {
  if (tag === 'salt/auth') return true
  return JSON.stringify(data).includes('saltutil.find_job') || tag.startsWith('<jid of saltutil.find_job')
}
