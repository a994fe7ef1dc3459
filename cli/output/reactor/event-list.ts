// The outputter of `event.list`: an event a line.
import { isList, isMap, type Value } from '../../../core/value/index.ts'
import { type OutputOptions, Unprintable } from '../outputter.ts'
import { inline, textOf } from './field.ts'

/** Prints events as `id  stamp  tag`. */
export function eventList(data: Value, _options: OutputOptions): string {
  if (!isList(data)) throw new Unprintable('event_list', inline(data))
  if (data.length === 0) return 'No such event is in the log.'
  return data
    .filter(isMap)
    .map((event) => `${textOf(event, 'event')}  ${textOf(event, 'at')}  ${textOf(event, 'tag')}`)
    .join('\n')
}
