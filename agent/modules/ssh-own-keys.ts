// The keys of this machine and of its users.
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isList, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionFunction, examples } from './module.ts'

async function hostKeys(args: Arguments): Promise<Mapping> {
  const directory = args.textIfAny('keydir') ?? '/etc/ssh'
  const keys: Mapping = {}
  for (const file of await readdir(directory)) {
    const [, type, ending, cert] = /^ssh_host_(.+)_key((-cert)?\.pub)?/.exec(file) ?? []
    if (type === undefined) continue
    if (ending === undefined && args.value('private') === false) continue
    if (cert !== undefined && args.value('certs') === false) continue
    const text = await readFile(join(directory, file), 'utf8').catch(() => '')
    keys[`${type}${ending ?? ''}`] = text.trim()
  }
  return keys
}

const kinds = ['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519']

/** The files that are asked for: one that is named, the usual ones, or none. */
function filesOf(asked: Value, usual: readonly string[]): readonly string[] {
  return asked === false ? [] : asked === null || asked === '' ? usual : [pythonStr(asked)]
}

async function userKeys(args: Arguments, call: Call): Promise<Mapping> {
  const asked = args.is('user') ? args.value('user') : await call.salt('user.list_users', [])
  const files = [
    ...filesOf(
      args.value('pubfile'),
      kinds.map((kind) => `${kind}.pub`),
    ),
    ...filesOf(args.value('prvfile'), kinds),
  ]
  const told: Mapping = {}
  for (const user of (isList(asked) ? asked : [asked]).map(pythonStr)) {
    const about = await call.salt('user.info', [user])
    if (!isMapping(about) || about.home === undefined) continue
    const keys: Mapping = {}
    for (const file of files) {
      const path = file.startsWith('/') ? file : join(pythonStr(about.home), '.ssh', file)
      const text = await readTextIfThere(path).catch(() => undefined)
      if (text !== undefined) keys[file.startsWith('/') ? basename(file) : file] = text.trim()
    }
    if (Object.keys(keys).length > 0) told[user] = keys
  }
  return told
}

/** Whether a private key is kept under a passphrase: as the old format says in words, and the new one in its first bytes. */
async function isEncrypted(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CommandExecutionError(`Failed to read key ${path}`, error)
  })
  if (/ENCRYPTED/.test(text)) return true
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]*?)-----END/.exec(text)?.[1]
  if (body === undefined) return false
  const bytes = Buffer.from(body.replace(/\s+/g, ''), 'base64')
  const start = 'openssh-key-v1\0'.length
  const length = bytes.readUInt32BE(start)
  return bytes.subarray(start + 4, start + 4 + length).toString() !== 'none'
}

const asking = { readOnly: true }

/** The functions, by their names. */
export const ownKeys: Readonly<Record<string, ExecutionFunction>> = {
  host_keys: define(
    'keydir=None, private=True, certs=True',
    `Return the keys of this machine, by kind.

private, certs
    False leaves out the private ones, the certificates.${examples("brine '*' ssh.host_keys private=False")}`,
    hostKeys,
    asking,
  ),
  user_keys: define(
    'user=None, pubfile=None, prvfile=None',
    `Return the keys of a user, of a list of users, or of all, by file.

pubfile, prvfile
    Another file than the usual ones; False for none.${examples("brine '*' ssh.user_keys user1 prvfile=False")}`,
    userKeys,
    asking,
  ),
  key_is_encrypted: define(
    'key',
    `Return whether the private key in a file is kept under a passphrase.${examples("brine '*' ssh.key_is_encrypted /root/id_rsa")}`,
    (args) => isEncrypted(args.text('key')),
    asking,
  ),
}
