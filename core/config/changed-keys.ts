// Which keys a configuration has another value for than the one before.
import { stringifyJson, type Value } from '../value/index.ts'
import type { ParsedMaster } from './master.ts'

/** Keys that are followed while the master runs. */
const followed = new Set<string>(['reactor'])

/** The keys that differ and hold from the next start on, by name; `rest_cherrypy` is one. Those that are followed are left out. */
export function keysForNextStart(
  before: Pick<ParsedMaster, 'config' | 'rest'>,
  now: Pick<ParsedMaster, 'config' | 'rest'>,
): string[] {
  const valuesOf = ({ config, rest }: Pick<ParsedMaster, 'config' | 'rest'>): Map<string, string> =>
    new Map(
      Object.entries({ ...config, rest_cherrypy: rest }).map(([key, value]) => [key, stringifyJson(value as Value)]),
    )
  const [old, fresh] = [valuesOf(before), valuesOf(now)]
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((key) => !followed.has(key) && old.get(key) !== fresh.get(key))
    .sort()
}
