// Salt's `reactor:` option as a list of globs and the files they lead to.
import { entries, isList, isMap, pythonStr, size, type Value } from '../value/index.ts'
import { type EntryConditions, readConditions } from './entry-conditions.ts'

/**
 * A glob on event tags and the SLS files it leads to, as written: paths, file globs or `salt://` references. What is asked
 * beside the glob is there where the entry was written as a map.
 */
export interface ReactorEntry extends EntryConditions {
  readonly glob: string
  readonly files: readonly string[]
  /** It was written as one text instead of a list, and is shown so. */
  readonly isText?: true
}

/** The reactor's configuration: entries in the order they were written. The order decides what is rendered first. */
export interface ReactorConfig {
  readonly entries: readonly ReactorEntry[]
}

/** An entry, or a part of one, that leads to no reaction. Salt skips it silently; Brine skips it and says so. */
export interface ReactorConfigProblem {
  /** The entry's place in the list from 0, or -1 where the option itself is wrong. */
  readonly index: number
  readonly message: string
  /** What nobody can have meant: it is not skipped in silence, the configuration is refused. */
  readonly isError?: true
}

const SHAPE = 'Write it as a list of `- <glob>: [<file>, …]`.'

/** Reads the `reactor:` option. Whatever is malformed is left out and reported; nothing is thrown. */
export function parseReactorConfig(option: Value): { config: ReactorConfig; problems: ReactorConfigProblem[] } {
  const problems: ReactorConfigProblem[] = []
  if (option === null) return { config: { entries: [] }, problems }
  if (!isList(option)) {
    problems.push({ index: -1, message: `reactor is ${kindOf(option)}, not a list, so nothing matches. ${SHAPE}` })
    return { config: { entries: [] }, problems }
  }
  const parsed: ReactorEntry[] = []
  for (const [index, item] of option.entries()) {
    const report: Report = (message, isError) => problems.push({ index, message, ...(isError ? { isError } : {}) })
    const entry = parseEntry(item, report)
    if (entry !== undefined) parsed.push(entry)
  }
  return { config: { entries: parsed }, problems }
}

type Report = (message: string, isError?: true) => void

function parseEntry(item: Value, report: Report): ReactorEntry | undefined {
  if (!isMap(item)) {
    report(`The entry is ${kindOf(item)}, not a map, and is skipped. ${SHAPE}`)
    return undefined
  }
  const [first, ...others] = entries(item)
  if (first === undefined || others.length > 0) {
    report(`The entry has ${size(item)} keys, not one, and is skipped. ${SHAPE}`)
    return undefined
  }
  const [glob, value] = first
  if (typeof glob !== 'string') {
    report(`The glob ${pythonStr(glob)} is ${kindOf(glob)}, not text, and is skipped. Put it in quotes.`)
    return undefined
  }
  if (isMap(value)) {
    const { sls, conditions, problems } = readConditions(value)
    for (const problem of problems) report(`'${glob}': ${problem}`, true)
    return problems.length > 0 ? undefined : { glob, files: filesOf(glob, sls, report), ...conditions }
  }
  return { glob, files: filesOf(glob, value, report), ...(typeof value === 'string' ? { isText: true } : {}) }
}

function filesOf(glob: string, value: Value, report: Report): string[] {
  if (typeof value === 'string') return [value]
  if (!isList(value)) {
    report(`'${glob}' leads to ${kindOf(value)}, not to a file or a list of files, and so to nothing. ${SHAPE}`)
    return []
  }
  const files: string[] = []
  for (const file of value) {
    if (typeof file === 'string') files.push(file)
    else report(`'${glob}' lists ${pythonStr(file)}, which is ${kindOf(file)}, not a file, and is skipped. ${SHAPE}`)
  }
  return files
}

function kindOf(value: Value): string {
  if (value === null) return 'empty'
  if (isList(value)) return 'a list'
  if (isMap(value)) return 'a map'
  if (typeof value === 'string') return 'text'
  return typeof value === 'boolean' ? 'a boolean' : 'a number'
}
