// The highstate outputter: one block a state, then the summary, for every minion.
import {
  type Dict,
  entries,
  get,
  has,
  isMap,
  type Mapping,
  pythonStr,
  size,
  type Value,
} from '../../core/value/index.ts'
import { colours } from './colour.ts'
import { compressIds } from './compress-ids.ts'
import { type HighstatePage, hostText } from './highstate-host.ts'
import { type OutputOptions, Unprintable } from './outputter.ts'

/**
 * Prints `{minion: {"state_|-id_|-name_|-fun": {result, changes, comment, …}}}` as Salt does. What a job or an
 * orchestration wraps around it (`return`, `data`, `{jid, fun, return}`) is taken off first; a minion whose value is a
 * list did not compile, a text or a number is shown as it is.
 */
export function highstate(data: Value, options: OutputOptions): string {
  return hosts(data, { options, colours: colours(options.color), nest: hosts }, 1)
}

function hosts(data: Value, page: HighstatePage, level: number): string {
  const unwrapped = unwrap(data)
  if (typeof unwrapped === 'string') return unwrapped
  if (unwrapped === null) return 'None'
  if (!isMap(unwrapped)) throw new Unprintable('highstate', 'anything but a map of minions')
  const states = page.options.state?.compressIds === true ? compressIds(unwrapped) : unwrapped
  return entries(states)
    .filter(([host]) => !(host === 'retcode' && isOrchestration(unwrapped)))
    .map(([host, value]) => hostText(pythonStr(host), value, page, level).text)
    .join('\n')
}

function unwrap(data: Value): Value {
  let value = data
  for (const wrapper of ['return', 'data']) if (isMap(value)) value = get(value, wrapper) ?? value
  if (!isMap(value) || size(value) !== 1) return value
  const only = entries(value)[0]?.[1] ?? null
  if (!isMap(only) || !has(only, 'jid') || !has(only, 'fun')) return value
  const returned = get(only, 'return') ?? {}
  if (!isMap(returned)) throw new Unprintable('highstate', 'a job whose return is not a map')
  return get(returned, 'data') ?? value
}

/** The return code rides along with the one `…_master` key of an orchestration. */
function isOrchestration(data: Mapping | Dict): boolean {
  const masters = entries(data).filter(([host]) => typeof host === 'string' && host.endsWith('_master'))
  return has(data, 'retcode') && masters.length === 1
}
