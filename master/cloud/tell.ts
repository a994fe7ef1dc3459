// The events of clouds: Salt's tags, fields and sentences.
import { createHash } from 'node:crypto'
import { mappingOf } from '../../core/cloud/mapping.ts'
import { derivedEventId } from '../../core/event/derived-id.ts'
import { isList, type Mapping, pythonStr } from '../../core/value/index.ts'
import type { Fire } from '../fire.ts'

/** Salt's own sentence for each step, which stands in the event as `event`. */
export const cloudSentences = {
  creating: 'starting create',
  requesting: 'requesting instance',
  querying: 'querying instance',
  tagging: 'setting tags',
  waiting_for_minion: 'waiting for minion',
  created: 'created instance',
  starting: 'starting instance',
  stopping: 'stopping instance',
  destroying: 'destroying instance',
  destroyed: 'destroyed instance',
} as const

/** A step in a machine's life. */
export type CloudStep = keyof typeof cloudSentences

/** Tells steps. */
export interface TellCloud {
  /**
   * Fires `salt/cloud/<name>/<step>`. What happens once in a life (`once`: of what) has an id computed from it: repeated,
   * it is one event.
   */
  step(name: string, step: CloudStep, data: Mapping, once?: string): Promise<void>
}

/** Joins it. `main` is the configuration's `cloud`, whose `filter_events` may ask for more or fewer fields. */
export function createTellCloud(fire: Fire, main: Mapping): TellCloud {
  return {
    async step(name, step, data, once) {
      const draft = {
        tag: `salt/cloud/${name}/${step}`,
        data: { ...filtered(main, step, data), event: cloudSentences[step] },
      }
      await fire(once === undefined ? draft : { ...draft, id: stepId(once, step) })
    },
  }
}

/** A ULID of what a step happened to and the step; without a time of its own it sorts before all others. */
export function stepId(of: string, step: string): string {
  return derivedEventId(createHash('sha256').update(of).digest('hex'), `cloud/${step}`)
}

/** `filter_events: {created: {keys: […], use_defaults: False}}`: the fields that are told. */
function filtered(main: Mapping, step: CloudStep, data: Mapping): Mapping {
  const rule = mappingOf(mappingOf(main.filter_events)?.[step])
  if (rule === undefined) return data
  const keys = isList(rule.keys ?? null) ? (rule.keys as readonly unknown[]).map((key) => pythonStr(key as string)) : []
  const kept = rule.use_defaults === false ? keys : [...Object.keys(data), ...keys]
  return Object.fromEntries(Object.entries(data).filter(([key]) => kept.includes(key)))
}
