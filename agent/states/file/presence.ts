// Whether something is there: `absent`, `missing`, `exists`, `touch`, `tidied`.
import { readdir } from 'node:fs/promises'
import { messageOf } from '../../../core/error.ts'
import { isInteger, pythonStr, type Value } from '../../../core/value/index.ts'
import { makeParents } from '../../filesystem/directories.ts'
import { remove, removeEmpty, touch as touchFile } from '../../filesystem/move.ts'
import {
  directoryName,
  exists,
  isDirectory,
  isLink,
  isRegularFile,
  joinPath,
  lstatOf,
  statOf,
} from '../../filesystem/paths.ts'
import { textPattern } from '../../filesystem/pattern.ts'
import { fileStats } from '../../filesystem/stats.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { timeOf } from '../../modules/file/change.ts'
import type { Managed } from '../../modules/file/manage.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { begun, ended, failed, nameOf, notAbsolute, textsOf } from './outcome.ts'

async function gone(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name)
  if (name === '') return failed(ret, 'Must provide name to file.absent')
  if (!name.startsWith('/')) return failed(ret, notAbsolute(name))
  if (name === '/') return failed(ret, 'Refusing to make "/" absent')
  const isFile = (await isRegularFile(name)) || (await isLink(name))
  if (!isFile && !(await isDirectory(name))) return ended(ret, true, `File ${name} is not present`)
  const what = isFile ? 'file' : 'directory'
  const changes = { removed: name }
  if (call.test) return ended(ret, null, `${isFile ? 'File' : 'Directory'} ${name} is set for removal`, changes)
  try {
    await remove(name)
  } catch (error) {
    return failed(ret, messageOf(error))
  }
  return ended(ret, true, `Removed ${what} ${name}`, changes)
}

/** Makes an empty file and sets its times. */
export async function touched(
  name: string,
  times: { atime: Value; mtime: Value; makedirs: boolean },
  test: boolean,
): Promise<Managed> {
  const ret = begun(name)
  if (name === '') return failed(ret, 'Must provide name to file.touch')
  if (!name.startsWith('/')) return failed(ret, notAbsolute(name))
  if (test) return wouldTouch(ret, name, times)
  if (times.makedirs) await makeParents(name, {})
  if (!(await isDirectory(directoryName(name)))) return failed(ret, `Directory not present to touch file ${name}`)
  const there = await exists(name)
  await touchFile(name, timeOf(times.atime), timeOf(times.mtime))
  if (!there) return ended(ret, true, `Created empty file ${name}`, { new: name })
  const what = (await isDirectory(name)) ? 'directory' : 'file'
  return ended(ret, true, `Updated times on ${what} ${name}`, { touched: name })
}

async function wouldTouch(
  ret: Managed,
  name: string,
  { atime, mtime }: { atime: Value; mtime: Value },
): Promise<Managed> {
  if (!(await exists(name))) return ended(ret, null, `File ${name} is set to be created`, { new: name })
  const now = await fileStats(name, undefined, false)
  const differs = (wanted: Value, is: Value): boolean => wanted !== null && pythonStr(wanted) !== pythonStr(is)
  if (differs(atime, now.atime) || differs(mtime, now.mtime)) {
    return ended(ret, null, `Times set to be updated on file ${name}`, { touched: name })
  }
  return ended(ret, true, `File ${name} exists and has the correct times`, { new: name })
}

interface Tidying {
  readonly age: number
  readonly size: number
  readonly isOld: (age: number, size: number) => boolean
  readonly matches: (name: string, path: string) => boolean
  readonly time: 'atimeMs' | 'mtimeMs' | 'ctimeMs'
  readonly directories: boolean
  readonly links: boolean
  readonly follow: boolean
}

function sizeOf(value: Value): number {
  if (isInteger(value) || typeof value === 'number') return Number(value)
  const [, digits = '0', unit = ''] = /^\s*([\d.]+)\s*([a-z]*)/i.exec(pythonStr(value)) ?? []
  const binary = /^[kmgtpezy]i?$|^[kmgtpezy]ib$/i.test(unit) || unit === ''
  const power = 'bkmgtpezy'.indexOf((unit[0] ?? 'b').toLowerCase())
  return Math.trunc(Number(digits) * (binary ? 1024 : 1000) ** Math.max(0, power))
}

function tidyingOf(args: Arguments): Tidying {
  const list = (name: string): string[] => textsOf(args.value(name) ?? [])
  const wanted = (args.value('matches') === null ? ['.*'] : list('matches')).map((text) => textPattern(text))
  const unwanted = list('exclude').map((text) => textPattern(text))
  const begins = (patterns: readonly RegExp[], text: string): boolean =>
    patterns.some((one) => one.exec(text)?.index === 0)
  const [age, size] = [args.integer('age'), sizeOf(args.value('size'))]
  const only = args.text('age_size_only').toLowerCase()
  const both = args.text('age_size_logical_operator').toUpperCase() === 'AND'
  const whole = args.is('full_path_match')
  const time = args.text('time_comparison').toLowerCase()
  return {
    age,
    size,
    isOld: (days, bytes) => {
      if (only === 'age') return days >= age
      if (only === 'size') return bytes >= size
      return both ? bytes >= size && days >= age : bytes >= size || days >= age
    },
    matches: (name, path) => begins(wanted, whole ? path : name) && !begins(unwanted, whole ? path : name),
    time: time === 'ctime' ? 'ctimeMs' : time === 'mtime' ? 'mtimeMs' : 'atimeMs',
    directories: args.is('rmdirs'),
    links: args.is('rmlinks'),
    follow: args.is('followlinks'),
  }
}

/** What is to go, what is deepest first. */
async function tidyBelow(root: string, tidying: Tidying): Promise<string[]> {
  const found: string[] = []
  const here: string[] = []
  const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0)
  for (const name of (await readdir(root)).sort()) {
    const path = joinPath(root, name)
    const about = await lstatOf(path)
    if (about === undefined) continue
    const link = about.isSymbolicLink()
    const target = link ? about : ((await statOf(path)) ?? about)
    const isFolder = target.isDirectory()
    if (isFolder || (link && tidying.follow && (await isDirectory(path))))
      found.push(...(await tidyBelow(path, tidying)))
    const days = Math.abs(Math.round((midnight(Date.now()) - midnight(target[tidying.time])) / 86_400_000))
    const may = link ? tidying.links : !isFolder || tidying.directories
    if (may && tidying.isOld(days, link || isFolder ? 0 : target.size) && tidying.matches(name, path)) here.push(path)
  }
  return [...found, ...here]
}

async function tidy(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name)
  if (!name.startsWith('/')) return failed(ret, notAbsolute(name))
  if (!(await isDirectory(name))) return failed(ret, `${name} does not exist or is not a directory.`)
  const all = await tidyBelow(name, tidyingOf(args))
  if (all.length === 0) return ended(ret, true, `Nothing to remove from directory ${name}`)
  if (call.test) return ended(ret, null, `${name} is set for tidy`, { removed: all })
  const removed: string[] = []
  try {
    for (const path of all) {
      await remove(path)
      removed.push(path)
    }
  } catch (error) {
    return failed({ ...ret, changes: { removed } }, messageOf(error))
  }
  return ended(ret, true, `Removed ${all.length} files or directories from directory ${name}`, { removed })
}

/** `file.absent`. */
export const absent = defineState(
  'name, **kwargs',
  `Nothing is there: a file, a link or a directory with all that is in it is removed.${slsExample(`
/etc/old.conf:
  file.absent: []`)}`,
  gone,
)

/** `file.exists`. */
export const existing = defineState(
  'name, **kwargs',
  `Something is there. Nothing is changed: the state fails where nothing is.${slsExample(`
/etc/passwd:
  file.exists: []`)}`,
  async (args) => {
    const name = await nameOf(args)
    if (name === '') return failed(begun(name), 'Must provide name to file.exists')
    if (await exists(name)) return ended(begun(name), true, `Path ${name} exists`)
    return failed(begun(name), `Specified path ${name} does not exist`)
  },
)

/** `file.missing`. */
export const missing = defineState(
  'name, **kwargs',
  `Nothing is there. Nothing is changed: the state fails where something is.${slsExample(`
/etc/nologin:
  file.missing: []`)}`,
  async (args) => {
    const name = await nameOf(args)
    if (name === '') return failed(begun(name), 'Must provide name to file.missing')
    if (await exists(name)) return failed(begun(name), `Specified path ${name} exists`)
    return ended(begun(name), true, `Path ${name} is missing`)
  },
)

/** `file.touch`. */
export const touch = defineState(
  'name, atime=None, mtime=None, makedirs=False',
  `A file is there, and its times are now, or those given (seconds since 1970).

makedirs
    Make the directories above it.${slsExample(`
/var/log/httpd/logrotate.empty:
  file.touch: []`)}`,
  async (args, call) => {
    const times = { atime: args.value('atime'), mtime: args.value('mtime'), makedirs: args.is('makedirs') }
    return touched(await nameOf(args), times, call.test)
  },
)

/** `file.tidied`. */
export const tidied = defineState(
  "name, age=0, matches=None, rmdirs=False, size=0, exclude=None, full_path_match=False, followlinks=False, time_comparison='atime', age_size_logical_operator='OR', age_size_only=None, rmlinks=True, **kwargs",
  `What is old or large is removed from a directory.

age, size
    Days, and bytes (\`\`10k\`\`, \`\`1m\`\`), from which on.
age_size_logical_operator, age_size_only
    \`\`AND\`\`: both; \`\`age\`\` or \`\`size\`\`: the one alone.
matches, exclude, full_path_match
    Lists of expressions for the name, or for the whole path.
rmdirs, rmlinks, followlinks
    Directories too; links too; look behind links.
time_comparison
    \`\`atime\`\`, \`\`mtime\`\` or \`\`ctime\`\`.${slsExample(`
cleanup:
  file.tidied:
    - name: /tmp/salt_test
    - rmdirs: True
    - age: 7
    - matches:
      - foo
      - b.*r`)}`,
  tidy,
)

/** `file.pruned`. */
export const pruned = defineState(
  'name, recurse=False, ignore_errors=False, older_than=None',
  `A directory that is empty is not there.

recurse
    Those below it that are empty too.
ignore_errors
    Remove what is empty below it, though it is not empty itself.
older_than
    Only what has not been changed for so many days.${slsExample(`
/var/cache/app:
  file.pruned:
    - recurse: True`)}`,
  async (args, call) => {
    const name = await nameOf(args)
    const ret = begun(name)
    if (!(await isDirectory(name))) return ended(ret, true, `Directory ${name} is not present`)
    if (call.test) return ended(ret, null, `Directory ${name} is set for removal`, { deleted: name })
    const mayFail = args.is('ignore_errors')
    const recurse = mayFail || args.is('recurse')
    const { deleted, errors, result } = await removeEmpty(name, { recurse, olderThan: args.numberIfAny('older_than') })
    const done = `Recursively removed empty directories under ${name}`
    if (result && !recurse) return ended(ret, true, `Removed directory ${name}`, { deleted: name })
    if (deleted.length > 0 && (result || mayFail)) return ended(ret, true, done, { deleted: deleted.sort() })
    if (result) return ended(ret, true, '')
    return failed({ ...ret, changes: { deleted, errors } }, `Failed to remove directory ${name}`)
  },
)
