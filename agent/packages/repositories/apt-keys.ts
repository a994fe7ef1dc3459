// Keys by which apt's repositories are signed: by apt-key where there is one, else as files that repositories name.
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { writeWhole } from '../../filesystem/write.ts'
import { which } from '../../modules/cmd-run.ts'
import { CommandExecutionError, PythonError, SaltInvocationError } from '../../modules/errors.ts'
import type { Call } from '../../modules/module.ts'
import { outputOf, runProgram } from '../../modules/program.ts'
import { aptDirectory } from './apt-sources.ts'

/** Which key is added, and where to. */
export interface KeyRequest {
  readonly path?: string | undefined
  readonly text?: string | undefined
  readonly keyserver?: string | undefined
  readonly keyid?: string | undefined
  readonly saltenv?: string | undefined
  /** By apt-key, where there is one. @default true */
  readonly aptkey?: boolean
  /** @default `keyrings` in apt's directory */
  readonly keydir?: string | undefined
  readonly keyfile?: string | undefined
}

/** Whether apt-key is wanted and there. */
export const byAptKey = async (wanted: boolean): Promise<boolean> => wanted && (await which('apt-key')) !== undefined

async function directoryOf(call: Call, keydir: string | undefined): Promise<string | undefined> {
  const directory = keydir ?? join(aptDirectory(call), 'keyrings')
  const isThere = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isThere) return directory
  call.agent.outside.log.error(
    `The directory ${directory} does not exist. Please create this directory only writable by root`,
  )
  return undefined
}

const listWords = (file: string): string[] => [
  'gpg',
  '--no-default-keyring',
  '--keyring',
  file,
  '--list-keys',
  '--with-colons',
]

/** All keys by their ids; false where there is no directory of them. */
export async function repositoryKeys(
  call: Call,
  { aptkey = true, keydir }: Pick<KeyRequest, 'aptkey' | 'keydir'>,
): Promise<Mapping | false> {
  if (await byAptKey(aptkey)) {
    const words = ['--list-public-keys', '--with-fingerprint', '--with-fingerprint', '--with-colons']
    const result = await runProgram(call, ['apt-key', 'adv', '--batch', ...words, '--fixed-list-mode'])
    if (result.retcode !== 0) throw new CommandExecutionError(result.stderr)
    return keysIn(result.stdout)
  }
  const directory = await directoryOf(call, keydir)
  if (directory === undefined) return false
  const texts: string[] = []
  for (const name of (await readdir(directory)).sort())
    texts.push(await outputOf(call, listWords(join(directory, name))))
  return keysIn(texts.join('\n'))
}

/** What gpg tells with colons. */
function keysIn(text: string): Mapping {
  const keys: Record<string, Value>[] = []
  for (const line of text.split('\n').filter((one) => one.includes(':'))) {
    const items = line.split(':').map((item): Value => {
      const word = item.trim()
      return word === '' ? null : /^-?\d+$/.test(word) ? Number(word) : word
    })
    const at = (index: number): Value => items[index] ?? null
    const kind = at(0)
    const last = keys.at(-1)
    if (kind === 'pub' || kind === 'sub') {
      const key = {
        algorithm: at(3),
        bits: at(2),
        capability: at(11),
        date_creation: at(5),
        date_expiration: at(6),
        keyid: line.split(':')[4]?.trim() ?? '',
        validity: at(1),
      }
      if (kind === 'pub') keys.push(key)
      else if (last !== undefined) last.subkey = key
    } else if (kind === 'fpr' && last !== undefined) {
      const owner = (last.subkey ?? last) as Record<string, Value>
      owner.fingerprint = at(9)
    } else if (kind === 'uid' && last !== undefined) Object.assign(last, { uid: at(9), uid_hash: at(7) })
  }
  return Object.fromEntries(keys.map((key) => [pythonStr(key.keyid ?? ''), key]))
}

/** The bytes between the lines of an armored key; other files as they are. */
export function withoutArmor(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1')
  const found = /^-+BEGIN PGP[^\n]*\n(?:[^\n]+:[^\n]*\n)*\r?\n?([\s\S]*?)(?:\n=[^\n]*)?\n-+END PGP/m.exec(text)
  return found === null ? bytes : Buffer.from((found[1] ?? '').replaceAll(/\s/g, ''), 'base64')
}

/** Whether it is there now. Throws SaltInvocationError for a request that names no key. */
export async function addKey(call: Call, request: KeyRequest): Promise<boolean> {
  const { path, text, keyserver, keyid } = request
  const aptkey = await byAptKey(request.aptkey ?? true)
  const directory = request.aptkey === false ? await directoryOf(call, request.keydir) : request.keydir
  if (request.aptkey === false && directory === undefined) return false
  if (keyid !== undefined) {
    const known = await repositoryKeys(call, { aptkey, keydir: request.keydir })
    if (known !== false && Object.keys(known).some((id) => id.endsWith(keyid))) return true
  }
  if (path !== undefined) return addFile(call, path, request, aptkey)
  if (text !== undefined) return told(call, ['apt-key', 'add', '-'], text)
  if (keyserver !== undefined) {
    if (keyid === undefined) throw new SaltInvocationError(`No keyid or keyid too short for keyserver: ${keyserver}`)
    if (aptkey) return told(call, ['apt-key', 'adv', '--batch', '--keyserver', keyserver, '--recv', keyid])
    return receive(call, keyserver, keyid, request)
  }
  if (keyid !== undefined) throw new SaltInvocationError(`No keyserver specified for keyid: ${keyid}`)
  throw new PythonError('TypeError', 'add_repo_key() takes at least 1 argument (0 given)')
}

async function told(call: Call, words: readonly string[], stdin?: string): Promise<boolean> {
  const result = await runProgram(call, words, stdin === undefined ? {} : { stdin })
  if (result.retcode !== 0) call.agent.outside.log.error(`Unable to add repo key: ${result.stderr}`)
  return result.retcode === 0
}

/** Fetches the file and puts it where apt finds it. */
async function addFile(call: Call, path: string, request: KeyRequest, aptkey: boolean): Promise<boolean> {
  const cached = await call.salt('cp.cache_file', [path, request.saltenv ?? 'base'])
  if (typeof cached !== 'string' || cached === '') {
    call.agent.outside.log.error(`Unable to get cached copy of file: ${path}`)
    return false
  }
  if (aptkey) return told(call, ['apt-key', 'add', cached])
  const directory = await directoryOf(call, request.keydir)
  if (directory === undefined) return false
  const name = request.keyfile ?? basename(cached)
  const bytes = await readFile(cached)
  await rm(join(directory, name), { force: true })
  // Whoever fetches packages has to be able to read it, whatever the umask is.
  await writeWhole(join(directory, name), name.endsWith('.asc') ? bytes : withoutArmor(bytes), { mode: '0644' })
  return true
}

async function receive(call: Call, keyserver: string, keyid: string, request: KeyRequest): Promise<boolean> {
  const directory = await directoryOf(call, request.keydir)
  if (directory === undefined) return false
  if (request.keyfile === undefined) {
    const missing = 'You must define the name of the key file to save the key. See keyfile argument'
    call.agent.outside.log.error(missing)
    return false
  }
  const file = join(directory, basename(request.keyfile))
  const words = ['gpg', '--no-default-keyring', '--keyring', file, '--keyserver', keyserver, '--recv-keys', keyid]
  if (!(await told(call, words))) return false
  await call.salt('file.set_mode', [file, '0644'])
  return true
}

/** Removes it and returns its id; false where no file has it. */
export async function removeKey(call: Call, keyid: string, aptkey: boolean, keydir?: string): Promise<Value> {
  if (!aptkey && (await directoryOf(call, keydir)) === undefined) return false
  if (await byAptKey(aptkey)) {
    const result = await runProgram(call, ['apt-key', 'del', keyid])
    if (result.retcode === 0) return keyid
    const why = result.stderr === '' ? '' : `: ${result.stderr}`
    throw new CommandExecutionError(`Failed to remove keyid ${keyid}${why}`)
  }
  const file = await fileOf(call, keyid, keydir)
  if (file === undefined) return false
  await rm(file)
  return keyid
}

async function fileOf(call: Call, keyid: string, keydir: string | undefined): Promise<string | undefined> {
  const { log } = call.agent.outside
  const directory = await directoryOf(call, keydir)
  if (keyid.length !== 8 && keyid.length !== 16) log.error('The keyid needs to be either 8 or 16 characters')
  else if (directory !== undefined) {
    for (const name of (await readdir(directory)).sort()) {
      const keys = keysIn(await outputOf(call, listWords(join(directory, name))))
      if (Object.keys(keys).some((id) => id.endsWith(keyid))) return join(directory, name)
    }
    log.error(`Could not find the key file for keyid: ${keyid}`)
  }
  return undefined
}
