// Device files and named pipes: made by mknod and mkfifo, told by their numbers.
import { stat } from 'node:fs/promises'
import type { Mapping, Value } from '../../../core/value/index.ts'
import { modeNumber, normalMode } from '../../filesystem/mode.ts'
import { directoryName, exists, expandUser, lexists } from '../../filesystem/paths.ts'
import { checkPermissions } from '../../filesystem/permissions.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError, SaltInvocationError } from '../errors.ts'
import { type Call, define, type ExecutionFunction, examples } from '../module.ts'
import { runProgram } from '../program.ts'
import { attributesOf, inTest, pathOf } from './asked.ts'

/** The kinds of nodes, as mknod calls them, with the words for each. */
const KINDS = {
  c: { call: 'Character device', options: ['c'] },
  b: { call: 'Block device', options: ['b'] },
  p: { call: 'Fifo pipe', options: ['p'] },
} as const

type Kind = keyof typeof KINDS

const isKind = (text: string): text is Kind => text in KINDS

/** The two halves of a device number, as Linux keeps them in 64 bits. */
function deviceNumbers(rdev: bigint): [major: number, minor: number] {
  const major = ((rdev >> 8n) & 0xfffn) | ((rdev >> 32n) & ~0xfffn)
  const minor = (rdev & 0xffn) | ((rdev >> 12n) & ~0xffn)
  return [Number(major), Number(minor)]
}

/** `[major, minor]` of a device; `[0, 0]` of anything else. */
export async function deviceOf(path: string): Promise<[number, number]> {
  if (!(await exists(path))) return [0, 0]
  const found = await stat(path, { bigint: true })
  return found.isCharacterDevice() || found.isBlockDevice() ? deviceNumbers(found.rdev) : [0, 0]
}

async function made(kind: Kind, args: Arguments, call: Call): Promise<Mapping> {
  const name = await pathOf(args, 'name')
  const words = KINDS[kind]
  const ret = { name, changes: {}, comment: '', result: false as boolean | null }
  const changes = { new: `${words.call} ${name} created.` }
  if (inTest(call)) return { ...ret, changes, result: null }
  if (await lexists(name)) return { ...ret, comment: `File ${name} exists and cannot be overwritten` }
  const mode = normalMode(args.value('mode')) ?? '0660'
  const numbers = kind === 'p' ? [] : [args.text('major'), args.text('minor')]
  const { retcode, stderr } = await runProgram(call, ['mknod', '-m', mode, name, ...words.options, ...numbers])
  if (retcode !== 0) throw new CommandExecutionError(`${words.call} ${name} could not be made: ${stderr}`)
  await checkPermissions(name, {
    user: args.value('user'),
    group: args.value('group'),
    mode: modeNumber(mode) === undefined ? null : mode,
    attrs: null,
    follow: false,
    test: false,
    attributes: attributesOf(call),
  })
  return { ...ret, changes, result: true }
}

async function mknod(args: Arguments, call: Call): Promise<Value> {
  const kind = args.text('ntype')
  const above = directoryName(await expandUser(args.text('name')))
  if (!inTest(call) && above !== '' && !(await exists(above)))
    await call.salt('file.makedirs', [await expandUser(args.text('name')), args.value('user'), args.value('group')])
  if (isKind(kind)) return made(kind, args, call)
  throw new SaltInvocationError(
    `Node type unavailable: '${kind}'. Available node types are character ('c'), block ('b'), and pipe ('p').`,
  )
}

const more = `

user, group, mode
    Whose it is, and who may do what.`

/** The functions, by their names. */
export const devices: Readonly<Record<string, ExecutionFunction>> = {
  mknod: define(
    "name, ntype, major=0, minor=0, user=None, group=None, mode='0600'",
    `Make a device file or a named pipe, and the directories above it. What is there stays as it is.

ntype
    \`\`c\`\` for a character device, \`\`b\`\` for a block device, \`\`p\`\` for a named pipe.
major, minor
    The numbers of the device.${more}${examples("brine '*' file.mknod /dev/chr c 180 31", "brine '*' file.mknod /dev/fifo p")}`,
    mknod,
  ),
  mknod_chrdev: define(
    "name, major, minor, user=None, group=None, mode='0660'",
    `Make a character device.${more}${examples("brine '*' file.mknod_chrdev /dev/chr 180 31")}`,
    (args, call) => made('c', args, call),
  ),
  mknod_blkdev: define(
    "name, major, minor, user=None, group=None, mode='0660'",
    `Make a block device.${more}${examples("brine '*' file.mknod_blkdev /dev/blk 8 999")}`,
    (args, call) => made('b', args, call),
  ),
  mknod_fifo: define(
    "name, user=None, group=None, mode='0660'",
    `Make a named pipe.${more}${examples("brine '*' file.mknod_fifo /dev/fifo")}`,
    (args, call) => made('p', args, call),
  ),
  get_devmm: define(
    'name',
    `Return the two numbers of a device; zeros where the path is none.${examples("brine '*' file.get_devmm /dev/null")}`,
    async (args) => deviceOf(await pathOf(args, 'name')),
    { readOnly: true },
  ),
}
