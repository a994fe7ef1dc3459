// How `state.event` prints an event: its tag, a tab, its data as JSON.
import { stringifyJson, type Value } from '../../core/value/index.ts'

/** What is printed of an event. */
export interface PrintedEvent {
  readonly tag: string
  readonly data: Value
}

/**
 * `tag<TAB>json` on one line with the keys in their order, or with `pretty` sorted and four spaces a level. Text beyond
 * ASCII is printed as it is. No line end.
 */
export function eventLine(event: PrintedEvent, pretty: boolean): string {
  const json = pretty
    ? stringifyJson(event.data, { ascii: false, indent: 4, sortKeys: true })
    : stringifyJson(event.data, { ascii: false })
  return `${event.tag}\t${json}`
}
