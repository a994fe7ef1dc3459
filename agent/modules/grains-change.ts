// Changing the grain at a path: its parents are changed with it, and the first of them is set.
import { isMap, isMapping, type Mapping, pythonEquals, pythonStr, type Value } from '../../core/value/index.ts'
import { deepCopy } from '../../core/value/merge.ts'

/** Reading and setting grains. */
export interface GrainAccess {
  get(key: string, delimiter: string): Value | undefined
  /** Sets a grain by its name (no path). */
  set(key: string, value: Value, destructive: boolean): Promise<Mapping>
}

/** How {@link setGrain} goes about it. */
export interface SetOptions {
  readonly force: boolean
  readonly destructive: boolean
  readonly delimiter: string
}

const isComplex = (value: Value | undefined): boolean =>
  value !== undefined && value !== null && (Array.isArray(value) || isMap(value))

/** `grains.set`: a map of `comment`, `changes` and `result`. */
export async function setGrain(access: GrainAccess, key: string, value: Value, options: SetOptions): Promise<Mapping> {
  const { force, destructive, delimiter } = options
  const existing = access.get(key, delimiter)
  const refuse = (comment: string): Mapping => ({ comment, changes: {}, result: false })
  if (existing !== undefined && pythonEquals(existing, value) && (value !== null || !destructive)) {
    return { comment: 'Grain is already set', changes: {}, result: true }
  }
  if (existing !== undefined && existing !== null && !force) {
    if (isComplex(existing))
      return refuse(`The key '${key}' exists but is a dict or a list. Use 'force=True' to overwrite.`)
    if (isComplex(value))
      return refuse(`The key '${key}' exists and the given value is a dict or a list. Use 'force=True' to overwrite.`)
  }
  let name = key
  let whole = value
  while (name.includes(delimiter)) {
    const [parent, rest] = cutLast(name, delimiter)
    const old = deepCopy(access.get(parent, delimiter) ?? {})
    const changed = within(old, rest, whole, options)
    if (changed === undefined) {
      return refuse(
        `The key '${parent}' value is '${pythonStr(old)}', which is different from the provided key '${rest}'. Use 'force=True' to overwrite.`,
      )
    }
    name = parent
    whole = changed
  }
  return { comment: '', changes: await access.set(name, whole, destructive), result: true }
}

function within(old: Value, rest: string, value: Value, options: SetOptions): Value | undefined {
  if (isMapping(old)) {
    if (value !== null || !options.destructive) return { ...old, [rest]: value }
    return Object.fromEntries(Object.entries(old).filter(([key]) => key !== rest))
  }
  if (Array.isArray(old)) return inList(old, rest, value)
  return old === rest || options.force ? { [rest]: value } : undefined
}

function inList(list: readonly Value[], rest: string, value: Value): Value[] {
  let updated = false
  const result = list.map((item) => {
    if (item !== rest && !(isMapping(item) && rest in item)) return item
    updated = true
    return isMapping(item) ? { ...item, [rest]: value } : { [rest]: value }
  })
  return updated ? result : [...result, { [rest]: value }]
}

/** `grains.append`: what was set, or why not. */
export async function appendGrain(
  access: GrainAccess,
  key: string,
  value: Value,
  convert: boolean,
  delimiter: string,
): Promise<Value> {
  const found = access.get(key, delimiter) ?? (access.get(key, delimiter) === null ? null : [])
  const list = Array.isArray(found) ? found : convert ? (found === null ? [] : [found]) : undefined
  if (list === undefined) return `The key ${key} is not a valid list`
  if (list.some((item) => pythonEquals(item, value)))
    return `The val ${pythonStr(value)} was already in the list ${key}`
  return setPath(access, key, [...list, ...(Array.isArray(value) ? value : [value])], delimiter)
}

/** `grains.remove`: what was set, or why not. */
export async function removeGrain(access: GrainAccess, key: string, value: Value, delimiter: string): Promise<Value> {
  const found = access.get(key, delimiter) ?? []
  if (!Array.isArray(found)) return `The key ${key} is not a valid list`
  const at = found.findIndex((item) => pythonEquals(item, value))
  if (at < 0) return `The val ${pythonStr(value)} was not in the list ${key}`
  return setPath(
    access,
    key,
    found.filter((_, index) => index !== at),
    delimiter,
  )
}

function setPath(access: GrainAccess, key: string, value: Value, delimiter: string): Promise<Value> {
  let name = key
  let whole = value
  while (name.includes(delimiter)) {
    const [parent, rest] = cutLast(name, delimiter)
    const old = access.get(parent, delimiter) ?? {}
    whole = isMapping(old) ? { ...old, [rest]: whole } : old
    name = parent
  }
  return access.set(name, whole, false)
}

function cutLast(key: string, delimiter: string): [string, string] {
  const at = key.lastIndexOf(delimiter)
  return [key.slice(0, at), key.slice(at + delimiter.length)]
}
