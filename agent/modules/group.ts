// Groups: added, changed and deleted by groupadd, groupmod, groupdel and gpasswd.
import type { Mapping, Value } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { needProgram } from './cmd-run.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { runProgram } from './program.ts'
import { type Group, groups } from './users.ts'

async function succeeds(call: Call, words: readonly Value[]): Promise<boolean> {
  await needProgram(String(words[0]))
  return (await runProgram(call, words, { tellsJob: true })).retcode === 0
}

const rooted = (args: Arguments, flag = '-R'): string[] => {
  const root = args.textIfAny('root')
  return root === undefined ? [] : [flag, root]
}

const told = ({ name, passwd, gid, members }: Group): Mapping => ({ name, passwd, gid, members: [...members] })

async function find(name: string, root?: string): Promise<Group | undefined> {
  return (await groups(root)).find((group) => group.name === name)
}

async function chgid(args: Arguments, call: Call): Promise<boolean> {
  const name = args.text('name')
  const root = args.textIfAny('root')
  const gid = args.integer('gid')
  const before = await find(name, root)
  if (before === undefined) return false
  if (before.gid === gid) return true
  await succeeds(call, ['groupmod', ...rooted(args), ...(args.is('non_unique') ? ['-o'] : []), '-g', gid, name])
  return (await find(name, root))?.gid === gid
}

const nameDoc = `

name
    The group.`

/** Salt's `group` module. */
export const group: ExecutionModule = {
  name: 'group',
  file: 'groupadd',
  functions: {
    add: define(
      'name, gid=None, system=False, root=None, non_unique=False, local=False',
      `Add a group. Returns whether that went well.${nameDoc}
gid
    Its number.
system
    A group of the system's.
non_unique
    The number may be another's as well.${examples("brine '*' group.add foo 3456")}`,
      (args, call) => {
        const gid = args.textIfAny('gid')
        const number = gid === undefined ? [] : ['-g', gid, ...(args.is('non_unique') ? ['-o'] : [])]
        return succeeds(call, [
          'groupadd',
          ...number,
          ...(args.is('system') ? ['-r'] : []),
          ...rooted(args),
          args.text('name'),
        ])
      },
    ),
    delete: define(
      'name, root=None, local=False',
      `Delete a group. Returns whether that went well.${nameDoc}${examples("brine '*' group.delete foo")}`,
      (args, call) => succeeds(call, ['groupdel', ...rooted(args), args.text('name')]),
    ),
    info: define(
      'name, root=None',
      `Return what is known of a group; nothing where there is none.${nameDoc}${examples("brine '*' group.info foo")}`,
      async (args) => {
        const found = await find(args.text('name'), args.textIfAny('root'))
        return found === undefined ? {} : told(found)
      },
      { readOnly: true },
    ),
    getent: define(
      'refresh=False, root=None',
      `Return what is known of all groups.${examples("brine '*' group.getent")}`,
      async (args) => (await groups(args.textIfAny('root'))).map(told),
      { readOnly: true },
    ),
    chgid: define(
      'name, gid, root=None, non_unique=False',
      `Change the number of a group. Returns whether it is so now.${nameDoc}${examples("brine '*' group.chgid foo 4376")}`,
      chgid,
    ),
    adduser: define(
      'name, username, root=None',
      `Put a user into a group. Returns whether that went well.${nameDoc}${examples("brine '*' group.adduser foo bar")}`,
      (args, call) =>
        succeeds(call, ['gpasswd', '--add', args.text('username'), args.text('name'), ...rooted(args, '--root')]),
    ),
    deluser: define(
      'name, username, root=None',
      `Take a user out of a group. Returns whether it is so now.${nameDoc}${examples("brine '*' group.deluser foo bar")}`,
      async (args, call) => {
        const found = await find(args.text('name'), args.textIfAny('root'))
        if (found?.members.includes(args.text('username')) !== true) return true
        return succeeds(call, ['gpasswd', '--del', args.text('username'), args.text('name'), ...rooted(args, '--root')])
      },
    ),
    members: define(
      'name, members_list, root=None',
      `Set who is in a group. Returns whether that went well.${nameDoc}${examples("brine '*' group.members foo 'user1,user2,user3'")}`,
      (args, call) =>
        succeeds(call, [
          'gpasswd',
          '--members',
          args.texts('members_list').join(','),
          args.text('name'),
          ...rooted(args, '--root'),
        ]),
    ),
  },
}
