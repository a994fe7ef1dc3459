// Who is who on this machine, as /etc/passwd and /etc/group tell it.
import { join } from 'node:path'
import { readTextIfThere } from '../filesystem/read.ts'

/** An account. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
  readonly shell: string
  readonly passwd: string
  /** The parts of its comment: full name, room, phone at work and at home, anything else. */
  readonly gecos: readonly string[]
}

/** A group and who is in it. */
export interface Group {
  readonly name: string
  readonly passwd: string
  readonly gid: number
  readonly members: readonly string[]
}

/** Every group of a root directory. */
export async function groups(root = '/'): Promise<Group[]> {
  return (await lines(join(root, 'etc/group'))).map(([name = '', passwd = '', gid, members = '']) => ({
    name,
    passwd,
    gid: Number(gid),
    members: members === '' ? [] : members.split(','),
  }))
}

/** The names of the groups a user is in, the main one among them, sorted. */
export async function groupsOf({ name, gid }: Account, root = '/'): Promise<string[]> {
  const all = await groups(root)
  return all
    .filter((group) => group.gid === gid || group.members.includes(name))
    .map((group) => group.name)
    .sort()
}

/** The account of that name; undefined where there is none. */
export async function accountByName(name: string): Promise<Account | undefined> {
  return (await accounts()).find((account) => account.name === name)
}

/** The account of that number; undefined where there is none. */
export async function accountById(uid: number): Promise<Account | undefined> {
  return (await accounts()).find((account) => account.uid === uid)
}

/** The number of a group; undefined where there is none. */
export async function groupId(name: string): Promise<number | undefined> {
  const line = (await lines('/etc/group')).find(([group]) => group === name)
  return line === undefined ? undefined : Number(line[2])
}

/** The name of a group; undefined where there is none. */
export async function groupName(gid: number): Promise<string | undefined> {
  return (await lines('/etc/group')).find((line) => Number(line[2]) === gid)?.[0]
}

/** Every account of a root directory. */
export async function accounts(root = '/'): Promise<Account[]> {
  return (await lines(join(root, 'etc/passwd'))).map(
    ([name = '', passwd = '', uid, gid, gecos = '', home = '/', shell = '/bin/sh']) => ({
      name,
      passwd,
      uid: Number(uid),
      gid: Number(gid),
      gecos: gecosParts(gecos),
      home,
      shell,
    }),
  )
}

function gecosParts(text: string): string[] {
  const parts = text.split(',')
  return [...parts.slice(0, 4), parts.slice(4).join(',')].concat(['', '', '', '', '']).slice(0, 5)
}

async function lines(path: string): Promise<string[][]> {
  return ((await readTextIfThere(path)) ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(':'))
}
