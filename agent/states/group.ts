// Salt's `group` states.
import { isList, isMapping, type Mapping, pythonRepr, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { fine, would, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

const infoOf = async (call: StateCall, name: string): Promise<Mapping> => {
  const told = await call.salt('group.info', [name])
  return isMapping(told) ? told : {}
}

const textsOf = (value: Value): string[] | undefined =>
  value === null ? undefined : isList(value) ? value.map(pythonStr) : pythonStr(value).split(',')

/** What differs from how the group shall be; undefined where there is no such group. */
async function differences(args: Arguments, call: StateCall): Promise<Mapping | undefined> {
  const info = await infoOf(call, args.text('name'))
  if (Object.keys(info).length === 0) return undefined
  const current = textsOf(info.members ?? null) ?? []
  const change: Mapping = {}
  if (args.is('gid') && args.integer('gid') !== info.gid) change.gid = args.integer('gid')
  const members = textsOf(args.value('members'))
  if (members !== undefined && [...members].sort().join() !== [...current].sort().join())
    Object.assign(change, members.length === 0 ? { delusers: current } : { members })
  const adding = textsOf(args.value('addusers'))?.filter((user) => !current.includes(user)) ?? []
  if (adding.length > 0) change.addusers = adding
  const deleting = textsOf(args.value('delusers'))?.filter((user) => current.includes(user)) ?? []
  if (deleting.length > 0) change.delusers = deleting
  return change
}

async function present(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const [adding, deleting] = [textsOf(args.value('addusers')), textsOf(args.value('delusers'))]
  if (args.value('members') !== null && (adding !== undefined || deleting !== undefined))
    return wrong(
      name,
      'Error: Conflicting options "members" with "addusers" and/or "delusers" can not be used together. ',
    )
  if (adding?.some((user) => deleting?.includes(user)))
    return wrong(name, 'Error. Same user(s) can not be added and deleted simultaneously')
  const change = await differences(args, call)
  if (change === undefined) return create(args, call)
  const lines = Object.entries(change).map(
    ([key, value]) => `${key}: ${isList(value) ? pythonRepr(value) : pythonStr(value)}\n`,
  )
  if (lines.length === 0) return fine(name, `Group ${name} is present and up to date`)
  const comment = `The following group attributes are set to be changed:\n${lines.join('')}`
  if (call.test) return would(name, comment)
  if (change.gid !== undefined)
    await call.salt('group.chgid', [name, change.gid], { non_unique: args.is('non_unique') })
  for (const user of textsOf(change.addusers ?? null) ?? []) await call.salt('group.adduser', [name, user])
  for (const user of textsOf(change.delusers ?? null) ?? []) await call.salt('group.deluser', [name, user])
  if (change.members !== undefined) await call.salt('group.members', [name, textsOf(change.members)?.join(',') ?? ''])
  const left = (await differences(args, call)) ?? {}
  if (Object.keys(left).length > 0) return wrong(name, `${comment}Some changes could not be applied`, { Failed: left })
  return fine(name, comment, { Final: 'All changes applied successfully' })
}

async function create(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  if (call.test) return would(name, `Group ${name} set to be added`)
  const gid = args.value('gid')
  if (gid !== null && !args.is('non_unique')) {
    const all = await call.salt('group.getent', [])
    const other = isList(all) ? all.filter(isMapping).find((group) => group.gid === args.integer('gid')) : undefined
    if (other !== undefined) {
      const taken = `gid ${pythonStr(gid)} is already taken by group ${pythonStr(other.name ?? '')}`
      return wrong(name, `Group ${name} is not present but ${taken}`)
    }
  }
  const options = { gid, system: args.is('system'), non_unique: args.is('non_unique') }
  if ((await call.salt('group.add', [name], options)) !== true) return wrong(name, `Failed to create new group ${name}`)
  const users = [...(textsOf(args.value('members')) ?? []), ...(textsOf(args.value('addusers')) ?? [])]
  if (users.length > 0) await call.salt('group.members', [name, users.join(',')])
  const left = (await differences(args, call)) ?? {}
  if (Object.keys(left).length > 0)
    return wrong(name, `Group ${name} has been created but, some changes could not be applied`, { Failed: left })
  return fine(name, `New group ${name} created`, await infoOf(call, name))
}

async function absent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  if (Object.keys(await infoOf(call, name)).length === 0) return fine(name, 'Group not present')
  if (call.test) return would(name, `Group ${name} is set for removal`)
  if ((await call.salt('group.delete', [name])) !== true) return wrong(name, `Failed to remove group ${name}`)
  return fine(name, `Removed group ${name}`, { [name]: '' })
}

/** Groups of users. */
export const group: StateModule = {
  name: 'group',
  functions: {
    present: defineState(
      'name, gid=None, system=False, addusers=None, delusers=None, members=None, non_unique=False, local=False',
      `Ensure that there is a group.

name
    The group.
gid
    Its number.
system
    A group of the system's.
members
    Who is in it, nobody else.
addusers, delusers
    Who is in it, and who is not, beside others.
non_unique
    The number may be another's as well.${slsExample(`
cheese:
  group.present:
    - gid: 7648
    - system: True
    - addusers:
      - user1`)}`,
      present,
    ),
    absent: defineState(
      'name, local=False',
      `Ensure that there is no such group.

name
    The group.${slsExample(`
cheese:
  group.absent: []`)}`,
      absent,
    ),
  },
}
