// What is mounted, as the kernel tells it, with the names that mount and blkid know for a device.
import { isMapping, type Mapping, pythonStr } from '../../../core/value/index.ts'
import { readTextIfThere } from '../../filesystem/read.ts'
import { blockDevices } from '../disk/block-devices.ts'
import type { Call } from '../module.ts'
import { outputOf } from '../program.ts'

/** The words of each line that has any. */
const linesOf = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.split(/\s+/).filter(Boolean))
    .filter((words) => words.length > 0)

/** The device of each place as `mount -l` has it. */
async function devicesByPlace(call: Call): Promise<ReadonlyMap<string, string>> {
  const lines = linesOf(await outputOf(call, ['mount', '-l']))
  return new Map(lines.filter((words) => words.length >= 3).map(([device = '', , place = '']) => [place, device]))
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
