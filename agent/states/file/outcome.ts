// How the file states say how they went, and the checks that most of them begin with.
import { isMapping, type Mapping, pythonStr, pythonTruth, type Value } from '../../../core/value/index.ts'
import { groupNumber, primaryGroup, userName, userNumber } from '../../filesystem/owners.ts'
import { exists, expandUser } from '../../filesystem/paths.ts'
import type { Arguments } from '../../modules/arguments.ts'
import type { Managed } from '../../modules/file/manage.ts'
import type { StateCall } from '../state-module.ts'

/** A return that has nothing to tell yet. */
export const begun = (name: Value, result: boolean | null = true): Managed => ({
  name,
  changes: {},
  result,
  comment: '',
})

/** It failed, with what changed before. */
export const failed = (ret: Managed, comment: string): Managed => ({ ...ret, result: false, comment })

/** It is, or would be, so. */
export const ended = (
  ret: Managed,
  result: boolean | null,
  comment: string,
  changes: Mapping = ret.changes,
): Managed => ({
  ...ret,
  result,
  comment,
  changes,
})

/** A chunk's `name` as a path. */
export const nameOf = (args: Arguments): Promise<string> => expandUser(args.text('name'))

/** `user`, or the `owner` that people write for it. */
export function ownerOf(args: Arguments): Value {
  const user = args.value('user')
  if (pythonTruth(user)) return user
  return args.keywords.owner ?? user
}

/** What is wrong with a user and a group; nothing in test mode, where another state may make them first. */
export async function wrongOwner(user: Value, group: Value, { test }: StateCall): Promise<string | undefined> {
  let words = ''
  if (pythonTruth(user) && (await userNumber(user)) === '') words += `User ${pythonStr(user)} is not available `
  if (pythonTruth(group) && (await groupNumber(group)) === '') words += `Group ${pythonStr(group)} is not available`
  return words === '' || test ? undefined : words
}

/** Why a file cannot be edited: its path is not absolute, or it is not there. */
export async function wrongFile(name: string): Promise<string | undefined> {
  if (!name.startsWith('/')) return notAbsolute(name)
  return (await exists(name)) ? undefined : `${name}: file not found`
}

/** Salt's words for a path that is not absolute. */
export const notAbsolute = (name: string): string => `Specified file ${name} is not an absolute path`

/** The user who gets what nobody else is to get: the minion's; where that is not root, who runs it, since only root gives files away. */
export async function minionUser({ agent }: StateCall): Promise<Value> {
  const { user } = agent.opts
  const own = process.getuid?.() ?? 0
  if (own === 0 && typeof user === 'string' && user !== '' && (await userNumber(user)) !== '') return user
  return userName(own)
}

/** The group of a user where none is asked for. */
export const groupFor = async (user: Value, group: Value): Promise<Value> =>
  group === null ? primaryGroup(user) : group

/** A text or a list of texts as a list; numbers and booleans as Python prints them. */
export function textsOf(value: Value): string[] {
  return (Array.isArray(value) ? value : [value]).map(pythonStr)
}

/** A map, or nothing. */
export const mapIfAny = (value: Value): Mapping | undefined =>
  isMapping(value)
    ? value
    : value instanceof Map
      ? Object.fromEntries([...value].map(([key, item]) => [pythonStr(key), item]))
      : undefined
