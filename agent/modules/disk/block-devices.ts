// Block devices: what is on them, how they are set, made anew.
import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isList, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../arguments.ts'
import { which } from '../cmd-run.ts'
import { CommandExecutionError, SaltInvocationError } from '../errors.ts'
import type { Call } from '../module.ts'
import { procLines } from '../proc.ts'
import { outputOf, requirePrograms, runProgram, succeeds } from '../program.ts'

/** What blkid knows of devices: all, one, or those that a token like `LABEL=data` finds. None where there is no blkid. */
export async function blockDevices(
  call: Call,
  asked: { readonly device?: string | undefined; readonly token?: string | undefined } = {},
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const found = new Map<string, Record<string, string>>()
  if ((await which('blkid')) === undefined) return found
  const { device, token } = asked
  const words = device === undefined ? (token === undefined ? [] : ['-t', token]) : [device]
  const { stdout, retcode } = await runProgram(call, ['blkid', ...words])
  if (retcode > 0) return found
  for (const line of stdout.split('\n')) {
    const [, name, rest = ''] = /^(\S+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined) continue
    const pairs = [...rest.matchAll(/(\S+?)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value] as const)
    found.set(name, Object.fromEntries(pairs))
  }
  return found
}

/** The same as `disk.blkid` tells it, which cannot do without blkid. */
export async function blockIds(args: Arguments, call: Call): Promise<Mapping> {
  await requirePrograms('blkid')
  const asked = { device: args.textIfAny('device'), token: args.textIfAny('token') }
  return Object.fromEntries(await blockDevices(call, asked))
}

/** What blockdev tells, in the order in which it is asked. */
const asked = [
  'getro',
  'getsz',
  'getss',
  'getpbsz',
  'getiomin',
  'getioopt',
  'getalignoff',
  'getmaxsect',
  'getsize',
  'getsize64',
  'getra',
  'getfra',
]

/** How a device is set; these values alone where some are named. False where it cannot be told. */
export async function settings(call: Call, device: string, wanted: readonly string[]): Promise<Value> {
  const { retcode, stdout } = await runProgram(call, ['blockdev', ...asked.map((name) => `--${name}`), device])
  if (retcode !== 0) return false
  const lines = stdout.split('\n').filter((line) => line !== '')
  const told = Object.fromEntries(lines.map((line, at) => [asked[at] ?? '', line]))
  return wanted.length === 0 ? told : Object.fromEntries(wanted.map((name) => [name, told[name] ?? null]))
}

const setters: Readonly<Record<string, string>> = {
  'read-ahead': 'setra',
  'filesystem-read-ahead': 'setfra',
  'read-only': 'setro',
  'read-write': 'setrw',
}

/** Sets a device otherwise and tells how it is set then. */
export async function tune(args: Arguments, call: Call): Promise<Value> {
  const [words, told, invalid]: string[][] = [[], [], []]
  for (const [key, value] of Object.entries(args.cleanKeywords)) {
    const setter = setters[key]
    const isSwitch = key === 'read-only' || key === 'read-write'
    if (setter === undefined || (isSwitch && value !== true && value !== 'True')) {
      invalid?.push(`${key}=${pythonStr(value)}`)
      continue
    }
    words?.push(`--${setter}`, ...(isSwitch ? [] : [pythonStr(value)]))
    told?.push(setter === 'setrw' ? 'getro' : setter.replace('set', 'get'))
  }
  if (invalid !== undefined && invalid.length > 0)
    throw new SaltInvocationError(`Invalid keyword arguments: ${invalid.join(', ')}`)
  const { retcode, stderr } = await runProgram(call, ['blockdev', ...(words ?? []), args.text('device')])
  if (retcode !== 0) throw new CommandExecutionError(stderr)
  return settings(call, args.text('device'), told ?? [])
}

/** Removes all signatures. */
export async function wipe(args: Arguments, call: Call): Promise<boolean> {
  const { retcode, stderr } = await runProgram(call, ['wipefs', '-a', args.text('device')])
  if (retcode !== 0) call.agent.outside.log.error(`Error wiping device ${args.text('device')}: ${stderr}`)
  return retcode === 0
}

/** Makes a file system. */
export async function format(args: Arguments, call: Call): Promise<boolean> {
  await requirePrograms('mkfs', 'sync')
  const [type, fat] = [args.text('fs_type'), args.value('fat')]
  const isExt = type.startsWith('ext')
  const [inodes, lazy] = [args.value('inode_size'), args.value('lazy_itable_init')]
  const words = ['mkfs', '-t', type]
  if (inodes !== null && isExt) words.push('-i', pythonStr(inodes))
  else if (inodes !== null && type === 'xfs') words.push('-i', `size=${pythonStr(inodes)}`)
  if (lazy !== null && isExt) words.push('-E', `lazy_itable_init=${pythonStr(lazy)}`)
  if (type.endsWith('fat') && [12, 16, 32].includes(Number(pythonStr(fat ?? '')))) words.push('-F', pythonStr(fat))
  if (args.is('force') && isExt) words.push('-F')
  else if (args.is('force') && type === 'xfs') words.push('-f')
  const isMade = await succeeds(call, [...words, args.text('device')])
  return (await succeeds(call, ['sync'])) && isMade
}

/** The kind of file system a device has, empty where it has none. */
export async function fileSystemOf(call: Call, device: string): Promise<string> {
  if ((await which('lsblk')) !== undefined) {
    const [, told = ''] = (await outputOf(call, ['lsblk', '-o', 'fstype', device])).split('\n')
    if (told.trim() !== '') return told.trim()
  }
  if ((await which('df')) === undefined) return ''
  const [, line = ''] = (await outputOf(call, ['df', '-T', device])).split('\n')
  return line.trim().split(/\s+/)[1] ?? ''
}

/** The device behind a path: that of the nearest directory above it where something is mounted. */
export async function deviceOf(path: string): Promise<string> {
  const devices = new Map<string, string>()
  for (const line of await procLines('self/mounts')) {
    const [device = '', at = ''] = line.split(' ')
    devices.set(unescaped(at), device)
  }
  let place = await realpath(path)
  while (!devices.has(place) && place !== '/') place = dirname(place)
  const device = devices.get(place)
  if (device === undefined) throw new CommandExecutionError(`Nothing is known to be mounted at ${place}`)
  return device
}

/** Spaces and such are told by their numbers in octal digits. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))

/** Names of disks as paths of devices. */
export function disksOf(value: Value): string[] {
  const names = isList(value) ? value.map(pythonStr) : [pythonStr(value)]
  return names.map((name) => (name.startsWith('/dev') ? name : `/dev/${name}`))
}
