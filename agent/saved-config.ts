// Files of the configuration that the minion writes itself, into `minion.d` beside its own: beacons, schedule.
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Mapping, pythonStr } from '../core/value/index.ts'
import { writeWhole } from './filesystem/write.ts'

/** The path of such a file. */
export function savedConfigPath(opts: Mapping, name: string): string {
  return join(dirname(pythonStr(opts.conf_file ?? '/etc/brine/minion')), 'minion.d', name)
}

/** Puts a text in the file's place, whole or not at all, for the minion's user alone. Rejects with the file system's error. */
export async function saveConfig(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeWhole(path, text, { mode: '0600' })
}
