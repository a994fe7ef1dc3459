// `mount.mounted`: a device is mounted somewhere with these options, now and by the next boot.
import { dirname } from 'node:path'
import { isList, isMapping, type Mapping, pythonStr, pythonTruth, type Value } from '../../../core/value/index.ts'
import { exists, realPath } from '../../filesystem/paths.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { blockDevices } from '../../modules/disk/block-devices.ts'
import { wrong } from '../outcome.ts'
import type { StateCall, StateReturn } from '../state-module.ts'
import { changedOptions } from './options.ts'

/** One mount as `mount.active` tells it. */
interface Active {
  readonly device: string
  readonly fstype: string
  readonly opts: readonly string[]
  readonly superopts: readonly string[]
  /** Other names of its device. */
  readonly others: readonly string[]
}

/** What the state works on; it grows as things are found and done. */
interface Work {
  readonly name: string
  readonly realName: string
  /** The place as the kernel writes it. */
  readonly place: string
  readonly device: string
  realDevice: string
  readonly fstype: string
  opts: string[]
  /** Names of the device that is mounted there. */
  readonly devices: string[]
  isRemembered: boolean
  readonly args: Arguments
  readonly call: StateCall
  readonly ret: StateReturn
}

type Actives = ReadonlyMap<string, Active>

const textsOf = (value: Value | undefined): string[] => (isList(value ?? null) ? (value as Value[]).map(pythonStr) : [])

async function activeOf(call: StateCall): Promise<Actives> {
  const told = await call.salt('mount.active', [], { extended: true })
  const all = isMapping(told) ? Object.entries(told) : []
  return new Map(
    all.map(([place, about]) => {
      const one: Mapping = isMapping(about) ? about : {}
      const others = [one.alt_device, one.device_uuid, one.device_label].filter((name) => pythonTruth(name ?? null))
      return [
        place,
        {
          device: pythonStr(one.device ?? ''),
          fstype: pythonStr(one.fstype ?? ''),
          opts: textsOf(one.opts),
          superopts: textsOf(one.superopts),
          others: others.map((name) => pythonStr(name ?? '')),
        },
      ]
    }),
  )
}

const escaped = (path: string): string => path.replaceAll(' ', '\\040')

/** The device that a bind really points at, and its options with those that are wanted. */
async function ofBind(work: Work, actives: Actives): Promise<boolean> {
  const { place, device, args } = work
  const there = actives.get(place)
  if (!work.opts.includes('bind') || there === undefined) return false
  let at = escaped(device)
  const isLocal = there.device.startsWith('/')
  while (isLocal && !actives.has(at) && at !== '/' && at !== '.') at = escaped(dirname(at.replaceAll('\\040', ' ')))
  const found = actives.get(at)
  if (found !== undefined && args.is('bind_mount_copy_active_opts'))
    work.opts = [...new Set([...work.opts, ...found.opts, ...found.superopts])].sort()
  work.realDevice = isLocal ? (found?.device ?? there.device) : there.device
  return true
}

/** By which name the kernel would tell the device. False where a label has none. */
async function findDevice(work: Work, actives: Actives): Promise<boolean> {
  const { device, call } = work
  const [kind = '', value = ''] = device.split('=')
  if (device.startsWith('/')) {
    if (!(await ofBind(work, actives))) work.realDevice = await realPath(device)
  } else if (kind.toUpperCase() === 'UUID' && device.includes('=')) {
    work.realDevice = value.replace(/^"+|"+$/g, '').toLowerCase()
  } else if (kind.toUpperCase() === 'LABEL' && device.includes('=')) {
    const [first] = (await blockDevices(call, { token: `LABEL=${value}` })).keys()
    if (first === undefined) return false
    work.devices.push(first)
    work.realDevice = first
  }
  const [, group, volume] = /^\/dev\/([^/]+)\/([^/]+)$/.exec(device) ?? []
  if (group !== undefined && volume !== undefined) {
    // Volumes of LVM have two names; this is the one that is shown.
    const mapper = `/dev/mapper/${group.replaceAll('-', '--')}-${volume.replaceAll('-', '--')}`
    if (await exists(mapper)) work.realDevice = mapper
  }
  const fuse = /^\w+#(.+)/.exec(device)?.[1]
  if (fuse !== undefined) work.realDevice = fuse
  return true
}

/** File systems that are not told other options while they are mounted. */
const needsUnmount = (fstype: string): boolean => ['nfs', 'cvfs'].includes(fstype) || fstype.startsWith('fuse')

/** Mounts it anew for other options. A return where that ends the state. */
async function mountAnew(work: Work, words: string): Promise<StateReturn | undefined> {
  const { realName, device, fstype, args, call, ret } = work
  const more = { mkmnt: args.value('mkmnt'), fstype, opts: [...work.opts] }
  work.isRemembered = true
  if (!needsUnmount(fstype)) {
    ret.changes.umount = `Forced remount because ${words}`
    return failure(work, await call.salt('mount.remount', [realName, device], more))
  }
  ret.changes.umount = `Forced unmount and mount because ${words}`
  let told = await call.salt('mount.umount', [realName])
  if (told !== true) {
    ret.changes.umount = `Forced a lazy unmount and mount because the previous unmount failed and because the ${words}`
    told = await call.salt('mount.umount', [realName], { lazy: true })
  }
  if (told !== true) return wrong(work.name, `Unable to unmount ${realName}: ${pythonStr(told)}.`, ret.changes)
  return failure(work, await call.salt('mount.mount', [realName, device], more))
}

/** Where Salt goes on with the words of mount for a result, the state fails with them. */
function failure({ name, ret }: Work, told: Value): StateReturn | undefined {
  return told === true ? undefined : wrong(name, pythonStr(told), ret.changes)
}

/** Something is mounted there: with the right options, and is it the right device? */
async function compared(work: Work, there: Active): Promise<StateReturn | undefined> {
  const { name, realName, fstype, args, call, ret, devices } = work
  devices.push(there.device, await realPath(there.device))
  for (const other of there.others) if (!devices.includes(other)) devices.push(other)
  if (work.opts.length > 0) {
    const inForce = {
      fstype,
      opts: work.opts.includes('bind') ? [...there.opts, 'bind'] : there.opts,
      superopts: there.superopts,
    }
    const { changed, last } = await changedOptions(work.opts, inForce, args, call)
    if (changed.length > 0) {
      const list = changed.sort().join(',')
      if (call.test)
        return { ...ret, result: null, comment: `Remount would be forced because options (${list}) changed` }
      const stop = await mountAnew(work, `options (${list}) changed`)
      if (stop !== undefined) return stop
    }
    const remembered = await call.salt('mount.read_mount_cache', [realName])
    const before = isMapping(remembered) ? remembered.opts : undefined
    const missing = textsOf(before).filter((opt) => !work.opts.includes(opt))
    if (missing.length > 0) {
      if (call.test)
        return {
          ...ret,
          result: null,
          comment: `Remount would be forced because options (${missing.join(',')})changed`,
        }
      const stop = await mountAnew(work, `options (${last}) changed`)
      if (stop !== undefined) return stop
    } else if (before === undefined) work.isRemembered = true
  }
  if (devices.includes(work.realDevice)) {
    ret.comment = 'Target was already mounted'
    return undefined
  }
  return otherDevice(work, name)
}

async function otherDevice(work: Work, name: string): Promise<StateReturn | undefined> {
  const { realName, device, realDevice, args, call, ret, devices, place } = work
  const patterns = textsOf(args.value('device_name_regex')).map((pattern) => new RegExp(`^(?:${pattern})`))
  const ignored = devices.find((one) => patterns.some((pattern) => pattern.test(one)))
  if (ignored !== undefined) {
    ret.comment = `An umount will not be forced because device matched device_name_regex: ${ignored}`
    return undefined
  }
  if (call.test) {
    ret.result = null
    ret.comment = `An umount would have been forced because devices do not match.  Watched: ${device}`
    return undefined
  }
  const really = realDevice === device ? '' : ` (${realDevice})`
  ret.changes.umount = `Forced unmount because devices don't match. Wanted: ${device}${really}, current: ${devices.join(', ')}`
  await call.salt('mount.umount', [realName], { user: args.value('user') })
  if ((await activeOf(call)).has(place)) return wrong(name, 'Unable to unmount', ret.changes)
  work.isRemembered = true
  return undefined
}

/** Nothing is mounted there. */
async function absentNow(work: Work): Promise<StateReturn | undefined> {
  const { name, device, fstype, args, call, ret, place } = work
  const isThere = await exists(name)
  const mkmnt = args.is('mkmnt')
  if (!args.is('mount')) return notMounted(work, isThere, mkmnt)
  if (call.test) {
    const words = isThere
      ? `${name} would be mounted`
      : mkmnt
        ? `${name} would be created and mounted`
        : `${name} does not exist and would not be created`
    return { ...ret, result: null, comment: words }
  }
  if (!isThere && !mkmnt) return wrong(name, 'Mount directory is not present', ret.changes)
  const told = await call.salt('mount.mount', [name, device, args.value('mkmnt'), fstype, [...work.opts]], {
    user: args.value('user'),
  })
  work.isRemembered = true
  if (typeof told === 'string') return wrong(name, told, ret.changes)
  if ((await activeOf(call)).has(place)) {
    ret.comment = 'Target was successfully mounted'
    ret.changes.mount = true
  }
  return undefined
}

async function notMounted({ name, args, call, ret }: Work, isThere: boolean, mkmnt: boolean): Promise<undefined> {
  if (isThere) ret.comment = call.test ? `${name} would not be mounted` : `${name} not mounted`
  else if (call.test) {
    ret.result = null
    ret.comment = mkmnt
      ? `${name} would be created, but not mounted`
      : `${name} does not exist and would neither be created nor mounted`
  } else if (mkmnt) {
    await call.salt('file.mkdir', [name], { user: args.value('user') })
    ret.comment = `${name} was created, not mounted`
  } else ret.comment = `${name} not present and not mounted`
  return undefined
}

/** The entry of the fstab. */
async function persisted(work: Work): Promise<StateReturn> {
  const { name, realName, device, fstype, args, call, ret } = work
  const isMount = args.is('mount')
  const words = [name, device, fstype, [...work.opts], args.value('dump'), args.value('pass_num'), args.value('config')]
  const told = await call.salt('mount.set_fstab', words, { test: call.test, match_on: args.value('match_on') })
  const comment = pythonStr(ret.comment)
  if (told === 'present' && call.test) return { ...ret, comment: `${comment}. Entry already exists in the fstab.` }
  if (call.test) {
    const needs =
      told === 'new'
        ? `${name} ${isMount ? 'is mounted, but needs' : 'needs'} to be written to the fstab in order to be made persistent.`
        : isMount
          ? `${name} is mounted, but its fstab entry must be updated.`
          : `The ${name} fstab entry must be updated.`
    return { ...ret, result: null, comment: `${comment}. ${needs}` }
  }
  if (work.isRemembered) {
    const more = { mkmnt: args.value('mkmnt'), fstype, mount_opts: [...work.opts] }
    await call.salt('mount.write_mount_cache', [realName, device], more)
  }
  if (told === 'present') return { ...ret, comment: `${comment}. Entry already exists in the fstab.` }
  ret.changes.persist = told === 'new' ? 'new' : 'update'
  const what = told === 'new' ? 'Added new entry to the fstab.' : 'Updated the entry in the fstab.'
  return { ...ret, comment: `${comment}. ${what}` }
}

/** `mount.mounted`. */
export async function mounted(args: Arguments, call: StateCall): Promise<StateReturn> {
  for (const word of ['name', 'device', 'fstype'])
    if (!args.is(word)) return wrong(args.text('name'), `Must provide ${word} to mount.mounted`)
  const given = args.text('name')
  const name = given === '/' ? given : given.replace(/\/+$/, '')
  const device = args.text('device')
  const opts = args.value('opts')
  const realName = await realPath(name)
  const work: Work = {
    name,
    realName,
    place: escaped(realName),
    device,
    realDevice: device,
    fstype: args.text('fstype'),
    opts: isList(opts) ? opts.map(pythonStr) : pythonStr(opts).split(','),
    devices: [],
    isRemembered: false,
    args,
    call,
    ret: { name: args.value('name'), changes: {}, result: true, comment: '' },
  }
  const actives = await activeOf(call)
  if (!(await findDevice(work, actives)))
    return wrong(given, `Unable to find device with label ${device.split('=')[1] ?? ''}.`)
  const there = actives.get(work.place)
  if (there !== undefined && args.is('mount')) {
    const stop = await compared(work, there)
    if (stop !== undefined) return { ...stop, name: args.value('name') }
  }
  if (there === undefined || (work.ret.changes.umount !== undefined && !(await activeOf(call)).has(work.place))) {
    const stop = await absentNow(work)
    if (stop !== undefined) return { ...stop, name: args.value('name') }
  }
  return args.is('persist') ? persisted(work) : work.ret
}
