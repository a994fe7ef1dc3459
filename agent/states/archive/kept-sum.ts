// The digest that an archive had when it was unpacked last, kept by where the archive lies.
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pythonStr } from '../../../core/value/index.ts'
import { hashFile } from '../../filesystem/hash.ts'
import { readTextIfThere } from '../../filesystem/read.ts'
import { writeWhole } from '../../filesystem/write.ts'
import type { StateCall } from '../state-module.ts'

const placeOf = ({ agent }: StateCall, path: string): string =>
  join(pythonStr(agent.opts.cachedir ?? ''), 'archive_hash', 'local', path)

/** The kept digest (SHA-256); undefined where there is none. */
export async function keptSum(path: string, call: StateCall): Promise<string | undefined> {
  return (await readTextIfThere(placeOf(call, path)))?.trim()
}

/** Keeps the archive's digest as it is now, and answers it. */
export async function keepSum(path: string, call: StateCall): Promise<string> {
  const sum = await hashFile(path)
  const place = placeOf(call, path)
  await mkdir(dirname(place), { recursive: true, mode: 0o700 })
  await writeWhole(place, `${sum}\n`)
  return sum
}
