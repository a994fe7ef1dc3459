// Passwords and how long they hold, by /etc/shadow, chpasswd, passwd and chage.
import { readFile } from 'node:fs/promises'
import type { Mapping } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { runProgram } from './program.ts'

/** What `shadow.info` tells of a user whom the file does not have. */
const nobody = { name: '', passwd: '', lstchg: '', min: '', max: '', warn: '', inact: '', expire: '' }

/** `shadow.info`: days since 1970 and days; -1 for what is not set. */
async function info(name: string): Promise<Mapping> {
  const lines = (await readFile('/etc/shadow', 'utf8')).split('\n').map((line) => line.split(':'))
  const found = lines.find(([user]) => user === name)
  if (found === undefined) return { ...nobody }
  const [, passwd = '', ...days] = found
  const number = (at: number): number => (days[at] === undefined || days[at] === '' ? -1 : Number(days[at]))
  const [lstchg, min, max, warn, inact, expire] = [0, 1, 2, 3, 4, 5].map(number)
  return { name, passwd, lstchg, min, max, warn, inact, expire } as Mapping
}

async function did(call: Call, argv: readonly string[], stdin?: string): Promise<boolean> {
  const { retcode, stderr } = await runProgram(call, argv, stdin === undefined ? {} : { stdin })
  if (retcode !== 0 && stderr !== '') throw new CommandExecutionError(stderr)
  return retcode === 0
}

/** A function that sets one of the ages by chage. */
function age(key: string, flag: string, field: string, what: string) {
  return define(
    `name, ${key}, root=None`,
    `Set ${what} of a user. Returns whether it is so now.${examples(`brine '*' shadow.set_${key} username 7`)}`,
    async (args: Arguments, call: Call) => {
      const name = args.text('name')
      await did(call, ['chage', flag, args.text(key), name])
      const now = (await info(name))[field]
      return String(now) === args.text(key) || /^\d{4}-/.test(args.text(key))
    },
  )
}

/** Salt's `shadow` module. */
export const shadow: ExecutionModule = {
  name: 'shadow',
  file: 'linux_shadow',
  functions: {
    info: define(
      'name, root=None',
      `Return what is known of a user's password: its hash, when it was set, how long it holds.${examples("brine '*' shadow.info root")}`,
      (args) => info(args.text('name')),
    ),
    default_hash: define(
      '',
      `Return the hash that stands for no password.${examples("brine '*' shadow.default_hash")}`,
      () => '!',
      { readOnly: true },
    ),
    set_password: define(
      'name, password, use_usermod=False, root=None',
      `Set a user's password to a hash, as \`\`openssl passwd -6\`\` prints it.${examples("brine '*' shadow.set_password root '$6$…'")}`,
      async (args, call) => {
        const name = args.text('name')
        await did(call, ['chpasswd', '-e'], `${name}:${args.text('password')}\n`)
        return (await info(name)).passwd === args.text('password')
      },
    ),
    gen_password: define(
      "password, crypt_salt=None, algorithm='sha512'",
      `Return the hash of a password.

algorithm
    sha512, sha256 or md5.${examples("brine '*' shadow.gen_password 'I_am_password'")}`,
      async (args, call) => {
        const kind = { sha512: '-6', sha256: '-5', md5: '-1' }[args.text('algorithm')]
        if (kind === undefined)
          throw new CommandExecutionError(`The algorithm '${args.text('algorithm')}' is not known.`)
        const salt = args.textIfAny('crypt_salt')
        const words = ['openssl', 'passwd', kind, ...(salt === undefined ? [] : ['-salt', salt]), '-stdin']
        return (await runProgram(call, words, { stdin: `${args.text('password')}\n` })).stdout
      },
    ),
    del_password: define(
      'name, root=None',
      `Give a user an empty password.${examples("brine '*' shadow.del_password username")}`,
      async (args, call) => {
        await did(call, ['passwd', '-d', args.text('name')])
        return (await info(args.text('name'))).passwd === ''
      },
    ),
    lock_password: define(
      'name, root=None',
      `Lock a user's password.${examples("brine '*' shadow.lock_password username")}`,
      (args, call) => did(call, ['usermod', '-L', args.text('name')]),
    ),
    unlock_password: define(
      'name, root=None',
      `Unlock a user's password.${examples("brine '*' shadow.unlock_password username")}`,
      (args, call) => did(call, ['usermod', '-U', args.text('name')]),
    ),
    set_date: age('date', '-d', 'lstchg', 'the day the password was set'),
    set_mindays: age('mindays', '-m', 'min', 'after how many days the password may be changed'),
    set_maxdays: age('maxdays', '-M', 'max', 'after how many days the password has to be changed'),
    set_inactdays: age('inactdays', '-I', 'inact', 'after how many days an old password locks the account'),
    set_warndays: age('warndays', '-W', 'warn', 'how many days before the password has to be changed one is told'),
    set_expire: age('expire', '-E', 'expire', 'the day the account ends'),
    list_users: define(
      'root=None',
      `List the users that have a line in the file of passwords.

root
    Of the system in this directory.${examples("brine '*' shadow.list_users")}`,
      async (args) => {
        const lines = (await readFile(`${args.textIfAny('root') ?? ''}/etc/shadow`, 'utf8')).split('\n')
        return lines.flatMap((line) => (line === '' ? [] : [line.split(':')[0] ?? ''])).sort()
      },
      { readOnly: true },
    ),
  },
}
