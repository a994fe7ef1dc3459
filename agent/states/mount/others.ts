// `mount.unmounted`, `mount.swap`, `mount.fstab_present`, `mount.fstab_absent` and what a fired `watch` does.
import { readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { isMapping, type Mapping, pythonStr } from '../../../core/value/index.ts'
import { isLink } from '../../filesystem/paths.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { blockDevices } from '../../modules/disk/block-devices.ts'
import { fine, wrong } from '../outcome.ts'
import type { StateCall, StateReturn } from '../state-module.ts'

async function mapOf(call: StateCall, fun: string, args: string[] = [], kwargs: Mapping = {}): Promise<Mapping> {
  const told = await call.salt(fun, args, kwargs)
  return isMapping(told) ? told : {}
}

const deviceIn = (entry: Mapping[string] | undefined): string =>
  isMapping(entry ?? null) ? pythonStr((entry as Mapping).device ?? '') : ''

/** `mount.unmounted`. */
export async function unmounted(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  if (!args.is('name')) return wrong(name, 'Must provide name to mount.unmounted')
  const ret: StateReturn = { name: args.value('name'), changes: {}, result: true, comment: '' }
  const device = args.value('device')
  if (name.replaceAll(' ', '\\040') in (await mapOf(call, 'mount.active', [], { extended: true }))) {
    if (call.test) return { ...ret, result: null, comment: `Mount point ${name} is mounted but should not be` }
    const told = await call.salt('mount.umount', args.is('device') ? [name, device] : [name], {
      user: args.value('user'),
    })
    ret.result = told === true
    ret.comment = told === true ? 'Target was successfully unmounted' : pythonStr(told)
    if (told === true) ret.changes.umount = true
    await call.salt('mount.delete_mount_cache', [name])
  } else ret.comment = 'Target was already unmounted'
  if (!args.is('persist')) return ret
  const config = args.text('config')
  const entry = (await mapOf(call, 'mount.fstab', [config]))[name]
  const comment = pythonStr(ret.comment)
  if (entry === undefined) return { ...ret, comment: `${comment}. fstab entry not found` }
  if (args.is('device') && deviceIn(entry) !== args.text('device'))
    return { ...ret, comment: `${comment}. fstab entry for device ${args.text('device')} not found` }
  if (call.test) {
    const words = `Mount point ${name} is unmounted but needs to be purged from ${config} to be made persistent`
    return { ...ret, result: null, comment: words }
  }
  await call.salt('mount.rm_fstab', [name, device, config])
  ret.changes.persist = 'purged'
  return { ...ret, comment: `${comment}. Removed target from fstab` }
}

/** The device behind a link. */
async function swapDevice(name: string): Promise<string> {
  if (!(await isLink(name))) return name
  const target = await readlink(name)
  return target.startsWith('/') ? target : `/dev/${basename(target)}`
}

/** `mount.swap`. */
export async function swap(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const ret: StateReturn = { name: args.value('name'), changes: {}, result: true, comment: '' }
  const device = await swapDevice(name)
  let active = await mapOf(call, 'mount.swaps')
  if (device in active) ret.comment = `Swap ${name} already active`
  else if (call.test) {
    ret.result = null
    ret.comment = `Swap ${name} is set to be activated`
  } else {
    await call.salt('mount.swapon', [device])
    active = await mapOf(call, 'mount.swaps')
    const stats = active[device]
    ret.result = stats !== undefined
    ret.comment = `Swap ${name} ${stats === undefined ? 'failed to activate' : 'activated'}`
    if (isMapping(stats ?? null)) ret.changes = { ...(stats as Mapping) }
  }
  if (!args.is('persist')) return ret
  const entries = await mapOf(call, 'mount.fstab', [args.text('config')])
  if (call.test) {
    const isKept = name in entries || Object.values(entries).some((entry) => deviceIn(entry) === name)
    if (isKept) return ret
    const comment = name in active ? `Swap ${name} is set to be added to the fstab and to be activated` : ret.comment
    return { ...ret, result: null, comment }
  }
  const none = entries.none
  if (isMapping(none ?? null) && deviceIn(none) === name && (none as Mapping).fstype !== 'swap') return ret
  const told = await call.salt('mount.set_fstab', ['none', name, 'swap', ['defaults'], 0, 0, args.value('config')])
  if (told === 'present') return ret
  ret.changes.persist = told === 'new' ? 'new' : 'update'
  const what = told === 'new' ? 'Added new entry to the fstab.' : 'Updated the entry in the fstab.'
  return { ...ret, comment: `${pythonStr(ret.comment)}. ${what}` }
}

/** A device by another of its names: `device`, `uuid`, `label`, …; undefined where it has none. */
async function converted(name: string, to: string | undefined, call: StateCall): Promise<string | undefined> {
  if (to === undefined || (to === 'device' && name.startsWith('/')) || name.startsWith(`${to.toUpperCase()}=`))
    return name
  const found = [...(await blockDevices(call, name.startsWith('/') ? { device: name } : { token: name }))]
  const [only] = found
  if (only === undefined || found.length > 1) return undefined
  const [device, about] = only
  if (to === 'device') return device
  const value = about[to.toUpperCase()]
  return value === undefined ? undefined : `${to.toUpperCase()}=${value}`
}

const placeOf = (args: Arguments): string =>
  args.text('fs_file') === '/' ? '/' : args.text('fs_file').replace(/\/+$/, '')

/** `mount.fstab_present`. */
export async function fstabPresent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const [place, config] = [placeOf(args), args.text('config')]
  const device = await converted(name, args.textIfAny('mount_by'), call)
  if (device === undefined) return wrong(name, `Device ${name} cannot be converted to ${args.text('mount_by')}`)
  const told = await call.salt('mount.set_fstab', [], {
    name: place,
    device,
    fstype: args.value('fs_vfstype'),
    opts: args.value('fs_mntops'),
    dump: args.value('fs_freq'),
    pass_num: args.value('fs_passno'),
    config,
    test: call.test,
    match_on: args.value('match_on'),
    not_change: args.value('not_change'),
  })
  const mounts = told === 'new' && args.is('mount')
  if (call.test) {
    const words = { present: 'is already', new: 'will be written', change: 'will be updated' }[pythonStr(told)]
    const comment = [`${place} entry ${words} in ${config}.`, ...(mounts ? [`Will mount ${name} on ${place}`] : [])]
    return { name, result: null, changes: {}, comment }
  }
  if (told === 'present') return { ...fine(name, ''), comment: [`${place} entry was already in ${config}.`] }
  const comment = [`${place} entry ${told === 'new' ? 'added' : 'updated'} in ${config}.`]
  const changes = { persist: told }
  if (!mounts) return { name, result: true, changes, comment }
  const out = await call.salt('mount.mount', [place])
  const failed = typeof out === 'string'
  comment.push(failed ? `Error while mounting ${out.slice(out.indexOf(':') + 1)}` : `Mounted ${name} on ${place}`)
  return { name, result: !failed, changes, comment }
}

/** `mount.fstab_absent`. */
export async function fstabAbsent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const [place, config] = [placeOf(args), args.text('config')]
  const device = await converted(name, args.textIfAny('mount_by'), call)
  const isThere = place in (await mapOf(call, 'mount.fstab', [config]))
  if (!isThere) {
    const comment = [`${place} entry is already missing in ${config}.`]
    return { name, result: call.test ? null : true, changes: {}, comment }
  }
  if (call.test) return { name, result: null, changes: {}, comment: [`${place} entry will be removed from ${config}.`] }
  await call.salt('mount.rm_fstab', [], { name: place, device: device ?? null, config })
  return { name, result: true, changes: { persist: 'removed' }, comment: [`${place} entry removed from ${config}.`] }
}

/** What a fired `watch` does: mounts anew what is mounted. */
export async function modWatch(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const sfun = pythonStr(args.keywords.sfun ?? '')
  if (sfun !== 'mounted') return fine(name, `Watch not supported in ${sfun} at this time`)
  const { device = null, fstype = null, opts = 'defaults' } = args.keywords
  const told = await call.salt('mount.remount', [name, device, false, fstype, opts], { user: args.value('user') })
  return told === true ? fine(name, `${name} remounted`) : wrong(name, `${name} failed to remount: ${pythonStr(told)}`)
}
