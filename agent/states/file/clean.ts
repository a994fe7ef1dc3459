// `clean`: removes what no state makes from a directory.

import { tagGlob } from '../../../core/event/tag-glob.ts'
import {
  type Dict,
  entries,
  get,
  isList,
  isMap,
  isMapping,
  type Mapping,
  pythonStr,
  type Value,
} from '../../../core/value/index.ts'
import { remove } from '../../filesystem/move.ts'
import { isDirectory, joinPath, lexists, walk } from '../../filesystem/paths.ts'
import { textPattern } from '../../filesystem/pattern.ts'
import type { StateCall } from '../state-module.ts'

/** Salt's `check_include_exclude`: patterns are shell patterns, with `E@` in front expressions. */
export function chosenBy(path: string, include: Value | undefined, exclude: Value | undefined): boolean {
  const patterns = (value: Value | undefined): string[] =>
    value === undefined || value === null || value === '' ? [] : (Array.isArray(value) ? value : [value]).map(pythonStr)
  const [wanted, unwanted] = [patterns(include), patterns(exclude)]
  const matches = (pattern: string): boolean =>
    pattern.startsWith('E@') ? textPattern(pattern.slice(2)).test(path) : tagGlob(pattern)(path)
  return (wanted.length === 0 || wanted.some(matches)) && !unwanted.some(matches)
}

/** The paths that the required `file` states make: files, and what is in directories. */
export async function keptByRequisites(name: string, require: Value, call: StateCall): Promise<string[]> {
  const requisites = isList(require) ? require : []
  const wanted = requisites.flatMap((item) => (isMap(item) ? [get(item as Mapping | Dict, 'file') ?? null] : []))
  const kept: string[] = []
  for (const path of wanted.flatMap((id) => pathsOf(pythonStr(id), call))) {
    if (!(await isDirectory(path))) kept.push(path)
    else if (path === name || path.startsWith(`${name.replace(/\/$/, '')}/`)) {
      kept.push(path)
      for (const { root, dirs, files } of await walk(path))
        kept.push(...[...dirs, ...files].map((each) => joinPath(root, each)))
    }
  }
  return kept
}

/** What a required state is about: by its results, and by its name where it has none yet. */
function pathsOf(id: string, { low, running }: StateCall): string[] {
  const found = Object.entries(running)
    .filter(([tag]) => tag.startsWith('file_|-'))
    .filter(([tag, result]) => tag.split('_|-')[1] === id || result.name === id)
    .map(([tag, result]) => (typeof result.name === 'string' ? result.name : (tag.split('_|-')[2] ?? '')))
  const requisites = get(low, '__reqs__')
  const fromLow =
    requisites !== undefined && isMap(requisites) ? entries(requisites).flatMap(([, list]) => namesIn(list, id)) : []
  return [...new Set([...found, ...fromLow, ...(id.startsWith('/') ? [id] : [])])]
}

function namesIn(list: Value, id: string): string[] {
  if (!isList(list)) return []
  return list.flatMap((item) => {
    if (!isMapping(item) || (item.__id__ !== id && item.name !== id)) return []
    return typeof item.name === 'string' ? [item.name] : []
  })
}

/** Removes what is in a directory and neither kept nor above what is; tells what, and in test mode only tells. */
export async function removeUnkept(
  root: string,
  keep: readonly string[],
  exclude: Value,
  test: boolean,
): Promise<string[]> {
  const kept = new Set<string>([root])
  for (const path of keep) for (let at = path; at.length > 1; at = at.slice(0, at.lastIndexOf('/'))) kept.add(at)
  const removed: string[] = []
  for (const { root: here, dirs, files } of await walk(root)) {
    for (const name of [...dirs, ...files]) {
      const path = joinPath(here, name)
      if (kept.has(path) || !chosenBy(path.slice(root.length + 1), undefined, exclude)) continue
      removed.push(path)
      if (!test && (await lexists(path))) await remove(path)
    }
  }
  return removed
}
