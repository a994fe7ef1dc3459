// Names as runners are given them.
import { isList, pythonStr, type Value } from '../../core/value/index.ts'

/** Names as a text with commas, or as a list; nothing has none. */
export function namesOf(value: Value): string[] {
  const names = isList(value) ? value.map(pythonStr) : pythonStr(value ?? '').split(',')
  return names.map((name) => name.trim()).filter((name) => name !== '')
}
