// Keys that let people log in as a user: the lines of `authorized_keys`.
import { chmod, chown, mkdir, readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { directoryName, isDirectory, isRegularFile } from '../filesystem/paths.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { writeWhole } from '../filesystem/write.ts'
import type { Arguments } from './arguments.ts'
import { type AuthorizedKey, authorizedKey } from './authorized-key.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { fingerprintOf } from './ssh-fingerprint.ts'
import { knownHosts } from './ssh-known-hosts.ts'
import { ownKeys } from './ssh-own-keys.ts'

/** One key of such a file. */
interface AuthKey {
  readonly enc: string
  readonly comment: string
  readonly options: readonly string[]
  readonly fingerprint: string
}

const ENCODINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['r', 'rsa', 'ssh-rsa'].map((name) => [name, 'ssh-rsa'])),
  ...Object.fromEntries(['d', 'dsa', 'dss', 'ssh-dss'].map((name) => [name, 'ssh-dss'])),
  ...Object.fromEntries(['e', 'ecdsa'].map((name) => [name, 'ecdsa-sha2-nistp256'])),
  ed25519: 'ssh-ed25519',
}

/** A kind of key by any of its names. Throws CommandExecutionError for another word. */
function encodingOf(enc: string): string {
  const known = ENCODINGS[enc]
  if (known !== undefined) return known
  if (/^(?:sk-)?(?:ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521))(?:-cert-v01)?(?:@openssh\.com)?$/.test(enc)) return enc
  if (/^(?:rsa-sha2-(?:256|512)|ssh-rsa)(?:-cert-v01@openssh\.com)?$/.test(enc)) return enc
  throw new CommandExecutionError(`Incorrect encryption key type '${enc}'.`)
}

const lineOf = (key: string, { enc, comment, options }: Omit<AuthKey, 'fingerprint'>): string =>
  `${options.length > 0 ? `${options.join(',')} ` : ''}${enc} ${key} ${comment}\n`

/** The key of a line; undefined of a comment and of what names none. */
function keyIn(raw: string): AuthorizedKey | undefined {
  const line = raw.trim()
  return line.startsWith('#') ? undefined : authorizedKey(line)
}

function keysIn(text: string, hash: string | undefined): Map<string, AuthKey> {
  const keys = new Map<string, AuthKey>()
  for (const raw of text.split('\n')) {
    const found = keyIn(raw)
    if (found === undefined) continue
    const { key, enc, comment, options } = found
    const fingerprint = fingerprintOf(key, hash)
    if (fingerprint !== undefined) keys.set(key, { enc, comment, options, fingerprint })
  }
  return keys
}

interface Owner {
  readonly home: string
  readonly uid: number
  readonly gid: number
}

async function ownerOf(user: string, call: Call): Promise<Owner | undefined> {
  const about = await call.salt('user.info', [user])
  if (!isMapping(about) || about.home === undefined) return undefined
  return { home: pythonStr(about.home), uid: Number(about.uid), gid: Number(about.gid) }
}

/** Where a user's keys are: `%h` is the home, `%u` the name. Throws CommandExecutionError for another mark. */
function pathOf(user: string, owner: Owner, config: string): string {
  const path = config.replace(/%(.?)/g, (_, letter: string) => {
    if (letter === '%') return '%'
    if (letter === 'u') return user
    if (letter === 'h') return owner.home
    throw new CommandExecutionError(
      letter === ''
        ? "AuthorizedKeysFile path: Last character can't be escape character"
        : `AuthorizedKeysFile path: unknown token character "%${letter}"`,
    )
  })
  return isAbsolute(path) ? path : join(owner.home, path)
}

const hashOf = (args: Arguments): string | undefined => args.textIfAny('fingerprint_hash_type')

/** The keys a user has; none where the file or the user is not there. */
async function keysOf(
  user: string,
  owner: Owner | undefined,
  args: Arguments,
): Promise<Map<string, AuthKey> | undefined> {
  if (owner === undefined) return undefined
  const path = pathOf(user, owner, args.text('config'))
  return (await isRegularFile(path)) ? keysIn(await readFile(path, 'utf8'), hashOf(args)) : undefined
}

const shown = (keys: Map<string, AuthKey>): Mapping =>
  Object.fromEntries([...keys].map(([key, about]) => [key, { ...about, options: [...about.options] }]))

async function authKeys(args: Arguments, call: Call): Promise<Value> {
  const asked = args.value('user')
  const all = asked === null ? await call.salt('user.list_users', []) : asked
  if (!Array.isArray(all)) {
    const user = pythonStr(all)
    const keys = await keysOf(user, await ownerOf(user, call), args)
    return keys === undefined ? {} : shown(keys)
  }
  const told: Mapping = {}
  for (const user of all.map(pythonStr)) {
    const keys = await keysOf(user, await ownerOf(user, call), args)
    if (keys !== undefined) told[user] = shown(keys)
  }
  return told
}

/** A key as it is wanted. */
type WantedKey = Omit<AuthKey, 'fingerprint'> & { readonly key: string }

async function statusOf(
  wanted: WantedKey,
  owner: Owner | undefined,
  args: Arguments,
): Promise<'add' | 'update' | 'exists'> {
  const enc = encodingOf(wanted.enc)
  const known = (await keysOf(args.text('user'), owner, args))?.get(wanted.key)
  if (known === undefined) return 'add'
  return lineOf(wanted.key, known) === lineOf(wanted.key, { ...wanted, enc }) ? 'exists' : 'update'
}

function wantedOf(args: Arguments): WantedKey {
  const options = args.value('options')
  return {
    key: args.text('key'),
    enc: args.text('enc'),
    comment: args.text('comment'),
    options: Array.isArray(options) ? options.map(pythonStr) : [],
  }
}

/** The keys of a file of the master's; undefined where it is not there. */
async function keysOfSource(args: Arguments, call: Call): Promise<[string, AuthKey][] | undefined> {
  const path = await call.salt('cp.cache_file', [args.text('source')], { saltenv: args.text('saltenv') })
  if (typeof path !== 'string' || path === '') return undefined
  return [...keysIn(await readFile(path, 'utf8'), hashOf(args))]
}

async function checkKeyFile(args: Arguments, call: Call): Promise<Value> {
  const told: Mapping = {}
  const owner = await ownerOf(args.text('user'), call)
  for (const [key, about] of (await keysOfSource(args, call)) ?? [])
    told[key] = await statusOf({ key, ...about }, owner, args)
  return told
}

/** Lines that stay, each with its end; an empty one does not. */
async function linesOf(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').map((line) => `${line}\n`)
}

async function removeKey(key: string, owner: Owner | undefined, args: Arguments): Promise<string> {
  const user = args.text('user')
  if (owner === undefined || (await keysOf(user, owner, args))?.has(key) !== true) return 'Key not present'
  const path = pathOf(user, owner, args.text('config'))
  await writeWhole(path, (await linesOf(path)).filter((line) => keyIn(line)?.key !== key).join(''))
  return 'Key removed'
}

async function removeFromFile(args: Arguments, call: Call): Promise<Value> {
  const keys = await keysOfSource(args, call)
  if (keys === undefined) throw new CommandExecutionError('Failed to pull key file from salt file server')
  if (keys.length === 0) return 'fail'
  const told: string[] = []
  const owner = await ownerOf(args.text('user'), call)
  for (const [key] of keys) told.push(await removeKey(key, owner, args))
  return told.includes('Key removed') ? 'Key removed' : 'Key not present'
}

async function setKey(wanted: WantedKey, owner: Owner | undefined, args: Arguments): Promise<string> {
  if (wanted.key.trim().split(/\s+/).length > 1) return 'invalid'
  const enc = encodingOf(wanted.enc)
  if (owner === undefined) return 'fail'
  if (fingerprintOf(wanted.key, hashOf(args)) === undefined) return 'Invalid public key'
  const status = await statusOf(wanted, owner, args)
  if (status === 'exists') return 'no change'
  const path = pathOf(args.text('user'), owner, args.text('config'))
  const line = lineOf(wanted.key, { ...wanted, enc })
  if (status === 'update') {
    await writeWhole(path, (await linesOf(path)).map((old) => (keyIn(old)?.key === wanted.key ? line : old)).join(''))
    return 'replace'
  }
  if (path.startsWith(owner.home) && !(await isDirectory(owner.home))) return 'fail'
  await addLine(path, line, owner)
  return 'new'
}

/** Adds a line at the file's end; what is made for it is the user's alone. */
async function addLine(path: string, line: string, { uid, gid }: Owner): Promise<void> {
  const folder = directoryName(path)
  const isRoot = process.getuid?.() === 0
  if (!(await isDirectory(folder))) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
    if (isRoot) await chown(folder, uid, gid)
  }
  const found = await readTextIfThere(path)
  const before = found ?? ''
  await writeWhole(path, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${line}`, { mode: '0600' })
  if (found === undefined && isRoot) await chown(path, uid, gid)
}

async function setFromFile(args: Arguments, call: Call): Promise<Value> {
  const keys = await keysOfSource(args, call)
  if (keys === undefined) throw new CommandExecutionError('Failed to pull key file from salt file server')
  if (keys.length === 0) return 'fail'
  const options = args.keywords.options ?? null
  const owner = await ownerOf(args.text('user'), call)
  const told: string[] = []
  for (const [key, about] of keys) {
    const given = Array.isArray(options) && options.length > 0 ? options.map(pythonStr) : about.options
    told.push(await setKey({ ...about, key, options: given }, owner, args))
  }
  return ['fail', 'replace', 'new'].find((word) => told.includes(word)) ?? 'no change'
}

const common = "config='.ssh/authorized_keys'"
const rest = 'fingerprint_hash_type=None'
const asking = { readOnly: true }

/** Salt's `ssh` module: who may log in, which hosts are known, and the machine's own keys. */
export const ssh: ExecutionModule = {
  name: 'ssh',
  file: 'ssh',
  functions: {
    ...knownHosts,
    ...ownKeys,
    auth_keys: define(
      `user=None, ${common}, ${rest}`,
      `Return the keys of a user, or of a list of users, by user; without one those of all.${examples("brine '*' ssh.auth_keys root", `brine '*' ssh.auth_keys user="[user1, user2]"`)}`,
      authKeys,
      asking,
    ),
    check_key: define(
      `user, key, enc, comment, options, ${common}, cache_keys=None, ${rest}`,
      `Say what has to be done for a user to have a key: \`\`add\`\`, \`\`update\`\`, or nothing (\`\`exists\`\`).${examples("brine '*' ssh.check_key <user> <key> <enc> <comment> <options>")}`,
      async (args, call) => statusOf(wantedOf(args), await ownerOf(args.text('user'), call), args),
      asking,
    ),
    check_key_file: define(
      `user, source, ${common}, saltenv='base', ${rest}`,
      `Say that for all keys of a file of the master's.${examples("brine '*' ssh.check_key_file root salt://ssh/keyfile")}`,
      checkKeyFile,
      asking,
    ),
    set_auth_key: define(
      `user, key, enc='ssh-rsa', comment='', options=None, ${common}, cache_keys=None, ${rest}`,
      `Let a key log in as a user. Returns \`\`new\`\`, \`\`replace\`\`, \`\`no change\`\`, or what is wrong.${examples("brine '*' ssh.set_auth_key <user> '<key>' enc='ssh-rsa'")}`,
      async (args, call) => setKey(wantedOf(args), await ownerOf(args.text('user'), call), args),
    ),
    set_auth_key_from_file: define(
      `user, source, ${common}, saltenv='base', ${rest}, **kwargs`,
      `Let all keys of a file of the master's log in as a user.${examples("brine '*' ssh.set_auth_key_from_file <user> salt://ssh_keys/<user>.id_rsa.pub")}`,
      setFromFile,
    ),
    rm_auth_key: define(
      `user, key, ${common}, ${rest}`,
      `Take a key from a user.${examples("brine '*' ssh.rm_auth_key <user> <key>")}`,
      async (args, call) => removeKey(args.text('key'), await ownerOf(args.text('user'), call), args),
    ),
    rm_auth_key_from_file: define(
      `user, source, ${common}, saltenv='base', ${rest}`,
      `Take all keys of a file of the master's from a user.${examples("brine '*' ssh.rm_auth_key_from_file <user> salt://ssh_keys/<user>.id_rsa.pub")}`,
      removeFromFile,
    ),
  },
}
