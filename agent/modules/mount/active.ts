// What is mounted, as the kernel tells it, with the names that mount and blkid know for a device.
import { isMapping, type Mapping, pythonStr } from '../../../core/value/index.ts'
import { readTextIfThere } from '../../filesystem/read.ts'
import { which } from '../cmd-run.ts'
import type { Call } from '../module.ts'
import { outputOf, runProgram } from '../program.ts'

/** The device of each place as `mount -l` has it. */
async function devicesByPlace(call: Call): Promise<ReadonlyMap<string, string>> {
  const lines = (await outputOf(call, ['mount', '-l'])).split('\n').map((line) => line.split(/\s+/).filter(Boolean))
  return new Map(lines.filter((words) => words.length >= 3).map(([device = '', , place = '']) => [place, device]))
}

/** What blkid knows of devices: all, or those that a device or `KEY=value` names. */
export async function blockDevices(
  call: Call,
  asked?: { readonly device: string } | { readonly token: string },
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const found = new Map<string, Record<string, string>>()
  if ((await which('blkid')) === undefined) return found
  const words = asked === undefined ? [] : 'device' in asked ? [asked.device] : ['-t', asked.token]
  const { stdout, retcode } = await runProgram(call, ['blkid', ...words])
  if (retcode > 0) return found
  for (const line of stdout.split('\n')) {
    const [, device, rest = ''] = /^(\S+):\s*(.*)$/.exec(line) ?? []
    if (device === undefined) continue
    const pairs = [...rest.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value] as const)
    found.set(device, Object.fromEntries(pairs))
  }
  return found
}

/** Options with numbers in the place of the names of users and groups. */
async function numbered(call: Call, opts: string): Promise<string[]> {
  return Promise.all(opts.split(',').map(async (opt) => (await numberedOption(call, opt)).replaceAll('\\040', '\\ ')))
}

/** `uid=name` and `gid=name` with the number; any other option as it is. */
export async function numberedOption(call: Call, opt: string): Promise<string> {
  const [, key, given = ''] = /^(uid|gid)=(.*)$/.exec(opt) ?? []
  if (key === undefined || /^[0-9]+$/.test(given)) return opt
  const about = await call.salt(key === 'uid' ? 'user.info' : 'group.info', [given])
  const id = isMapping(about) ? about[key] : undefined
  return `${key}=${id === undefined ? given : pythonStr(id)}`
}

const linesOf = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.split(/\s+/).filter(Boolean))
    .filter((words) => words.length > 0)

/** Every mount by its place, with `extended` also its numbers and the options of the file system. */
export async function activeMounts(call: Call, root: string, extended: boolean): Promise<Mapping> {
  const devices = await devicesByPlace(call)
  const info = extended ? await readTextIfThere(`${root}/proc/self/mountinfo`) : undefined
  const told: Mapping = {}
  if (info === undefined) {
    const text = (await readTextIfThere(`${root}/proc/self/mounts`)) ?? ''
    for (const [device = '', place = '', fstype = '', opts = ''] of linesOf(text)) {
      told[place] = { device, alt_device: devices.get(place) ?? null, fstype, opts: await numbered(call, opts) }
    }
    return told
  }
  const known = await blockDevices(call)
  for (const words of linesOf(info)) {
    const [mountid = '', parentid = '', numbers = '', from = '', place = '', opts = ''] = words
    const mark = words.indexOf('-')
    const [fstype = '', device = '', superopts = ''] = words.slice(mark + 1)
    const [major = '', minor = ''] = numbers.split(':')
    const { UUID, LABEL } = known.get(device) ?? {}
    told[place] = {
      mountid,
      parentid,
      major,
      minor,
      root: from,
      opts: await numbered(call, opts),
      fstype,
      device: device.replaceAll('\\040', '\\ '),
      alt_device: devices.get(place) ?? null,
      superopts: await numbered(call, superopts),
      device_uuid: UUID?.toLowerCase() ?? null,
      device_label: LABEL ?? null,
    }
  }
  return told
}

/** The swap areas in use. */
export async function activeSwaps(root: string): Promise<Mapping> {
  const lines = linesOf((await readTextIfThere(`${root}/proc/swaps`)) ?? '')
  return Object.fromEntries(
    lines
      .filter(([name]) => name !== 'Filename')
      .map(([name = '', type = '', size = '', used = '', priority = '']) => [name, { type, size, used, priority }]),
  )
}
