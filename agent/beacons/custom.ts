// A beacon a user wrote, as a kind: `_beacons/<name>.mjs`, which exports `beacon`, and where it likes `validate` and `close`.
import { isMap, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { BeaconEvent, BeaconKind } from './beacon.ts'
import { mapOf } from './entry.ts'

/** What `beacon` and `close` get before the configuration. */
export interface CustomBeaconContext {
  /** `salt['x.y'](…)` runs a function of the minion with positional arguments. */
  readonly salt: Readonly<Record<string, (...args: Value[]) => Promise<Value>>>
  /** Kept from one look to the next: Salt's `__context__`. */
  readonly context: Record<string, unknown>
  readonly grains: Mapping
  readonly pillar: Mapping
  readonly opts: Mapping
}

/** What a custom beacon is told of the minion when it is looked at. */
export type MinionNow = () => Pick<CustomBeaconContext, 'grains' | 'pillar' | 'opts'>

type Exported = Readonly<Record<string, unknown>>
type AnyFunction = (...args: readonly unknown[]) => unknown

/**
 * The kind that a file's exports make. `beacon(context, config)` returns a list of maps (`tag` among them is the end of
 * the event's tag), or a promise of one; `validate(config)` returns true, or `[false, 'why']`, or the text of what is
 * wrong. undefined where there is no `beacon`.
 */
export function customBeacon(name: string, exported: Exported, now: MinionNow): BeaconKind | undefined {
  const look = functionAt(exported, 'beacon')
  const validate = functionAt(exported, 'validate')
  const close = functionAt(exported, 'close')
  if (look === undefined) return undefined
  const virtual = exported.__virtualname__
  return {
    name: typeof virtual === 'string' ? virtual : name,
    doc: typeof exported.doc === 'string' ? exported.doc : '',
    validate: async (options) => (validate === undefined ? undefined : problemOf(await validate(options))),
    open(world) {
      const context: Record<string, unknown> = {}
      const salt = new Proxy(
        {},
        {
          get:
            (_, fun) =>
            (...args: Value[]) =>
              world.run(String(fun), args),
        },
      )
      let last: Mapping = {}
      return {
        async look(options) {
          last = options
          return eventsOf(await look({ salt, context, ...now() }, options))
        },
        async close() {
          await close?.({ salt, context, ...now() }, last)
        },
      }
    },
  }
}

function functionAt(exported: Exported, name: string): AnyFunction | undefined {
  const value = exported[name]
  return typeof value === 'function' ? (value as AnyFunction) : undefined
}

function problemOf(answer: unknown): string | undefined {
  if (answer === true || answer === undefined || answer === null) return undefined
  if (Array.isArray(answer)) return answer[0] === true ? undefined : String(answer[1] ?? 'The configuration is wrong.')
  return typeof answer === 'string' ? answer : 'The configuration is wrong.'
}

function eventsOf(answer: unknown): BeaconEvent[] {
  if (answer === undefined || answer === null) return []
  if (!Array.isArray(answer)) throw new TypeError('a beacon returns a list of maps')
  return answer.map((event: unknown): BeaconEvent => {
    if (!isMap(event)) throw new TypeError('a beacon returns a list of maps')
    const { tag, ...fields } = mapOf(event) ?? {}
    return tag === undefined ? fields : { ...fields, tag: pythonStr(tag) }
  })
}
