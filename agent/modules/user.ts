// Accounts: added, changed and deleted by useradd, usermod and userdel.
import { type Mapping, pythonEquals, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { needProgram } from './cmd-run.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { runProgram } from './program.ts'
import { type Account, accounts, groupsOf } from './users.ts'

/** The parts of an account's comment, in their order. */
const gecosFields = ['fullname', 'roomnumber', 'workphone', 'homephone', 'other'] as const

type GecosField = (typeof gecosFields)[number]

async function infoOf(account: Account, root: string | undefined): Promise<Mapping> {
  const { uid, gid, name, passwd, home, shell, gecos } = account
  const comment = Object.fromEntries(gecosFields.map((field, index) => [field, gecos[index] ?? '']))
  return { gid, groups: await groupsOf(account, root), home, name, passwd, shell, uid, ...comment }
}

async function find(name: string, root: string | undefined): Promise<Account | undefined> {
  return (await accounts(root)).find((account) => account.name === name)
}

/** `user.info`: empty where there is no such user. */
async function info(name: string, root: string | undefined): Promise<Mapping> {
  const account = await find(name, root)
  return account === undefined ? {} : infoOf(account, root)
}

async function runTool(call: Call, tool: string, words: readonly Value[], root: string | undefined) {
  await needProgram(tool)
  return runProgram(call, [tool, ...(root === undefined ? [] : ['-R', root]), ...words], { tellsJob: true })
}

async function add(args: Arguments, call: Call): Promise<boolean> {
  const name = args.text('name')
  const root = args.textIfAny('root')
  const groups = groupList(args.value('groups'))
  const option = (flag: string, key: string): string[] => {
    const value = args.textIfAny(key)
    return value === undefined ? [] : [flag, value]
  }
  const words = [
    ...option('-s', 'shell'),
    ...option('-u', 'uid'),
    ...option('-g', 'gid'),
    ...(args.textIfAny('gid') === undefined && args.is('usergroup') ? ['-U'] : []),
    ...(args.value('usergroup') === false ? ['-N'] : []),
    args.is('createhome') ? '-m' : '-M',
    ...(args.is('nologinit') ? ['-l'] : []),
    ...option('-d', 'home'),
    ...(args.is('unique') ? [] : ['-o']),
    ...(args.is('system') ? ['-r'] : []),
    name,
  ]
  if ((await runTool(call, 'useradd', words, root)).retcode !== 0) return false
  if (groups.length > 0) await changeGroups(call, name, groups, false, root)
  for (const field of gecosFields) {
    const value = args.textIfAny(field)
    if (value !== undefined) await changeGecos(call, name, field, value, root)
  }
  return true
}

function groupList(value: Value): string[] {
  if (value === null || value === '') return []
  return Array.isArray(value) ? value.map(pythonStr) : pythonStr(value).split(',')
}

async function remove(args: Arguments, call: Call): Promise<boolean> {
  const words = [...(args.is('remove') ? ['-r'] : []), ...(args.is('force') ? ['-f'] : []), args.text('name')]
  const { retcode, stderr } = await runTool(call, 'userdel', words, args.textIfAny('root'))
  // Debian's userdel ends so where only the mail spool was not there.
  return retcode === 0 || (retcode === 12 && /var\/(spool\/)?mail/.test(stderr))
}

/** Changes one thing about a user and says whether it is so then. Throws where there is no such user. */
async function change(call: Call, args: Arguments, key: string, flag: string, more: string[] = []): Promise<boolean> {
  const name = args.text('name')
  const root = args.textIfAny('root')
  const value = args.value(key === 'name' ? 'new_name' : key)
  const before = await find(name, root)
  if (before === undefined) throw new CommandExecutionError(`User '${name}' does not exist`)
  if (pythonEquals((await infoOf(before, root))[key] ?? null, value)) return true
  await runTool(call, 'usermod', [...more, flag, value, name], root)
  const after = await info(key === 'name' ? pythonStr(value) : name, root)
  return pythonEquals(after[key] ?? null, value) || pythonStr(after[key] ?? null) === pythonStr(value)
}

async function changeGroups(
  call: Call,
  name: string,
  groups: readonly string[],
  append: boolean,
  root: string | undefined,
): Promise<boolean> {
  const account = await find(name, root)
  const before = account === undefined ? [] : await groupsOf(account, root)
  if (before.join(',') === [...groups].sort().join(',')) return true
  const words = [...(append ? ['-a'] : []), '-G', groups.join(','), name]
  return (await runTool(call, 'usermod', words, root)).retcode === 0
}

async function changeGecos(
  call: Call,
  name: string,
  field: GecosField,
  value: string,
  root: string | undefined,
): Promise<boolean> {
  const account = await find(name, root)
  if (account === undefined) throw new CommandExecutionError(`User '${name}' does not exist`)
  const at = gecosFields.indexOf(field)
  if (account.gecos[at] === value) return true
  const gecos = account.gecos.with(at, value).join(',').replace(/,+$/, '')
  await runTool(call, 'usermod', ['-c', gecos, name], root)
  return (await find(name, root))?.gecos[at] === value
}

const nameDoc = `

name
    The user.`

function gecosFunction(field: GecosField, what: string) {
  return define(
    `name, ${field}, root=None`,
    `Change the ${what} of a user. Returns whether it is so now.${nameDoc}${examples(`brine '*' user.ch${field} foo 'text'`)}`,
    (args, call) => changeGecos(call, args.text('name'), field, args.textIfAny(field) ?? '', args.textIfAny('root')),
  )
}

function changeFunction(key: string, flag: string, what: string, value: string) {
  return define(
    `name, ${key}, root=None`,
    `Change the ${what} of a user. Returns whether it is so now.${nameDoc}${examples(`brine '*' user.ch${key} foo ${value}`)}`,
    (args, call) => change(call, args, key, flag),
  )
}

/** Salt's `user` module. */
export const user: ExecutionModule = {
  name: 'user',
  file: 'useradd',
  functions: {
    add: define(
      "name, uid=None, gid=None, groups=None, home=None, shell=None, unique=True, system=False, fullname='', roomnumber='', workphone='', homephone='', other='', createhome=True, loginclass=None, nologinit=False, root=None, usergroup=None, local=False",
      `Add a user. Returns whether that went well.${nameDoc}
uid, gid, groups
    Its number, its main group, further groups.
home, shell, createhome
    Its home and shell; whether the home is made.
unique, system
    False lets the number be another's as well; True makes a system account.
usergroup
    True makes a group of the user's name, False does not.
fullname, roomnumber, workphone, homephone, other
    The parts of its comment.${examples("brine '*' user.add name <uid> <gid> <groups> <home> <shell>")}`,
      add,
    ),
    delete: define(
      'name, remove=False, force=False, root=None, local=False',
      `Delete a user. Returns whether that went well.${nameDoc}
remove
    Its home as well.
force
    Also while it is logged in.${examples("brine '*' user.delete name remove=True force=True")}`,
      remove,
    ),
    info: define(
      'name, root=None',
      `Return what is known of a user; nothing where there is none.${nameDoc}${examples("brine '*' user.info root")}`,
      (args) => info(args.text('name'), args.textIfAny('root')),
      { readOnly: true },
    ),
    getent: define(
      'refresh=False, root=None',
      `Return what is known of all users.${examples("brine '*' user.getent")}`,
      async (args) => {
        const root = args.textIfAny('root')
        return Promise.all((await accounts(root)).map((account) => infoOf(account, root)))
      },
      { readOnly: true },
    ),
    list_users: define(
      'root=None',
      `List all users.${examples("brine '*' user.list_users")}`,
      async (args) => (await accounts(args.textIfAny('root'))).map(({ name }) => name).sort(),
      { readOnly: true },
    ),
    list_groups: define(
      'name',
      `List the groups a user is in.${nameDoc}${examples("brine '*' user.list_groups foo")}`,
      async (args) => {
        const account = await find(args.text('name'), undefined)
        return account === undefined ? [] : groupsOf(account)
      },
      { readOnly: true },
    ),
    primary_group: define(
      'name',
      `Return the main group of a user.${nameDoc}${examples("brine '*' user.primary_group saltadmin")}`,
      async (args, call) => (await runProgram(call, ['id', '-g', '-n', args.text('name')])).stdout,
      { readOnly: true },
    ),
    rename: define(
      'name, new_name, root=None',
      `Give a user another name.${nameDoc}${examples("brine '*' user.rename name new_name")}`,
      async (args, call) => {
        const wanted = args.text('new_name')
        if ((await find(wanted, args.textIfAny('root'))) !== undefined)
          throw new CommandExecutionError(`User '${wanted}' already exists`)
        return change(call, args, 'name', '-l')
      },
    ),
    chuid: changeFunction('uid', '-u', 'number', '4376'),
    chgid: changeFunction('gid', '-g', 'main group', '4376'),
    chshell: changeFunction('shell', '-s', 'shell', '/bin/zsh'),
    chhome: define(
      'name, home, persist=False, root=None',
      `Change the home of a user. Returns whether it is so now.${nameDoc}
persist
    Move what is in the old one.${examples("brine '*' user.chhome foo /home/users/foo True")}`,
      (args, call) => change(call, args, 'home', '-d', args.is('persist') ? ['-m'] : []),
    ),
    chgroups: define(
      'name, groups, append=False, root=None',
      `Change the further groups of a user. Returns whether that went well.${nameDoc}
append
    Keep those it is in.${examples("brine '*' user.chgroups foo wheel,root", "brine '*' user.chgroups foo wheel,root append=True")}`,
      (args, call) =>
        changeGroups(
          call,
          args.text('name'),
          groupList(args.value('groups')),
          pythonTruth(args.value('append')),
          args.textIfAny('root'),
        ),
    ),
    chfullname: gecosFunction('fullname', 'full name'),
    chroomnumber: gecosFunction('roomnumber', 'room'),
    chworkphone: gecosFunction('workphone', 'phone at work'),
    chhomephone: gecosFunction('homephone', 'phone at home'),
    chother: gecosFunction('other', 'comment'),
  },
}
