// `brine-key --import`: public keys from files, accepted before their minions come.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Connection } from '../../client/connection.ts'
import { BrineError, messageOf } from '../../core/error.ts'
import { MinionIdSchema } from '../../core/protocol/index.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Io } from './io.ts'
import { confirmed } from './key-question.ts'

/** How to ask and print. */
export interface ImportOptions {
  readonly yes: boolean
  readonly show: (value: Value) => Promise<void>
}

/** What became of a key that was not accepted now, as it is told. */
const notAccepted: Readonly<Record<string, string>> = {
  known: 'was accepted before',
  rejected: 'was rejected before, and stays so: brine-key --include-rejected -a accepts it',
  other: 'has another key, which it keeps: brine-key -d deletes that one',
  unusable: 'has a key that is neither Ed25519 nor RSA of at least 2048 bits',
}

/**
 * Accepts the keys of a file or a directory; the files are named for their minions (`web1` or `web1.pub`). Ends with 1
 * where one of them could not be accepted.
 */
export async function importKeys(
  connection: Connection,
  path: string,
  { yes, show }: ImportOptions,
  io: Io,
): Promise<number> {
  const keys = readKeys(path)
  const ids = Object.keys(keys)
  if (ids.length === 0) {
    await io.out(`There are no public keys in ${path}.\n`)
    return 0
  }
  await io.out('The following keys are going to be accepted:\n')
  await show({ minions: ids })
  if (!yes && !(await confirmed(io, false))) return 0
  return admitKeys(connection, keys, io)
}

/** Has the master accept them, and tells of each. 1 where one of them has no accepted key now. */
export async function admitKeys(
  connection: Connection,
  keys: Readonly<Record<string, string>>,
  io: Io,
): Promise<number> {
  const { admitted = {} } = await connection.keys({ act: 'admit', keys })
  let code = 0
  for (const [id, outcome] of Object.entries(isMapping(admitted) ? (admitted as Mapping) : {})) {
    const why = notAccepted[pythonStr(outcome)]
    if (why === undefined) await io.out(`Key for minion ${id} accepted.\n`)
    else await io.out(`Key for minion ${id} not accepted: it ${why}.\n`)
    if (outcome !== 'accepted' && outcome !== 'known') code = 1
  }
  return code
}

/** Public keys by id. Hidden files and what is no PEM are passed over in a directory; a file that was named must be one. */
export function readKeys(path: string): Record<string, string> {
  try {
    if (!statSync(path).isDirectory()) return Object.fromEntries([keyOf(path, readFileSync(path, 'utf8'))])
    const names = readdirSync(path).filter((name) => !name.startsWith('.') && !name.endsWith('.pem'))
    const files = names.sort().filter((name) => statSync(join(path, name)).isFile())
    return Object.fromEntries(
      files.flatMap((name) => {
        const text = readFileSync(join(path, name), 'utf8')
        return text.includes('-----BEGIN ') ? [keyOf(join(path, name), text)] : []
      }),
    )
  } catch (cause) {
    if (cause instanceof BrineError) throw cause
    throw new BrineError(`Keys cannot be read from ${path}: ${messageOf(cause)}`, { code: 'key-import', cause })
  }
}

function keyOf(path: string, text: string): [string, string] {
  const id = basename(path).replace(/\.pub$/, '')
  if (!MinionIdSchema.safeParse(id).success)
    throw new BrineError(`${path} is named for no minion: ${id} cannot be an id.`, { code: 'key-import' })
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    throw new BrineError(`${path} holds a private key. Import the public half, and keep this one where it is used.`, {
      code: 'key-import',
    })
  if (!/-----BEGIN (RSA )?PUBLIC KEY-----/.test(text))
    throw new BrineError(`${path} holds no public key (PEM).`, { code: 'key-import' })
  return [id, text]
}
