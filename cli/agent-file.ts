// The agent as one file, and its systemd unit: beside the bundled commands, or in the build's folder of a checkout.
import { join } from 'node:path'
import { readIfThere, readTextIfThere } from '../agent/filesystem/read.ts'
import { packageRoot } from './package-root.ts'

/** `dist/brine-minion.mjs`; undefined where it was not built. */
export function agentFile(): Promise<Uint8Array | undefined> {
  return readIfThere(join(packageRoot(), 'dist', 'brine-minion.mjs'))
}

/** The unit, as packaging/ has it. */
export function agentUnit(): Promise<string | undefined> {
  return readTextIfThere(join(packageRoot(), 'packaging', 'brine-minion.service'))
}
