// What a suite of golden rows is, and how rows are read and judged.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { messageOf } from '../../core/error.ts'
import { get, isMap, type Mapping, parseJson, pythonStr, type Value } from '../../core/value/index.ts'

/** One row of a golden file, read without loss. */
export type Row = Mapping

/** The files beside the golden rows. */
export interface Companions {
  /** The JSON of a file in the same directory, read once. Throws where it is missing. */
  json(name: string): Value
}

/** What came out where it was not what Salt answered; `undefined` where it was. */
export type Verdict = string | undefined

/** Judges the rows of one kind of file. */
export interface Suite {
  /** The keys that tell rows of this kind, should the file have another name. */
  readonly keys: readonly string[]
  readonly judge: (row: Row, companions: Companions) => Verdict | Promise<Verdict>
}

/** A suite is loaded when a file needs it. */
export type Suites = Readonly<Record<string, () => Promise<{ readonly suite: Suite }>>>

/** A row that failed. */
export interface Failure {
  readonly row: string
  readonly got: string
}

/** How the rows of one file fared. */
export interface FileReport {
  readonly file: string
  readonly passed: number
  readonly failures: readonly Failure[]
  /** Rows of a file that no suite judges; they count neither way. */
  readonly unjudged: number
}

/** The golden files of a directory, sorted; one of them where `only` names it. */
export function goldenFiles(directory: string, only?: string): readonly string[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.jsonl'))
  return files.filter((file) => only === undefined || file === basename(only)).sort()
}

/** Judges every row of a file. A judge that throws fails its row. */
export async function judgeFile(directory: string, file: string, suites: Suites): Promise<FileReport> {
  const lines = readFileSync(join(directory, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const suite = await suiteFor(file, lines[0] ?? '{}', suites)
  if (suite === undefined) return { file, passed: 0, failures: [], unjudged: lines.length }
  const companions = companionsOf(directory)
  const failures: Failure[] = []
  for (const line of lines) {
    const got = await verdict(suite, line, companions)
    if (got !== undefined) failures.push({ row: line, got })
  }
  return { file, passed: lines.length - failures.length, failures, unjudged: 0 }
}

async function verdict(suite: Suite, line: string, companions: Companions): Promise<Verdict> {
  try {
    const row = parseJson(line)
    if (!isMap(row) || row instanceof Map) return 'the row is no map'
    return await suite.judge(row, companions)
  } catch (error) {
    return `threw ${error instanceof Error ? error.name : ''}: ${messageOf(error)}`
  }
}

/** By the file's name, else by the keys of its first row. */
async function suiteFor(file: string, first: string, suites: Suites): Promise<Suite | undefined> {
  const named = suites[file]
  if (named !== undefined) return (await named()).suite
  const row = parseJson(first)
  if (!isMap(row)) return undefined
  for (const load of Object.values(suites)) {
    const { suite } = await load()
    if (suite.keys.every((key) => get(row, key) !== undefined)) return suite
  }
  return undefined
}

function companionsOf(directory: string): Companions {
  const read = new Map<string, Value>()
  return {
    json(name) {
      const known = read.get(name)
      if (known !== undefined) return known
      const path = join(directory, name)
      if (!existsSync(path)) throw new Error(`${name} is missing beside the rows that need it`)
      const value = parseJson(readFileSync(path, 'utf8'))
      read.set(name, value)
      return value
    },
  }
}

/** A row's text at a key; throws where it is none. */
export function text(row: Row, key: string): string {
  const value = get(row, key)
  if (typeof value === 'string') return value
  throw new Error(`the row's ${key} is ${value === undefined ? 'missing' : pythonStr(value)}, not text`)
}
