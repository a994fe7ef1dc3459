// Files of the configuration that the minion writes itself, into `minion.d` beside its own: beacons, schedule.
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Mapping, pythonStr } from '../core/value/index.ts'

/** The path of such a file. */
export function savedConfigPath(opts: Mapping, name: string): string {
  return join(dirname(pythonStr(opts.conf_file ?? '/etc/brine/minion')), 'minion.d', name)
}

/** Puts a text in the file's place, whole or not at all; it is on the disk when it resolves. Rejects with the file system's error. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const next = `${path}.next`
  const file = await open(next, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
}
