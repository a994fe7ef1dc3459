// Who is who on this machine, as /etc/passwd and /etc/group tell it.
import { readFile } from 'node:fs/promises'

/** An account. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
  readonly shell: string
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

async function accounts(): Promise<Account[]> {
  return (await lines('/etc/passwd')).map(([name = '', , uid, gid, , home = '/', shell = '/bin/sh']) => ({
    name,
    uid: Number(uid),
    gid: Number(gid),
    home,
    shell,
  }))
}

async function lines(path: string): Promise<string[][]> {
  try {
    return (await readFile(path, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(':'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
