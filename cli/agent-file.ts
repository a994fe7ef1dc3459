// The agent as one file, and its systemd unit: beside the bundled commands, or in the build's folder of a checkout.
import { readFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `dist/brine-minion.mjs`; undefined where it was not built. */
export function agentFile(): Promise<Uint8Array | undefined> {
  return readIfThere(join(packageRoot(), 'dist', 'brine-minion.mjs'))
}

/** The unit, as packaging/ has it. */
export async function agentUnit(): Promise<string | undefined> {
  return (await readIfThere(join(packageRoot(), 'packaging', 'brine-minion.service')))?.toString('utf8')
}

function packageRoot(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  return here.endsWith(`${sep}chunks`) ? join(here, '..', '..') : join(here, '..')
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
