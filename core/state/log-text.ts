// What the log says of a state that has ended, as Salt words it.
import { entries, get, has, isMap, pythonStr, pythonTruth, type Value } from '../value/index.ts'

/** The line (or lines) for a result: what changed, else its comment. A failure goes to the log as an error. */
export function stateLogText(result: Value): string {
  const changes = isMap(result) ? (get(result, 'changes') ?? null) : null
  if (!pythonTruth(changes)) return isMap(result) ? commentOf(result) : pythonStr(result)
  if (!isMap(changes)) return pythonStr(changes)
  const values = entries(changes)
  const areVersions = values.every(([, change]) => isMap(change) && has(change, 'old') && has(change, 'new'))
  if (areVersions) {
    const lines = values.map(
      ([name, change]) =>
        `'${pythonStr(name)}' changed from '${versionOf(change, 'old')}' to '${versionOf(change, 'new')}'\n`,
    )
    return `Made the following changes:\n${lines.join('')}`
  }
  const diff = get(changes, 'diff')
  return typeof diff === 'string' ? `File changed:\n${diff}` : pythonStr(changes)
}

function commentOf(result: Value): string {
  const comment = isMap(result) ? (get(result, 'comment') ?? null) : null
  if (pythonTruth(comment)) return pythonStr(comment)
  return `No changes made for ${isMap(result) ? pythonStr(get(result, 'name') ?? null) : ''}`
}

/** Nothing was there before, or is there now: `absent`. */
function versionOf(change: Value, when: 'old' | 'new'): string {
  const version = isMap(change) ? (get(change, when) ?? null) : null
  return !pythonTruth(version) && version !== false && version !== null ? 'absent' : pythonStr(version)
}
