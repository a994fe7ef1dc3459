// Salt's `ssh_auth` states: keys that let people log in as a user.
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { authorizedKey } from '../modules/authorized-key.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

interface Key {
  readonly key: string
  readonly enc: string
  readonly comment: string
  readonly options: Value
}

/** A key alone, with a comment, or the whole line of `authorized_keys`. */
function keyOf(text: string, given: Omit<Key, 'key'>): Key {
  const line = authorizedKey(text)
  if (line === undefined) {
    const [key = '', ...comment] = text.split(/\s+/).filter(Boolean)
    return { ...given, key, comment: comment.join(' ') || given.comment }
  }
  const { enc, key, comment, options } = line
  return { enc, key, comment: comment || given.comment, options: options.length === 0 ? given.options : options }
}

interface Place {
  readonly user: string
  readonly keywords: Mapping
}

const placeOf = (args: Arguments): Place => ({
  user: args.text('user'),
  keywords: { config: args.value('config'), fingerprint_hash_type: args.value('fingerprint_hash_type') },
})

const givenOf = (args: Arguments): Omit<Key, 'key'> => ({
  enc: args.text('enc'),
  comment: args.text('comment'),
  options: args.is('options') ? args.value('options') : [],
})

/** What each key of the source needs; undefined where it has none. */
async function fileStatus(args: Arguments, call: StateCall): Promise<Mapping | undefined> {
  const { user, keywords } = placeOf(args)
  const told = await call.salt('ssh.check_key_file', [user, args.text('source')], { ...keywords, saltenv: call.env })
  return isMapping(told) && Object.keys(told).length > 0 ? told : undefined
}

async function wouldChange(
  text: string,
  args: Arguments,
  call: StateCall,
): Promise<{ result: boolean | null; comment: string; name: string }> {
  const { user, keywords } = placeOf(args)
  const source = args.textIfAny('source')
  if (source !== undefined) {
    const all = await fileStatus(args, call)
    const isThere = (await call.salt('cp.cache_file', [source], { saltenv: call.env })) !== false
    if (all === undefined && isThere)
      return { result: false, comment: `No keys detected in ${source}. Is file properly formatted?`, name: text }
    const changes = Object.entries(all ?? {}).filter(([, status]) => status !== 'exists')
    const comment = changes.map(([key, status]) => `Set to ${pythonStr(status)}: ${key}\n`).join('')
    if (comment !== '') return { result: null, comment, name: text }
    return { result: true, comment: `All host keys in file ${source} are already present`, name: text }
  }
  const { key, enc, comment, options } = keyOf(text, givenOf(args))
  const status = await call.salt('ssh.check_key', [user, key, enc, comment, options], keywords)
  if (status === 'exists')
    return { result: true, comment: `The authorized host key ${key} is already present for user ${user}`, name: key }
  const what = status === 'update' ? 'updated' : 'added'
  return { result: null, comment: `Key ${key} for user ${user} is set to be ${what}`, name: key }
}

async function present(text: string, args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret: StateReturn = { name: args.value('name'), changes: {}, result: true, comment: '' }
  if (call.test) {
    const { result, comment } = await wouldChange(text, args, call)
    return { ...ret, result, comment }
  }
  const { user, keywords } = placeOf(args)
  const source = args.textIfAny('source')
  const key = source === undefined ? keyOf(text, givenOf(args)) : undefined
  const shown = key?.key ?? text
  let told: Value
  if (key !== undefined) {
    const { enc, comment, options } = key
    told = await call.salt('ssh.set_auth_key', [user, key.key], { ...keywords, enc, comment, options })
  } else if ((await call.salt('cp.get_url', [source ?? '', null], { saltenv: call.env })) === false) told = 'no key'
  else {
    const more = { ...keywords, saltenv: call.env, options: args.value('options') }
    told = await call.salt('ssh.set_auth_key_from_file', [user, source ?? ''], more)
  }
  const changed = (what: string, words: string): StateReturn => ({ ...ret, changes: { [shown]: what }, comment: words })
  const failed = (comment: string): StateReturn => ({ ...ret, result: false, comment })
  switch (told) {
    case 'replace':
      return changed('Updated', `The authorized host key ${shown} for user ${user} was updated`)
    case 'new':
      return changed('New', `The authorized host key ${shown} for user ${user} was added`)
    case 'no change':
      return { ...ret, comment: `The authorized host key ${shown} is already present for user ${user}` }
    case 'no key':
      return failed(`Failed to add the ssh key. Source file ${source} is missing`)
    case 'fail':
      return failed(
        source === undefined
          ? 'Failed to add the ssh key. Is the home directory available, and/or does the key file exist?'
          : `No keys detected in ${source}. Is file properly formatted?`,
      )
    default:
      return failed('Invalid public ssh key, most likely has spaces or invalid syntax')
  }
}

async function absent(text: string, args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret: StateReturn = { name: args.value('name'), changes: {}, result: true, comment: '' }
  const { user, keywords } = placeOf(args)
  const source = args.textIfAny('source')
  const { key, enc, comment, options } = keyOf(text, givenOf(args))
  if (call.test && source !== undefined) {
    const there = Object.entries((await fileStatus(args, call)) ?? {}).filter(([, status]) => status !== 'add')
    const words = there.map(([one]) => `Set to remove: ${one}\n`).join('')
    if (words !== '') return { ...ret, result: null, comment: words }
    return { ...ret, comment: `All host keys in file ${source} are already absent` }
  }
  if (call.test) {
    const status = await call.salt('ssh.check_key', [user, key, enc, comment, options], keywords)
    if (status === 'add') return { ...ret, comment: 'Key is already absent' }
    return { ...ret, result: null, comment: `Key ${key} for user ${user} is set for removal` }
  }
  if (source !== undefined) {
    if ((await call.salt('cp.get_url', [source, null], { saltenv: call.env })) === false) return ret
    const told = await call.salt('ssh.rm_auth_key_from_file', [user, source], { ...keywords, saltenv: call.env })
    return removed(ret, pythonStr(told), text)
  }
  return removed(ret, pythonStr(await call.salt('ssh.rm_auth_key', [user, key], keywords)), key)
}

const removed = (ret: StateReturn, comment: string, key: string): StateReturn => ({
  ...ret,
  comment,
  changes: comment === 'Key removed' ? { [key]: 'Removed' } : {},
})

/** The keys listed, and no others. */
async function manage(args: Arguments, call: StateCall): Promise<StateReturn> {
  const { user, keywords } = placeOf(args)
  const listed = args.value('ssh_keys')
  const wanted = Array.isArray(listed) ? listed.map(pythonStr) : []
  const words = wanted.flatMap((line) => line.split(' '))
  const there = await call.salt('ssh.auth_keys', [], { user, ...keywords })
  const ret: StateReturn = { name: '', changes: {}, result: true, comment: '' }
  for (const key of Object.keys(isMapping(there) ? there : {}).filter((one) => !words.includes(one))) {
    if (call.test) {
      ret.comment = `${key} Key set for removal`
      ret.result = null
    } else ret.changes[key] = (await absent(key, args, call)).comment as string
  }
  for (const line of wanted) {
    const told = await present(line, args, call)
    if (Object.keys(told.changes).length > 0) Object.assign(ret.changes, told.changes)
    else ret.comment = `${pythonStr(ret.comment)}\n${pythonStr(told.comment)}`.trim()
    if (told.result !== true) ret.result = told.result
  }
  return ret
}

const words =
  "user, enc='ssh-rsa', comment='', source='', options=None, config='.ssh/authorized_keys', fingerprint_hash_type=None"

const doc = `

name
    The key, or the whole line with its kind, its options and its comment.
user
    Who is logged in as.
enc, comment, options
    What stands before and behind the key, where the name does not say it.
source
    A file of the master's with the keys; then the name does not matter.
config
    The file, from the user's home; \`\`%h\`\` is the home and \`\`%u\`\` the user.`

/** Salt's `ssh_auth` states. */
export const sshAuth: StateModule = {
  name: 'ssh_auth',
  functions: {
    present: defineState(
      `name, ${words}, **kwargs`,
      `A key lets people log in as a user.${doc}${slsExample(`
AAAAB3NzaC1kc3MAAACBAL0sQ9fJ5bYTEyY==:
  ssh_auth.present:
    - user: root
    - enc: ssh-dss`)}`,
      (args, call) => present(args.text('name'), args, call),
    ),
    absent: defineState(
      `name, ${words}`,
      `A key does not let people log in as a user.${doc}${slsExample(`
AAAAB3NzaC1kc3MAAACBAL0sQ9fJ5bYTEyY==:
  ssh_auth.absent:
    - user: root`)}`,
      (args, call) => absent(args.text('name'), args, call),
    ),
    manage: defineState(
      `name, ssh_keys, ${words}, **kwargs`,
      `These keys let people log in as a user, and no others.

ssh_keys
    A list of keys or whole lines.${doc}${slsExample(`
keys_of_root:
  ssh_auth.manage:
    - user: root
    - ssh_keys:
      - ssh-rsa AAAAB3NzaC1kc3MAAACBAL0sQ9fJ5bYTEyY== me@example.com`)}`,
      manage,
    ),
  },
}
