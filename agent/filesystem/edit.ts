// What every edit of a file has in common: keep a copy, write whole, tell the difference.
import { readlink, rm, stat, symlink } from 'node:fs/promises'
import { CommandExecutionError, SaltInvocationError } from '../modules/errors.ts'
import { osErrorText } from './os-error.ts'
import { exists, isLink } from './paths.ts'
import { isBinaryFile } from './text.ts'
import { copyWhole, writeWhole } from './write.ts'

/** A copy of the file at `copy`, with its mode, times and owner as far as the system lets. */
export async function keepCopy(path: string, copy: string): Promise<void> {
  try {
    await copyWhole(path, copy, { mode: ((await stat(path)).mode & 0o7777).toString(8).padStart(4, '0') })
  } catch (error) {
    throw new CommandExecutionError(
      `Unable to create the backup file of ${path}. Exception: ${osErrorText(error)}`,
      error,
    )
  }
}

/** Writes bytes given as Latin-1 over a file, after keeping a copy under the file's name and `backup`. */
export async function writeEdited(path: string, bytes: string, backup: string | undefined): Promise<void> {
  if (backup !== undefined) await keepCopy(path, `${path}${backup}`)
  await writeWhole(path, Buffer.from(bytes, 'latin1'))
}

/** Beside a link whose target was edited: a link to the target's copy. */
export async function linkCopy(link: string, backup: string): Promise<void> {
  if (!(await isLink(link))) return
  const target = await readlink(link)
  await rm(`${link}${backup}`, { force: true })
  await symlink(`${target}${backup}`, `${link}${backup}`)
}

/** Throws where there is no file, or a binary one. */
export async function needText(path: string): Promise<void> {
  if (!(await exists(path))) throw new SaltInvocationError(`File not found: ${path}`)
  if (await isBinaryFile(path)) {
    throw new SaltInvocationError(`Cannot perform string replacements on a binary file: ${path}`)
  }
}
