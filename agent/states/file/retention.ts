// `file.retention_schedule`: of the files in a directory only those that a schedule of backups keeps.
import { lstat, readdir, rm } from 'node:fs/promises'
import { pythonRepr, type Value } from '../../../core/value/index.ts'
import { parseDate } from '../../date-format.ts'
import { isDirectory, joinPath } from '../../filesystem/paths.ts'
import { type Arguments, integerOf } from '../../modules/arguments.ts'
import { PythonError } from '../../modules/errors.ts'
import { wrong } from '../outcome.ts'
import { defineState, type StateCall, type StateReturn, slsExample } from '../state-module.ts'
import { mapIfAny, nameOf } from './outcome.ts'

/** A file and when it was made, in the parts by which it is looked for. */
interface Backup {
  readonly name: string
  readonly at: number
  /** Year, month, day, hour. */
  readonly parts: readonly number[]
  /** Year and week of the year. */
  readonly week: readonly number[]
}

/** The week of the year by ISO 8601. */
function weekOf(year: number, month: number, day: number): number {
  const date = new Date(Date.UTC(year, month - 1, day))
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7))
  return Math.ceil(((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000 + 1) / 7)
}

function backup(name: string, at: number, parts: readonly [number, number, number, number]): Backup {
  return { name, at, parts, week: [parts[0], weekOf(parts[0], parts[1], parts[2])] }
}

/** The time of each file: by its name where there is a pattern for names, else by its last change. */
async function timeOf(directory: string, name: string, format: string | undefined): Promise<Backup | undefined> {
  const at =
    format === undefined
      ? (await lstat(joinPath(directory, name)).catch(() => undefined))?.mtimeMs
      : parseDate(name, format)
  if (at === undefined) return undefined
  const date = new Date(at)
  return backup(name, at, [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours()])
}

/** The first file of each of the newest `count` periods, a period being the files whose first `depth` parts agree. */
function firsts(all: readonly Backup[], parts: (one: Backup) => readonly number[], depth: number, count: number) {
  const periods = new Map<string, Backup>()
  const newestFirst = [...all].sort((a, b) => compare([...parts(b), b.at], [...parts(a), a.at]))
  for (const one of newestFirst) periods.set(parts(one).slice(0, depth).join('/'), one)
  return [...periods.values()].slice(0, Math.max(0, count))
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((part, index) => part !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

const depths: Readonly<Record<string, number>> = {
  first_of_year: 1,
  first_of_month: 2,
  first_of_day: 3,
  first_of_hour: 4,
}

function keptBy(rule: string, count: Value, all: readonly Backup[]): readonly Backup[] {
  const number = count === 'all' ? Number.MAX_SAFE_INTEGER : integerOf(count)
  // One more than asked for, as in Salt: the week that has begun does not count.
  if (rule === 'first_of_week') return firsts(all, ({ week }) => week, 2, number + 1)
  // Two files of one moment are two, where Salt would forget one of them and delete it.
  if (rule === 'most_recent') return [...all].sort((a, b) => b.at - a.at).slice(0, Math.max(0, number))
  const depth = depths[rule]
  if (depth === undefined) throw new PythonError('KeyError', pythonRepr(rule))
  return firsts(all, ({ parts }) => parts, depth, number)
}

async function scheduled(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = await nameOf(args)
  if (name === '') return wrong(name, 'Must provide name to file.retention_schedule')
  if (!(await isDirectory(name))) return wrong(name, 'Name provided to file.retention must be a directory')
  if (args.value('timezone') !== null && args.value('timezone') !== 'None')
    return wrong(name, "The 'timezone' option is not available: times are those of this machine's zone.")
  const format = args.textIfAny('strptime_format')
  const all: Backup[] = []
  const ignored = ['.', '..']
  for (const file of await readdir(name)) {
    const one = await timeOf(name, file, format)
    if (one === undefined) ignored.push(file)
    else all.push(one)
  }
  const retain = mapIfAny(args.value('retain')) ?? {}
  const kept = new Set(
    Object.entries(retain).flatMap(([rule, count]) => keptBy(rule, count, all).map((one) => one.name)),
  )
  const newestFirst = (names: Iterable<string>): string[] => [...names].sort().reverse()
  const deleted = newestFirst(all.map((one) => one.name).filter((one) => !kept.has(one)))
  const changes = deleted.length === 0 ? {} : { retained: newestFirst(kept), deleted, ignored: newestFirst(ignored) }
  if (call.test) {
    const comment = `${deleted.length} backups would have been removed from ${name}.\n`
    return { name, changes, result: deleted.length > 0 ? null : true, comment }
  }
  for (const file of deleted) await rm(joinPath(name, file), { recursive: true, force: true })
  return { name, changes, result: true, comment: `${deleted.length} backups were removed from ${name}.\n` }
}

/** `file.retention_schedule`. */
export const retentionState = defineState(
  'name, retain, strptime_format=None, timezone=None',
  `Of the files in a directory only those stay that a schedule of backups keeps.

retain
    What is kept: \`\`most_recent\`\`, and \`\`first_of_hour\`\`, \`\`first_of_day\`\`, \`\`first_of_week\`\`, \`\`first_of_month\`\`, \`\`first_of_year\`\` with how many of them, or \`\`all\`\`.
strptime_format
    How the time stands in the names; files with other names are left alone. Without it every file counts, at the time of its last change.${slsExample(`
/var/backups/example_directory:
  file.retention_schedule:
    - retain:
        most_recent: 5
        first_of_day: 7
        first_of_year: all
    - strptime_format: example_name_%Y%m%dT%H%M%S.tar.bz2`)}`,
  scheduled,
)
