// Hosts whose keys are known, by ssh-keygen and ssh-keyscan: the lines of known_hosts.
import { chmod, chown, mkdir, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { isDirectory, isRegularFile } from '../filesystem/paths.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { fileLines } from '../filesystem/text.ts'
import { writeWhole } from '../filesystem/write.ts'
import type { Arguments } from './arguments.ts'
import { type Call, define, type ExecutionFunction, examples } from './module.ts'
import { outputOf } from './program.ts'
import { fingerprintOf } from './ssh-fingerprint.ts'

/** One key of a host. */
export interface HostKey extends Mapping {
  hostname: string
  key: string
  enc: string | null
  fingerprint?: string
}

const wrong = (error: string): Mapping => ({ status: 'error', error })

/** Where the hosts are that a user knows, or all; or what is wrong. */
interface Place {
  readonly path: string
  readonly owner: { readonly uid: number; readonly gid: number } | undefined
}

async function placeOf(args: Arguments, call: Call): Promise<Place | Mapping> {
  const user = args.textIfAny('user')
  const config = args.textIfAny('config') ?? (user === undefined ? '/etc/ssh/ssh_known_hosts' : '.ssh/known_hosts')
  if (user === undefined)
    return isAbsolute(config) ? { path: config, owner: undefined } : wrong('Cannot determine absolute path to file.')
  const about = await call.salt('user.info', [user])
  const isThere = isMapping(about) && about.home !== undefined
  if (!isThere && isAbsolute(config)) return { path: config, owner: undefined }
  if (!isThere) return wrong(`User ${user} does not exist`)
  const owner = { uid: Number(about.uid), gid: Number(about.gid) }
  return { path: isAbsolute(config) ? config : join(pythonStr(about.home ?? ''), config), owner }
}

const isPlace = (place: Place | Mapping): place is Place => 'path' in place

/** `[name]:port` where the port is not ssh's own. */
function withPort(args: Arguments): string {
  const [name, port] = [args.text('hostname'), args.value('port')]
  return port === null || Number(port) === 22 ? name : `[${name}]:${pythonStr(port)}`
}

/** The keys in what ssh's programs print; undefined where there is none. */
function keysIn(text: string, hash: string | undefined): HostKey[] | undefined {
  const keys: HostKey[] = []
  for (const line of text.split('\n').map((each) => each.trim())) {
    const words = line.split(/\s+/)
    const [hostname = '', enc = '', key = ''] = words
    if (line === '' || line.startsWith('#') || words.length !== 3) continue
    const fingerprint = fingerprintOf(key, hash)
    if (fingerprint !== undefined) keys.push({ hostname, key, enc, fingerprint })
  }
  return keys.length === 0 ? undefined : keys
}

const hashOf = (args: Arguments): string | undefined => args.textIfAny('fingerprint_hash_type')

const found = (call: Call, name: string, path: string): Promise<string> =>
  outputOf(call, ['ssh-keygen', '-F', name, '-f', path])

async function entries(args: Arguments, call: Call): Promise<HostKey[] | Mapping | undefined> {
  const place = await placeOf(args, call)
  if (!isPlace(place)) return place
  return keysIn(await found(call, withPort(args), place.path), hashOf(args))
}

/** What the host itself tells; it is asked up to five times. */
async function received(args: Arguments, call: Call): Promise<HostKey[] | undefined> {
  const words = [
    ...(args.is('port') ? ['-p', args.text('port')] : []),
    ...(args.is('enc') ? ['-t', args.text('enc')] : []),
    ...(args.is('hash_known_hosts') ? ['-H'] : []),
    '-T',
    args.text('timeout'),
    args.text('hostname'),
  ]
  for (let attempt = 0; attempt < 5; attempt++) {
    const text = await outputOf(call, ['ssh-keyscan', ...words])
    if (text !== '') return keysIn(text, hashOf(args))
  }
  return undefined
}

const missing = wrong('hostname argument required')

async function check(args: Arguments, call: Call): Promise<Value> {
  if (!args.is('hostname')) return missing
  const known = await entries(args, call)
  if (known === undefined) return 'add'
  if (!Array.isArray(known)) return known
  if (args.is('key')) return known.some(({ key }) => key === args.text('key')) ? 'exists' : 'update'
  if (!args.is('fingerprint')) return 'exists'
  return known.some(({ fingerprint }) => fingerprint === args.text('fingerprint')) ? 'exists' : 'update'
}

/** What ssh-keygen makes anew belongs to whoever runs it. */
async function giveBack({ path, owner }: Place): Promise<void> {
  if (owner !== undefined && process.getuid?.() === 0) await chown(path, owner.uid, owner.gid)
}

async function remove(args: Arguments, call: Call): Promise<Value> {
  if (!args.is('hostname')) return missing
  const place = await placeOf(args, call)
  if (!isPlace(place)) return place
  if (!(await isRegularFile(place.path))) return wrong(`Known hosts file ${place.path} does not exist`)
  const comment = await outputOf(call, ['ssh-keygen', '-R', withPort(args), '-f', place.path], { merge: true })
  await giveBack(place)
  return { status: 'removed', comment }
}

async function hashed(place: Place | Mapping, call: Call): Promise<Value> {
  if (!isPlace(place)) return place
  if (!(await isRegularFile(place.path))) return wrong(`Known hosts file ${place.path} does not exist`)
  const { mode } = await stat(place.path)
  const comment = await outputOf(call, ['ssh-keygen', '-H', '-f', place.path], { merge: true })
  await chmod(place.path, mode & 0o7777)
  await giveBack(place)
  return { status: 'updated', comment }
}

async function set(args: Arguments, call: Call): Promise<Value> {
  if (!args.is('hostname')) return missing
  const port = args.value('port')
  if (port !== null && Number(port) !== 22 && args.is('hash_known_hosts'))
    return wrong('argument port can not be used in conjunction with argument hash_known_hosts')
  const stored = await entries(args, call)
  if (stored !== undefined && !Array.isArray(stored)) return stored
  const enc = args.textIfAny('enc')
  const storedKeys = (stored ?? []).filter((one) => enc === undefined || one.enc === enc).map(({ key }) => key)
  const [key, fingerprint] = [args.textIfAny('key'), args.textIfAny('fingerprint')]
  const isNew =
    stored === undefined ||
    (fingerprint !== undefined && !stored.some((one) => one.fingerprint === fingerprint)) ||
    (key !== undefined && !storedKeys.includes(key))
  const asksHost = !isNew && key === undefined && fingerprint === undefined
  if (!isNew && !asksHost) return { status: 'exists', keys: storedKeys }
  let wanted: HostKey[] = [{ hostname: args.text('hostname'), enc: enc ?? null, key: key ?? '' }]
  if (key === undefined) {
    const told = await received(args, call)
    if (told === undefined) return wrong('Unable to receive remote host keys')
    if (fingerprint !== undefined && !told.some((one) => one.fingerprint === fingerprint))
      return wrong('Remote host public keys found but none of their fingerprints match the one you have provided')
    const known = new Set(told.map((one) => one.key))
    if (asksHost && known.size === new Set(storedKeys).size && storedKeys.every((one) => known.has(one)))
      return { status: 'exists', keys: storedKeys }
    wanted = told
  }
  const place = await placeOf(args, call)
  if (!isPlace(place)) return place
  const isPlain = args.is('hash_known_hosts') || port === null || Number(port) === 22
  const lines = wanted.map((one) => {
    const isNamed = isPlain || one.hostname.includes(':')
    if (!isNamed) one.port = port
    return `${isNamed ? one.hostname : `[${one.hostname}]:${pythonStr(port)}`} ${pythonStr(one.enc)} ${one.key}\n`
  })
  await put(place, lines, withPort(args), enc, call)
  if (key !== undefined && args.is('hash_known_hosts')) await hashed(place, call)
  return { status: 'updated', old: stored ?? null, new: wanted }
}

/** Takes the host's lines out and puts these at the end, in one step. */
async function put(place: Place, lines: string[], name: string, enc: string | undefined, call: Call): Promise<void> {
  const { path, owner } = place
  const isThere = await isRegularFile(path)
  const old = isThere ? fileLines((await readTextIfThere(path)) ?? '') : []
  const gone = isThere ? lineNumbers(await found(call, name, path), enc) : []
  const kept = old.filter((_, index) => !gone.includes(index + 1))
  if (!(await isDirectory(dirname(path)))) {
    await mkdir(dirname(path), { recursive: true })
    if (owner !== undefined) {
      await chmod(dirname(path), 0o700)
      await giveBack({ path: dirname(path), owner })
    }
  }
  const last = kept.at(-1)
  if (last !== undefined && !last.endsWith('\n')) kept.push('\n')
  await writeWhole(path, [...kept, ...lines].join(''), { mode: '0600' })
  if (!isThere) await giveBack(place)
}

/** `# Host name found: line 3`, and behind it the line itself. */
function lineNumbers(text: string, enc: string | undefined): number[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.flatMap((line, index) => {
    const number = /^# Host .* found: line (\d+)/.exec(line)?.[1]
    const kind = lines[index + 1]?.split(/\s+/).at(-2)
    return number === undefined || (enc !== undefined && kind !== enc) ? [] : [Number(number)]
  })
}

const asking = { readOnly: true }
const hashDoc = `

user, config
    Whose hosts, \`\`.ssh/known_hosts\`\`; without a user those of all, \`\`/etc/ssh/ssh_known_hosts\`\`; or another file.`

/** The functions, by their names. */
export const knownHosts: Readonly<Record<string, ExecutionFunction>> = {
  get_known_host_entries: define(
    'user, hostname, config=None, port=None, fingerprint_hash_type=None',
    `Return the keys that are known of a host; None where there are none.${hashDoc}${examples("brine '*' ssh.get_known_host_entries <user> <hostname>")}`,
    async (args, call) => (await entries(args, call)) ?? null,
    asking,
  ),
  recv_known_host_entries: define(
    'hostname, enc=None, port=None, hash_known_hosts=True, timeout=5, fingerprint_hash_type=None',
    `Return the keys that a host itself tells; None where it tells none.${examples("brine '*' ssh.recv_known_host_entries <hostname> enc=<enc> port=<port>")}`,
    async (args, call) => (await received(args, call)) ?? null,
    asking,
  ),
  check_known_host: define(
    'user=None, hostname=None, key=None, fingerprint=None, config=None, port=None, fingerprint_hash_type=None',
    `Say what has to be done for a host's key to be known: \`\`add\`\`, \`\`update\`\`, or nothing (\`\`exists\`\`).${hashDoc}${examples("brine '*' ssh.check_known_host <user> <hostname> key='AAAA...FAaQ=='")}`,
    check,
    asking,
  ),
  set_known_host: define(
    'user=None, hostname=None, fingerprint=None, key=None, port=None, enc=None, config=None, hash_known_hosts=True, timeout=5, fingerprint_hash_type=None',
    `Have a host known by a key, or by those that it tells itself. Returns the status, and the old and the new keys.${hashDoc}
fingerprint
    One of the keys that the host tells has to have it.
hash_known_hosts
    Hide the host's name.${examples("brine '*' ssh.set_known_host <user> fingerprint='xx:xx:..:xx' enc='ssh-rsa' config='.ssh/known_hosts'")}`,
    set,
  ),
  rm_known_host: define(
    'user=None, hostname=None, config=None, port=None',
    `Have a host no longer known.${hashDoc}${examples("brine '*' ssh.rm_known_host <user> <hostname>")}`,
    remove,
  ),
  hash_known_hosts: define(
    'user=None, config=None',
    `Hide all names of the hosts that are known.${hashDoc}${examples("brine '*' ssh.hash_known_hosts")}`,
    async (args, call) => hashed(await placeOf(args, call), call),
  ),
}
