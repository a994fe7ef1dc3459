// external_auth: which backends there are, their settings, and who may do what.
import { BrineError } from '../../core/error.ts'
import { matchTag } from '../../core/event/tag-glob.ts'
import { pythonRegex } from '../../core/target/index.ts'
import { entries, isList, isMap, isMapping, pythonRepr, pythonStr, type Value } from '../../core/value/index.ts'
import { checkGrants, type Grant, readGrants } from './grants.ts'

/** What the configuration says of one backend. */
export interface BackendAccess {
  /** The keys written with `^`, without it: `filename`, `issuer`. */
  readonly settings: ReadonlyMap<string, Value>
  /** Lists by user, by `group%`, and by `*` for whom no other names. */
  readonly users: ReadonlyMap<string, readonly Value[]>
}

/** By backend. */
export type ExternalAuth = ReadonlyMap<string, BackendAccess>

/** Reads `external_auth`. Throws where it cannot be read: who may do what is not guessed. */
export function readExternalAuth(config: Value): ExternalAuth {
  if (!isMap(config)) throw malformed('external_auth', config, 'a map of backends')
  const backends = new Map<string, BackendAccess>()
  for (const [name, section] of entries(config)) {
    const backend = pythonStr(name)
    if (section !== null && !isMap(section)) throw malformed(`external_auth: ${backend}`, section, 'a map of users')
    const settings = new Map<string, Value>()
    const users = new Map<string, readonly Value[]>()
    for (const [key, value] of section === null ? [] : entries(section)) {
      const user = pythonStr(key)
      if (user.startsWith('^')) settings.set(user.slice(1), value)
      else if (isList(value)) users.set(user, value)
      else if (isMap(value)) users.set(user, entriesOf(value))
      else throw malformed(`external_auth: ${backend}: ${user}`, value, 'a list')
    }
    backends.set(backend, { settings, users })
  }
  return backends
}

/** A user's map of targets is the list of its entries. */
function entriesOf(value: Value): Value[] {
  return isMap(value) ? entries(value).map(([key, part]) => ({ [pythonStr(key)]: part })) : []
}

function malformed(where: string, value: Value, wanted: string): BrineError {
  return new BrineError(`${where} is ${pythonRepr(value).slice(0, 80)}. It must be ${wanted}.`, { code: 'config' })
}

/** What stands in external_auth and grants nothing, for the operator to read at start. */
export function checkExternalAuth(auth: ExternalAuth): string[] {
  return [...auth].flatMap(([backend, { users }]) =>
    [...users].flatMap(([user, list]) =>
      checkGrants(list).map((problem) => `external_auth: ${backend}: ${user}: ${problem}`),
    ),
  )
}

/** Somebody a backend vouched for. */
export interface Person {
  readonly name: string
  readonly eauth: string
  readonly groups: readonly string[]
}

/**
 * What a person may do now: the lists of the keys that are the name (or match it, as a glob or a whole regular expression),
 * of the person's groups, and of `*` where no key but a group's took the name. Nothing for a backend that is not configured.
 */
export function grantsOf(auth: ExternalAuth, person: Person): readonly Grant[] {
  return readGrants(listOf(auth, person))
}

function listOf(auth: ExternalAuth, { name, eauth, groups }: Person): readonly Value[] {
  const users = auth.get(eauth)?.users ?? new Map<string, readonly Value[]>()
  const list: Value[] = []
  let named = false
  for (const [key, granted] of users) {
    if (key === '*') continue
    if (key.endsWith('%')) {
      if (groups.includes(key.slice(0, -1))) list.push(...granted)
    } else if (takes(key, name)) {
      named = true
      list.push(...granted)
    }
  }
  return named ? list : [...list, ...(users.get('*') ?? [])]
}

/** The key is the pattern, the name the text; a name can never reach beyond its own keys. */
function takes(key: string, name: string): boolean {
  if (key === name || matchTag(key, name)) return true
  try {
    return pythonRegex(key, { anchor: 'fullmatch' }).test(name)
  } catch (error) {
    if (error instanceof BrineError && error.code === 'regex') return false
    throw error
  }
}

/** `perms` as the answer to a log-in shows them: a person's entries with those of `*`, each once, texts sorted first. */
export function shownPermissions(auth: ExternalAuth, person: Person): Value[] {
  const all = [...listOf(auth, person), ...(auth.get(person.eauth)?.users.get('*') ?? [])]
  const texts = all.filter((entry): entry is string => typeof entry === 'string')
  const others = new Map(all.filter((entry) => typeof entry !== 'string').map((entry) => [pythonRepr(entry), entry]))
  return [...[...new Set(texts)].sort(), ...[...others].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry)]
}

/** True for one of Salt's own forms of a setting: a text. */
export function settingText(access: BackendAccess, name: string): string | undefined {
  const value = access.settings.get(name)
  return value === undefined || value === null || isMapping(value) ? undefined : pythonStr(value)
}
