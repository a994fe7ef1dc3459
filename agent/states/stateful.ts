// Commands that say themselves what they changed: `stateful` of the `cmd` states.
import { isMapping, type Mapping, parseJson, pythonStr, type Value } from '../../core/value/index.ts'
import { shellWords } from '../modules/shell-words.ts'
import type { StateReturn } from './state-module.ts'

const notReadable = 'Failed parsing script output! Stdout must be JSON or a line of name=value pairs.'

/** What the command printed: a JSON object, or in its last line `changed=yes comment='…'`. */
export function reinterpreted(state: StateReturn): StateReturn {
  const ran: Mapping = state.changes
  const fresh: StateReturn = { ...state, changes: {}, comment: '' }
  const out = pythonStr(ran.stdout ?? '')
  if (out === '') return { ...fresh, comment: pythonStr(ran.stderr ?? '') }
  const read = readOutput(out)
  if (typeof read === 'string') {
    const changes = read === notReadable ? { ...ran } : {}
    return { ...fresh, result: false, comment: read, changes }
  }
  const { comment, ...data } = read.data
  const changed = truthOf(data.changed ?? 'no')
  const told = comment === undefined ? fresh : { ...fresh, comment: pythonStr(comment) }
  if (changed === undefined) {
    return { ...told, result: false, comment: `Failed parsing boolean value: ${pythonStr(data.changed ?? null)}` }
  }
  if (!changed) return told
  return { ...told, changes: { ...data, ...without(ran, data), stdout: read.before } }
}

/** What the command's own fields do not hide. */
const without = (ran: Mapping, data: Mapping): Mapping =>
  Object.fromEntries(Object.entries(ran).filter(([key]) => !(key in data)))

/** The data, and what was printed before it. */
function readOutput(out: string): { readonly data: Mapping; readonly before: string } | string {
  try {
    const data: Value = parseJson(out)
    if (!isMapping(data)) return 'script JSON output must be a JSON object (e.g., {})!'
    return { data, before: '' }
  } catch {
    // It is a line of pairs then.
  }
  const trimmed = out.trimEnd()
  const at = trimmed.lastIndexOf('\n')
  const data: Mapping = {}
  try {
    for (const word of shellWords(at < 0 ? out : out.slice(at + 1))) {
      const [key = '', value, ...more] = word.split('=')
      if (value === undefined || more.length > 0) return notReadable
      data[key] = value
    }
  } catch {
    return notReadable
  }
  return { data, before: at < 0 ? '' : out.slice(0, at) }
}

function truthOf(value: Value): boolean | undefined {
  const word = pythonStr(value).toLowerCase()
  if (['true', 'yes', '1'].includes(word)) return true
  return ['false', 'no', '0'].includes(word) ? false : undefined
}
