// Users and groups of files: names and numbers, as Salt's file module turns one into the other.
import { chown, lchown } from 'node:fs/promises'
import { isInteger, pythonStr, type Value } from '../../core/value/index.ts'
import { accountById, accountByName, groupId, groupName } from '../modules/users.ts'
import { exists } from './paths.ts'

/** The number of a user; a number is one, None is who runs this; empty where there is no such user. */
export async function userNumber(user: Value): Promise<number | ''> {
  if (isInteger(user)) return Number(user)
  if (user === null) return process.getuid?.() ?? 0
  return (await accountByName(pythonStr(user)))?.uid ?? ''
}

/** The number of a group; empty for None and where there is no such group. */
export async function groupNumber(group: Value): Promise<number | ''> {
  if (isInteger(group)) return Number(group)
  if (group === null) return ''
  return (await groupId(pythonStr(group))) ?? ''
}

/** The name of a user, or its number where it has none. */
export async function userName(uid: number): Promise<string | number> {
  return (await accountById(uid))?.name ?? uid
}

/** The name of a group, or its number where it has none. */
export async function groupNameOf(gid: number): Promise<string | number> {
  return (await groupName(gid)) ?? gid
}

/** The name of the group a user belongs to first; of who runs this without an account, the group it runs in. */
export async function primaryGroup(user: Value): Promise<string | number> {
  const account = isInteger(user) ? await accountById(Number(user)) : await accountByName(pythonStr(user))
  const own = user === process.getuid?.() ? process.getgid?.() : undefined
  return groupNameOf(account?.gid ?? own ?? 0)
}

/**
 * Salt's `file.chown` and `file.lchown`: the empty user or group stays as it is. Answers what is wrong with the request in
 * Salt's words; throws the system's error where it refuses.
 */
export async function changeOwner(path: string, user: Value, group: Value, follow = true): Promise<string | undefined> {
  let problem = ''
  let uid = await userNumber(user)
  let gid = await groupNumber(group)
  if (uid === '') {
    if (user !== '') problem += 'User does not exist\n'
    uid = -1
  }
  if (gid === '') {
    if (group !== '' && group !== null) problem += 'Group does not exist\n'
    gid = -1
  }
  const there = await exists(path)
  if (follow && !there) problem += 'File not found'
  if (problem !== '') return problem
  // Node takes unsigned numbers: 2³² - 1 is C's -1, "leave it".
  const keep = (id: number): number => (id < 0 ? 0xffffffff : id)
  await (follow ? chown : lchown)(path, keep(uid), keep(gid))
  return undefined
}
