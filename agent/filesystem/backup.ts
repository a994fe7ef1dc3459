// Copies of files before they are changed: `backup: minion`, and what lists, restores and deletes them.
import { chmod, chown, copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { BrineError } from '../../core/error.ts'
import { Dict, type Mapping, type Value } from '../../core/value/index.ts'
import { months } from '../../core/value/strftime.ts'
import { formatDate } from '../date-format.ts'
import { isErrno, osErrorText } from './os-error.ts'
import { joinPath, splitPath } from './paths.ts'

/** Puts a copy with mode and owner under `root`, named for the moment (microseconds since 1970). */
export async function backUp(path: string, root: string, now: number): Promise<string> {
  const [head, tail] = splitPath(path)
  const directory = joinPath(root, head.replace(/^\//, ''))
  await mkdir(directory, { recursive: true })
  const copy = joinPath(directory, `${tail}_${formatDate(now / 1000, '%a_%b_%d_%H:%M:%S_%f_%Y')}`)
  const before = await stat(path)
  await copyFile(path, copy)
  await chown(copy, before.uid, before.gid)
  await chmod(copy, before.mode & 0o7777)
  return copy
}

/** One copy. */
export interface Backup extends Mapping {
  'Backup Time': string
  Size: number
  Location: string
}

const stampOf = /_([A-Z][a-z]{2})_([A-Z][a-z]{2})_(\d\d)_(\d\d):(\d\d):(\d\d)_(\d{6})_(\d{4})$/

async function copiesIn(directory: string): Promise<{ name: string; order: string; backup: Backup }[]> {
  const found: { name: string; order: string; backup: Backup }[] = []
  for (const file of await filesIn(directory)) {
    const [all, weekday, month = '', day, hour, minute, second, micro, year] = stampOf.exec(file) ?? []
    if (all === undefined) continue
    const location = joinPath(directory, file)
    const about = await stat(location)
    if (!about.isFile()) continue
    const number = String(months.findIndex((name) => name.startsWith(month))).padStart(2, '0')
    found.push({
      name: file.slice(0, -all.length),
      order: [year, number, day, hour, minute, second, micro].join(' '),
      backup: {
        'Backup Time': `${weekday} ${month} ${day} ${year} ${hour}:${minute}:${second}.${micro}`,
        Size: about.size,
        Location: location,
      },
    })
  }
  return found.sort((a, b) => (a.order < b.order ? 1 : -1))
}

async function filesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

const numbered = (backups: readonly Backup[], limit: number | undefined): Dict =>
  new Dict(backups.slice(0, limit).map((backup, index) => [index, backup] as [Value, Value]))

/** The copies of a file by number, the latest 0. */
export async function backupsOf(path: string, root: string, limit?: number): Promise<Dict> {
  const [head, tail] = splitPath(path)
  const copies = await copiesIn(joinPath(root, head.replace(/^\//, '')))
  return numbered(
    copies.filter(({ name }) => name === tail).map(({ backup }) => backup),
    limit,
  )
}

/** The copies of every file of a directory, by the file's name. */
export async function backupsIn(path: string, root: string, limit?: number): Promise<Mapping> {
  const [head] = splitPath(path)
  const copies = await copiesIn(joinPath(root, head.replace(/^\//, '')))
  const names = [...new Set(copies.map(({ name }) => name))].sort()
  return Object.fromEntries(
    names.map((name) => [
      name,
      numbered(
        copies.filter((copy) => copy.name === name).map(({ backup }) => backup),
        limit,
      ),
    ]),
  )
}

/** The copy of that number, or Salt's words for why there is none. */
export async function backupNumbered(path: string, root: string, id: string): Promise<Backup | string> {
  if (!/^(?:0|-?[1-9]\d*)$/.test(id)) return `Invalid backup_id '${id}'`
  const found = (await backupsOf(path, root)).get(Number(id))
  return found === undefined ? `backup_id '${id}' does not exist for ${path}` : (found as Backup)
}

/** `file.delete_backup`. */
export async function deleteBackup(path: string, root: string, id: string): Promise<Mapping> {
  const found = await backupNumbered(path, root, id)
  if (typeof found === 'string') return { result: false, comment: found }
  try {
    await rm(found.Location)
    return { result: true, comment: `Successfully removed ${found.Location}` }
  } catch (error) {
    return { result: false, comment: `Unable to remove ${found.Location}: ${osErrorText(error)}` }
  }
}

/** Where the copies lie: in the minion's cache. */
export function backupRoot(opts: Mapping): string {
  if (typeof opts.cachedir !== 'string') {
    throw new BrineError(
      `cachedir must be a path, not ${String(opts.cachedir)}. Set it in the minion's configuration.`,
      {
        code: 'config',
      },
    )
  }
  return joinPath(opts.cachedir, 'file_backup')
}
