// `file.mknod`: a device file or a named pipe. What is there and is another thing is never touched.
import { pythonRepr, type Value } from '../../../core/value/index.ts'
import { isRegularFile } from '../../filesystem/paths.ts'
import { checkPermissions, withPermissions } from '../../filesystem/permissions.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { attributesOf } from '../../modules/file/asked.ts'
import { deviceOf } from '../../modules/file/devices.ts'
import { wrong } from '../outcome.ts'
import { defineState, type StateCall, type StateReturn, slsExample } from '../state-module.ts'
import { begun, mapIfAny, nameOf } from './outcome.ts'

const kinds: Readonly<Record<string, { readonly is: string; readonly one: string; readonly a: string }>> = {
  c: { is: 'file.is_chrdev', one: 'Character device', a: 'character device' },
  b: { is: 'file.is_blkdev', one: 'Block device', a: 'block device' },
  p: { is: 'file.is_fifo', one: 'Fifo pipe', a: 'fifo pipe' },
}

async function node(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = await nameOf(args)
  if (name === '') return wrong(name, 'Must provide name to file.mknod')
  const ntype = args.text('ntype')
  const kind = kinds[ntype]
  if (kind === undefined) {
    const known = "Available node types are character ('c'), block ('b'), and pipe ('p')"
    return wrong(name, `Node type unavailable: '${ntype}'. ${known}`)
  }
  if (await isRegularFile(name)) return wrong(name, `File ${name} exists and is not a ${kind.a}. Refusing to continue`)
  if ((await call.salt(kind.is, [name])) !== true) {
    if (call.test) return { ...wrong(name, `${kind.one} ${name} is set to be created`), result: null }
    const words = ['major', 'minor', 'user', 'group', 'mode'] as const
    const told = mapIfAny(await call.salt('file.mknod', [name, ntype, ...words.map((word) => args.value(word))])) ?? {}
    const { changes = {}, comment = '', result = false } = told
    return { name, changes: mapIfAny(changes) ?? {}, comment: String(comment), result: result === true }
  }
  if (ntype !== 'p') {
    const [major, minor] = await deviceOf(name)
    if (major !== number(args.value('major')) || minor !== number(args.value('minor')))
      return wrong(
        name,
        `${kind.one} ${name} exists and has a different major/minor ${major}/${minor}. Refusing to continue`,
      )
  }
  const done = await checkPermissions(name, {
    user: args.value('user'),
    group: args.value('group'),
    mode: args.value('mode'),
    attrs: null,
    follow: false,
    test: call.test,
    attributes: attributesOf(call),
  })
  const after = withPermissions(begun(name), done)
  return Object.keys(after.changes).length > 0
    ? after
    : { ...after, comment: `${kind.one} ${name} is in the correct state` }
}

/** As Python compares: the text of a number is no number. */
const number = (value: Value): number | string => (typeof value === 'number' ? value : pythonRepr(value))

/** `file.mknod`. */
export const mknodState = defineState(
  "name, ntype, major=0, minor=0, user=None, group=None, mode='0600'",
  `A device file or a named pipe. One that is there with other numbers, or another file in its place, stays and fails the state.

ntype
    \`\`c\`\` for a character device, \`\`b\`\` for a block device, \`\`p\`\` for a named pipe.
major, minor
    The numbers of the device.
user, group, mode
    Whose it is, and who may do what.${slsExample(`
/dev/fifo:
  file.mknod:
    - ntype: p
    - user: root
    - group: root
    - mode: '0660'`)}`,
  node,
)
