// Salt's `user` states.
import { stat } from 'node:fs/promises'
import {
  isList,
  isMapping,
  type Mapping,
  pythonEquals,
  pythonRepr,
  pythonStr,
  pythonTruth,
  type Value,
} from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import { groupId, groupName } from '../modules/users.ts'
import { fine, would, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

const secret = 'XXX-REDACTED-XXX'
const gecosFields = ['fullname', 'roomnumber', 'workphone', 'homephone', 'other'] as const
/** Arguments about the password's age, and what `shadow.info` calls them. */
const ages = {
  date: 'lstchg',
  mindays: 'min',
  maxdays: 'max',
  inactdays: 'inact',
  warndays: 'warn',
  expire: 'expire',
} as const

const asked = async (call: StateCall, fun: string, name: string): Promise<Mapping> => {
  const told = await call.salt(fun, [name])
  return isMapping(told) ? told : {}
}

const textsOf = (value: Value): string[] =>
  value === null ? [] : isList(value) ? value.map(pythonStr) : pythonStr(value).split(',')

async function existing(call: StateCall, groups: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const group of groups) if (Object.keys(await asked(call, 'group.info', group)).length > 0) found.push(group)
  return found
}

/** The further groups it shall be in, and what is to be set as password. */
interface Wish {
  readonly groups: readonly string[] | undefined
  readonly password: string | undefined
}

/** What differs from how the user shall be. */
async function differences(args: Arguments, call: StateCall, info: Mapping, wish: Wish): Promise<Mapping> {
  const change: Mapping = {}
  const uid = args.value('uid')
  if (pythonTruth(uid) && args.integer('uid') !== info.uid) change.uid = args.integer('uid')
  const gid = await wantedGid(args)
  if (gid !== undefined && gid !== info.gid) change.gid = gid
  const groups = await groupChange(args, info, wish, gid)
  if (groups !== undefined) change.groups = groups
  const home = args.textIfAny('home')
  if (home !== undefined && info.home !== home) change.home = home
  const newHome = home ?? pythonStr(info.home ?? '')
  if (args.is('createhome') && !(await isDirectory(newHome))) change.homeDoesNotExist = newHome
  const shell = args.textIfAny('shell')
  if (shell !== undefined && info.shell !== shell) change.shell = shell
  Object.assign(change, await passwordChange(args, call, wish.password))
  for (const field of gecosFields) {
    const value = args.value(field)
    if (value !== null && info[field] !== pythonStr(value)) change[field] = pythonStr(value)
  }
  for (const key of ['uid', 'gid'] as const) {
    if (change[key] === undefined || args.is(`allow_${key}_change`)) continue
    throw new CommandExecutionError(
      `Encountered error checking for needed changes. Additional info follows:\n\n- Changing ${key} (${pythonStr(info[key] ?? null)} -> ${pythonStr(change[key])}) not permitted, set allow_${key}_change to True to force this change. Note that this will not change file ownership.`,
    )
  }
  return change
}

async function wantedGid(args: Arguments): Promise<number | undefined> {
  const named = args.is('usergroup') ? await groupId(args.text('name')) : undefined
  if (named !== undefined) return named
  const gid = args.textIfAny('gid')
  if (gid === undefined) return undefined
  return /^\d+$/.test(gid) ? Number(gid) : groupId(gid)
}

async function groupChange(
  args: Arguments,
  info: Mapping,
  { groups }: Wish,
  gid: number | undefined,
): Promise<string[] | undefined> {
  if (groups === undefined) return undefined
  const main = new Set([await groupName(gid ?? Number(info.gid)), await groupName(Number(info.gid))])
  const current = textsOf(info.groups ?? null).filter((name) => !main.has(name))
  const wanted = groups.filter((name) => !main.has(name)).sort()
  const missing = wanted.some((name) => !current.includes(name))
  if (args.value('remove_groups') === false) return missing ? [...new Set([...current, ...wanted])].sort() : undefined
  return missing || current.some((name) => !wanted.includes(name)) ? wanted : undefined
}

async function passwordChange(args: Arguments, call: StateCall, password: string | undefined): Promise<Mapping> {
  const wantsNothing =
    password === undefined &&
    args.value('password_lock') === null &&
    !args.is('empty_password') &&
    Object.keys(ages).every((key) => args.value(key) === null)
  if (wantsNothing) return {}
  const shadow = await asked(call, 'shadow.info', args.text('name'))
  const current = pythonStr(shadow.passwd ?? '')
  const change: Mapping = {}
  const isEmpty = args.is('empty_password')
  const isUnset = current === '!' || current === '*'
  if (password !== undefined && !isEmpty && (isUnset || args.is('enforce_password')) && current !== password)
    change.passwd = password
  if (isEmpty && current !== '') change.empty_password = true
  for (const [key, field] of Object.entries(ages)) {
    const value = args.value(key)
    if (value !== null && !pythonEquals(shadow[field] ?? null, value)) change[key] = value
  }
  const lock = args.value('password_lock')
  if (lock !== null && pythonTruth(lock) !== current.startsWith('!')) change.password_lock = pythonTruth(lock)
  return change
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

async function passwordOf(args: Arguments, call: StateCall): Promise<string | undefined> {
  const password = args.textIfAny('password')
  if (password === undefined || !args.is('hash_password')) return password
  const current = pythonStr((await asked(call, 'shadow.info', args.text('name'))).passwd ?? '')
  const [, kind = '', salt = ''] = /^\$(\w+)\$([^$]+)\$/.exec(current) ?? []
  const algorithm = { '1': 'md5', '5': 'sha256', '6': 'sha512' }[kind]
  const more = algorithm === undefined ? {} : { crypt_salt: salt, algorithm }
  return pythonStr(await call.salt('shadow.gen_password', [password], more))
}

async function present(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  for (const field of ['fullname', 'roomnumber', 'workphone'] as const) {
    if (args.text(field).includes(',')) return wrong(name, `Unsupported char ',' in ${args.text(field)}`)
  }
  const groups = textsOf(args.value('groups'))
  const there = await existing(call, groups)
  const missing = groups.filter((group) => !there.includes(group))
  if (missing.length > 0 && !call.test)
    return wrong(name, `The following group(s) are not present: ${missing.join(',')}`)
  const optional = await existing(call, textsOf(args.value('optional_groups')))
  const isAsked = args.value('groups') !== null || optional.length > 0
  const wish: Wish = {
    groups: isAsked ? [...new Set([...there, ...optional])] : undefined,
    password: await passwordOf(args, call),
  }
  const info = await asked(call, 'user.info', name)
  if (Object.keys(info).length === 0) return create(args, call, wish, missing)
  try {
    const change = await differences(args, call, info, wish)
    if (Object.keys(change).length === 0) return fine(name, `User ${name} is present and up to date`)
    if (call.test) return foreseen(name, change, missing)
    return await update(args, call, info, wish, change)
  } catch (error) {
    if (error instanceof CommandExecutionError) return wrong(name, error.message)
    throw error
  }
}

function foreseen(name: string, change: Mapping, missing: readonly string[]): StateReturn {
  const lines = Object.entries(change).map(
    ([key, value]) => `${key}: ${key === 'passwd' ? secret : pythonStr(value)}\n`,
  )
  if (missing.length > 0) lines.push(`groups (pending creation): ${missing.join(',')}\n`)
  return would(name, `The following user attributes are set to be changed:\n${lines.join('')}`)
}

async function update(
  args: Arguments,
  call: StateCall,
  info: Mapping,
  wish: Wish,
  change: Mapping,
): Promise<StateReturn> {
  const name = args.text('name')
  const isShadowed = [...Object.keys(ages), 'passwd', 'empty_password', 'password_lock'].some((key) => key in change)
  const before = isShadowed ? await asked(call, 'shadow.info', name) : {}
  for (const key of ['uid', 'gid', 'shell', ...gecosFields]) {
    if (change[key] !== undefined) await call.salt(`user.ch${key}`, [name, change[key]])
  }
  const { homeDoesNotExist: newHome = null, home = null } = change
  if (home !== null) await call.salt('user.chhome', [name, home], { persist: args.is('persist_home') })
  if (newHome !== null) await makeHome(call, name, pythonStr(newHome))
  if (change.groups !== undefined)
    await call.salt('user.chgroups', [name, change.groups], { append: args.value('remove_groups') === false })
  await setPassword(call, name, change)
  const changes: Mapping = {}
  const now = await asked(call, 'user.info', name)
  for (const [key, value] of Object.entries(now)) if (!pythonEquals(value, info[key] ?? null)) changes[key] = value
  if (newHome !== null) changes.homeDoesNotExist = newHome
  if (isShadowed) {
    for (const [key, value] of Object.entries(await asked(call, 'shadow.info', name)))
      if (!pythonEquals(value, before[key] ?? null)) changes[key] = key === 'passwd' ? secret : value
  }
  const left = await differences(args, call, now, wish)
  if ('passwd' in left) left.passwd = secret
  if (Object.keys(left).length > 0)
    return wrong(name, `These values could not be changed: ${pythonRepr(left)}`, changes)
  return fine(name, `Updated user ${name}`, changes)
}

async function makeHome(call: StateCall, name: string, path: string): Promise<void> {
  const { uid = null, gid = null } = await asked(call, 'user.info', name)
  await call.salt('file.mkdir', [path, uid, gid, '0755'])
}

async function setPassword(call: StateCall, name: string, change: Mapping): Promise<void> {
  const { passwd, empty_password: empty, password_lock: lock } = change
  if (passwd !== undefined) await call.salt('shadow.set_password', [name, passwd])
  if (empty === true) await call.salt('shadow.del_password', [name])
  if (lock !== undefined) await call.salt(lock === true ? 'shadow.lock_password' : 'shadow.unlock_password', [name])
  for (const key of Object.keys(ages)) {
    if (change[key] !== undefined) await call.salt(`shadow.set_${key}`, [name, change[key]])
  }
}

async function create(args: Arguments, call: StateCall, wish: Wish, missing: readonly string[]): Promise<StateReturn> {
  const name = args.text('name')
  if (call.test) {
    const pending = missing.length > 0 ? ` (pending groups: ${missing.join(',')})` : ''
    return would(name, `User ${name} set to be added${pending}`)
  }
  const same = [
    'uid',
    'gid',
    'home',
    'shell',
    'unique',
    'system',
    ...gecosFields,
    'createhome',
    'nologinit',
    'usergroup',
  ]
  const options = Object.fromEntries(same.map((key) => [key, args.value(key)]))
  const made = await call.salt('user.add', [name], {
    ...options,
    groups: wish.groups === undefined ? null : [...wish.groups],
  })
  if (made !== true) return wrong(name, `Failed to create new user ${name}`)
  const changes: Mapping = await asked(call, 'user.info', name)
  if (!args.is('createhome')) changes.home = ''
  const isEmpty = args.is('empty_password')
  const wanted = Object.fromEntries(
    Object.keys(ages)
      .map((key) => [key, args.value(key)])
      .filter(([, value]) => pythonTruth(value ?? null)),
  )
  const password = wish.password !== undefined && !isEmpty ? wish.password : undefined
  await setPassword(call, name, {
    ...wanted,
    ...(password === undefined ? {} : { passwd: password }),
    ...(isEmpty && wish.password === undefined ? { empty_password: true } : {}),
    ...(args.is('password_lock') ? { password_lock: true } : {}),
  })
  if (password !== undefined) {
    changes.password = secret
    const now = pythonStr((await asked(call, 'shadow.info', name)).passwd ?? '').replace(/^!/, '')
    if (now !== password.replace(/^!/, ''))
      return wrong(name, `User ${name} created but failed to set password to ${secret}`, changes)
  } else if (isEmpty) changes.password = ''
  return fine(name, `New user ${name} created`, { ...changes, ...wanted })
}

async function absent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const info = await asked(call, 'user.info', name)
  if (Object.keys(info).length === 0) return fine(name, `User ${name} is not present`)
  if (call.test) return would(name, `User ${name} set for removal`)
  const before = textsOf(info.groups ?? null)
  const isGone = await call.salt('user.delete', [name], { remove: args.is('purge'), force: args.is('force') })
  if (isGone !== true) return wrong(name, `Failed to remove user ${name}`)
  const left = await existing(call, before)
  const groups = before.filter((group) => !left.includes(group)).map((group) => [`${group} group`, 'removed'])
  return fine(name, `Removed user ${name}`, { ...Object.fromEntries(groups), [name]: 'removed' })
}

/** Accounts. */
export const user: StateModule = {
  name: 'user',
  functions: {
    present: defineState(
      'name, uid=None, gid=None, usergroup=None, groups=None, optional_groups=None, remove_groups=True, home=None, createhome=True, persist_home=False, password=None, hash_password=False, enforce_password=True, empty_password=False, shell=None, unique=True, system=False, fullname=None, roomnumber=None, workphone=None, homephone=None, other=None, loginclass=None, date=None, mindays=None, maxdays=None, inactdays=None, warndays=None, expire=None, win_homedrive=None, win_profile=None, win_logonscript=None, win_description=None, nologinit=False, allow_uid_change=False, allow_gid_change=False, password_lock=None, local=False',
      `Ensure that there is a user, and that it is as said.

name
    The user.
uid, gid, usergroup
    Its number and its main group; whether it has a group of its own name. A user that is there keeps its numbers unless \`\`allow_uid_change\`\` or \`\`allow_gid_change\`\` is True.
groups, optional_groups, remove_groups
    Further groups; those that it is only put into where they exist; False leaves it in others.
home, createhome, persist_home, shell
    Its home and shell; whether the home is made, and whether what is in the old one is moved.
password, hash_password, enforce_password, empty_password, password_lock
    The hash of its password, or the password where \`\`hash_password\`\` is True; False sets it only where none is set.
date, mindays, maxdays, inactdays, warndays, expire
    How long the password and the account hold, in days.
fullname, roomnumber, workphone, homephone, other
    The parts of its comment.
system, unique, nologinit
    An account of the system's; whether the number has to be its own; not in the log of log-ins.${slsExample(`
fred:
  user.present:
    - fullname: Fred Jones
    - shell: /bin/zsh
    - home: /home/fred
    - uid: 4000
    - groups:
      - wheel
      - storage`)}`,
      present,
    ),
    absent: defineState(
      'name, purge=False, force=False, local=False',
      `Ensure that there is no such user.

name
    The user.
purge
    Its home goes as well.
force
    Also while it is logged in.${slsExample(`
testuser:
  user.absent: []`)}`,
      absent,
    ),
  },
}
