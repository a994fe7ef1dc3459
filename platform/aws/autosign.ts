// By what keys are accepted and rejected by themselves on AWS: files that a deployment brought.
import { type AutosignRules, autosignLines } from '../../core/autosign/index.ts'
import type { FileStore } from '../../master/ports.ts'
import { autosignPaths } from './layout/index.ts'

/** Reads them anew each time: they change with a deployment. */
export async function deployedAutosign(files: Pick<FileStore, 'list' | 'read'>): Promise<AutosignRules> {
  const linesOf = async (path: string): Promise<string[]> => {
    const bytes = await files.read('base', path)
    return bytes === undefined ? [] : autosignLines(new TextDecoder().decode(bytes))
  }
  const names = (await files.list('base'))
    .map(({ path }) => path)
    .filter((path) => path.startsWith(autosignPaths.grains))
  const [accept, reject, grains] = await Promise.all([
    linesOf(autosignPaths.accept),
    linesOf(autosignPaths.reject),
    Promise.all(names.map(async (path) => [path.slice(autosignPaths.grains.length), await linesOf(path)] as const)),
  ])
  return { accept, reject, grains: Object.fromEntries(grains) }
}
