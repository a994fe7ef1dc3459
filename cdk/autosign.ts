// The files by which keys are accepted and rejected by themselves, read where the stack is deployed from.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { autosignLines, grainsWeakness, isGrainFile, isTrustedFile } from '../core/autosign/index.ts'
import { type MasterConfig, parseMasterSettings, problemText } from '../core/config/index.ts'
import { BrineError, messageOf } from '../core/error.ts'
import type { Mapping } from '../core/value/index.ts'
import { autosignPaths } from '../platform/aws/layout/index.ts'
import type { BrineMasterProps } from './brine-master-props.ts'

const keys = ['autosign_file', 'autoreject_file', 'autosign_grains_dir', 'permissive_pki_access']

/**
 * What `autosign_file`, `autoreject_file` and `autosign_grains_dir` of the settings name, by the paths it is deployed to.
 * Throws `config` for what is missing, what others may write, and grains that anybody can guess: nothing is deployed then.
 */
export function autosignOf(settings: BrineMasterProps['settings'] = {}): ReadonlyMap<string, string> {
  const written = Object.fromEntries(Object.entries(settings).filter(([name]) => keys.includes(name)))
  const { config, problems } = parseMasterSettings(written as Mapping, 'settings')
  if (problems.length > 0) throw wrong(problems.map(problemText).join('\n'))
  const { autosign_file: accepting, autoreject_file: rejecting, autosign_grains_dir: folder } = config
  const files = new Map<string, string>()
  if (accepting !== null) files.set(autosignPaths.accept, textOf(accepting, config))
  if (rejecting !== null) files.set(autosignPaths.reject, textOf(rejecting, config))
  if (folder !== null) {
    const grains: Record<string, string[]> = {}
    for (const name of namesIn(folder)) {
      const text = textOf(join(folder, name), config)
      grains[name] = autosignLines(text)
      files.set(`${autosignPaths.grains}${name}`, text)
    }
    const weakness = grainsWeakness({ grains })
    if (weakness !== undefined) throw wrong(weakness)
  }
  return files
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isGrainFile).sort()
  } catch (error) {
    throw wrong(`${folder} cannot be read: ${messageOf(error)}`)
  }
}

function textOf(path: string, { permissive_pki_access: permissive }: MasterConfig): string {
  try {
    const reader = { uid: process.getuid?.(), groups: process.getgroups?.() ?? [], permissive }
    if (isTrustedFile(statSync(path), reader)) return readFileSync(path, 'utf8')
  } catch (error) {
    throw wrong(`${path} cannot be read: ${messageOf(error)}`)
  }
  throw wrong(`${path} may be written by others, who would say which keys are accepted: chmod go-w ${path}`)
}

function wrong(message: string): BrineError {
  return new BrineError(message, { code: 'config' })
}
