// `extend` and `exclude`: what one file changes in, or takes out of, the high data of others.
import { tagGlob } from '../event/tag-glob.ts'
import { REQUISITE_KEYWORDS } from '../sls/requisite-kinds.ts'
import { Dict, entries, get, isList, isMap, pythonEquals, pythonStr, size, type Value } from '../value/index.ts'
import { findName } from './find-name.ts'
import { bodyOf, firstPair, type High, statesOf, thawedBody } from './high.ts'

/**
 * Applies `__extend__`, in place. Strictly, a state that is extended has to be the ID's own, as it is for requisites that
 * were turned round. The errors are those of extensions of what is not there.
 */
export function applyExtend(high: High, strict: boolean): string[] {
  const extensions = high.get('__extend__')
  high.delete('__extend__')
  const errors: string[] = []
  if (!isList(extensions)) return errors
  const excluded = excludedSls(high)
  for (const extension of extensions) {
    if (!isMap(extension)) continue
    for (const [id, written] of entries(extension)) {
      const body = written instanceof Dict ? written : thawedBody(written)
      const target = targetOf(id, body, high, strict)
      if (target === undefined) errors.push(cannotExtend(id, body))
      else if (!excluded.some((sls) => pythonEquals(sls, body.get('__sls__') ?? null))) extendBody(target, body)
    }
  }
  return errors
}

function targetOf(id: Value, body: Dict, high: High, strict: boolean): Dict | undefined {
  const [state] = statesOf(body)[0] ?? []
  if (state === undefined) return bodyOf(high, id)
  const own = bodyOf(high, id)
  if (own?.has(state)) return own
  const found = findName(id, state, high, strict)
  const [place] = found
  return found.length === 1 && place !== undefined ? bodyOf(high, place[0]) : undefined
}

function cannotExtend(id: Value, body: Dict): string {
  const [name, env, sls] = [id, body.get('__env__') ?? 'base', body.get('__sls__') ?? 'base'].map(pythonStr)
  return (
    `Cannot extend ID '${name}' in '${env}:${sls}'. It is not part of the high state.\n` +
    'This is likely due to a missing include statement or an incorrectly typed ID.\n' +
    `Ensure that a state with an ID of '${name}' is available\nin environment '${env}' and to SLS '${sls}'`
  )
}

function excludedSls(high: High): Value[] {
  const excludes = high.get('__exclude__')
  if (!isList(excludes)) return []
  return excludes.flatMap((exclude) => {
    const sls = isMap(exclude) ? get(exclude, 'sls') : exclude
    return typeof sls === 'string' ? [sls] : []
  })
}

function extendBody(target: Dict, extension: Dict): void {
  for (const [state, args] of statesOf(extension)) {
    const there = target.get(state)
    if (there === undefined || !isList(there) || !isList(args)) {
      if (there === undefined) target.set(state, args)
      continue
    }
    for (const argument of args) if (!replaces(argument, there)) there.push(argument)
  }
}

/** Puts a function or an option in the place of the same one, and adds requisites to the same ones. */
function replaces(argument: Value, args: Value[]): boolean {
  let replaced = false
  for (const [index, old] of args.entries()) {
    if (typeof argument === 'string' && typeof old === 'string') {
      args[index] = argument
      replaced = true
    }
    const [key, value] = firstPair(argument) ?? []
    const [oldKey, oldValue] = firstPair(old) ?? []
    if (key === undefined || oldKey === undefined) continue
    if (pythonEquals(key, oldKey)) {
      if (typeof key !== 'string' || !REQUISITE_KEYWORDS.has(key)) args[index] = argument
      else if (isList(oldValue) && isList(value)) oldValue.push(...value)
      replaced = true
    }
    // A `name` ends `names`, and is appended besides, as in Salt.
    if (key === 'name' && oldKey === 'names') args[index] = argument
  }
  return replaced
}

/** Takes out what `__exclude__` names by ID, by file, or by a glob of files; in place. */
export function applyExclude(high: High): void {
  const excludes = high.get('__exclude__')
  high.delete('__exclude__')
  if (!isList(excludes)) return
  const files: ((sls: string) => boolean)[] = []
  const ids: Value[] = []
  for (const exclude of excludes) {
    if (typeof exclude === 'string') files.push(tagGlob(exclude))
    const [key, value] = (isMap(exclude) && size(exclude) === 1 ? firstPair(exclude) : undefined) ?? []
    if (key === 'sls' && value !== undefined) files.push(tagGlob(pythonStr(value)))
    if (key === 'id' && value !== undefined) ids.push(value)
  }
  for (const id of [...high.keys()]) {
    const sls = bodyOf(high, id)?.get('__sls__')
    const isExcluded = ids.some((known) => pythonEquals(known, id))
    if (isExcluded || (typeof sls === 'string' && files.some((takes) => takes(sls)))) high.delete(id)
  }
}
