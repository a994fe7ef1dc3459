// Runners of the user's own: bundled and checked at synth.
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BrineError } from '../core/error.ts'

/**
 * Bundles every `*.mjs` of the folders into a new one. Throws `runners` with all that is wrong: a file that does not parse
 * or load, one without functions, one in Python.
 */
export function bundledRunners(folders: readonly string[]): string {
  const out = mkdtempSync(join(tmpdir(), 'brine-runners-'))
  const script = join(import.meta.dirname, '../scripts/bundle-runners.mjs')
  try {
    execFileSync(process.execPath, [script, out, ...folders], { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    throw new BrineError(`The runners cannot be deployed:\n${said}`, { code: 'runners', cause: error })
  }
  return out
}
