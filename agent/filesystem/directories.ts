// Makes directories, with owner and mode for each that is new.
import { chmod, mkdir } from 'node:fs/promises'
import type { Value } from '../../core/value/index.ts'
import { SaltInvocationError } from '../modules/errors.ts'
import { asPython } from './os-error.ts'
import { directoryName, exists, isDirectory, normalPath, splitPath } from './paths.ts'
import { checkPermissions } from './permissions.ts'
import { ownUmask } from './umask.ts'

/** Whose they are and what may be done with them; None leaves it to the umask and to who runs this. */
export interface DirectoryOwner {
  readonly user?: Value
  readonly group?: Value
  readonly mode?: Value
}

/** Salt's `file.mkdir`: the directory and those above it that are missing. */
export async function makeDirectory(path: string, owner: DirectoryOwner): Promise<void> {
  const directory = normalPath(path)
  if (!(await isDirectory(directory))) await makeWithOwner(directory, owner)
}

/** Salt's `file.makedirs`: the directories above `path`. Answers why nothing was made, or null. */
export async function makeParents(path: string, owner: DirectoryOwner): Promise<string | null> {
  let directory = normalPath(directoryName(path))
  if (await isDirectory(directory)) return `Directory '${directory}' already exists`
  if (await exists(directory)) return `The path '${directory}' already exists and is not a directory`
  const missing: string[] = []
  while (!(await isDirectory(directory))) {
    missing.unshift(directory)
    const above = directoryName(directory)
    if (above === directory || above === '') {
      throw new SaltInvocationError(
        `Recursive creation for path '${above}' would result in an infinite loop. Please use an absolute path.`,
      )
    }
    directory = above
  }
  for (const each of missing) await makeDirectory(each, owner)
  return null
}

/** Salt's `file.makedirs_perms`: throws where the directory is there already. */
export async function makeWithOwner(path: string, owner: DirectoryOwner): Promise<void> {
  const [first, last] = splitPath(path)
  const [head, tail] = last === '' ? splitPath(first) : [first, last]
  if (head !== '' && tail !== '' && !(await exists(head))) {
    await makeWithOwner(head, owner)
    if (tail === '.') return
  }
  try {
    await mkdir(path)
    const mask = ownUmask()
    if (mask !== undefined) await chmod(path, 0o777 & ~mask)
  } catch (error) {
    throw asPython(error, path)
  }
  await checkPermissions(path, { ...owner, test: false })
}
