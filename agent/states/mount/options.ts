// Which of a mount's options would have it mounted anew: those that are not in force, and that the kernel shows.
import { isList, isMapping, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../../modules/arguments.ts'
import type { Call } from '../../modules/module.ts'
import { numberedOption } from '../../modules/mount/active.ts'

/** Options that the kernel never shows. */
const invisible = [
  '_netdev',
  'actimeo',
  'bg',
  'comment',
  'defaults',
  'delay_connect',
  'direct-io-mode',
  'intr',
  'loop',
  'nointr',
  'nobootwait',
  'nofail',
  'password',
  'reconnect',
  'retry',
  'soft',
  'auto',
  'users',
  'bind',
  'nonempty',
  'transform_symlinks',
  'port',
  'backup-volfile-servers',
]

/** Options with a value that the kernel never shows. */
const invisibleKeys = ['actimeo', 'comment', 'credentials', 'direct-io-mode', 'password', 'port', 'retry', 'secretfile']

const textsOf = (value: Value): string[] =>
  value === null ? [] : isList(value) ? value.map(pythonStr) : pythonStr(value).split(',')
const mapIn = (value: Value): Mapping => (isMapping(value) ? value : {})

/** `size=4m` in kilobytes, as the kernel shows it; undefined of any other option. */
function sizeOf(opt: string): string | undefined {
  const [, number = '', unit = ''] = /^size=([0-9]+)(k|m|g)/.exec(opt) ?? []
  const factor = { k: 1, m: 1024, g: 1024 * 1024 }[unit]
  return factor === undefined ? undefined : `size=${Number(number) * factor}k`
}

/** What is in force, and the file system that it belongs to. */
export interface InForce {
  readonly fstype: string
  readonly opts: readonly string[]
  readonly superopts: readonly string[]
}

/** The options that are not in force as the kernel would show them, and the last option looked at. */
export async function changedOptions(
  wanted: readonly string[],
  { fstype, opts, superopts }: InForce,
  args: Arguments,
  call: Call,
): Promise<{ readonly changed: string[]; readonly last: string }> {
  const hidden = [
    ...invisible,
    ...textsOf(args.value('extra_mount_invisible_options')),
    ...textsOf(args.value('hidden_opts')),
  ]
  const keys = [...invisibleKeys, ...textsOf(args.value('extra_mount_invisible_keys'))]
  const ignored = textsOf({ ramfs: ['size'], ...mapIn(args.value('extra_mount_ignore_fs_keys')) }[fstype] ?? null)
  const translated = { tcp: 'proto=tcp', udp: 'proto=udp', ...mapIn(args.value('extra_mount_translate_options')) }
  const shown = superopts.map((opt) => sizeOf(opt) ?? opt)
  const size = shown.filter((opt) => sizeOf(opt) !== undefined).at(-1)
  const changed: string[] = []
  let last = ''
  for (const given of wanted) {
    let opt = pythonStr((translated as Mapping)[given] ?? given)
    const key = opt.split('=')[0] ?? ''
    if (keys.includes(key)) opt = key
    opt = sizeOf(opt) ?? opt
    if (fstype === 'cifs' && key === 'user') opt = `username=${opt.split('=')[1] ?? ''}`
    if (ignored.includes(key)) opt = key
    opt = await numberedOption(call, opt)
    // As in Salt: where the file system shows a size, no other option of it counts.
    if (size !== undefined) opt = size
    last = opt
    if ([opts, shown, hidden, ignored, keys].every((known) => !known.includes(opt))) changed.push(opt)
  }
  return { changed, last }
}
