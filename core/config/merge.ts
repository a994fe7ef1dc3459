// Several configuration files as one, by Salt's rules, remembering which file each key came from.
import { messageOf } from '../error.ts'
import { loadYaml, YamlError } from '../render/yaml/index.ts'
import {
  Dict,
  dictGet,
  dictKey,
  entries,
  isList,
  isMap,
  mapOf,
  pythonEquals,
  pythonStr,
  type Value,
} from '../value/index.ts'
import type { ConfigProblem } from './problem.ts'

/** A configuration file as it was read. */
export interface ConfigFile {
  readonly name: string
  readonly text: string
  /** Which of Salt's three layers it belongs to. @default `parts` where the name ends with `.conf`, else `main` */
  readonly layer?: 'main' | 'parts' | 'included'
  /** What it includes and is not there. */
  readonly missing?: readonly string[]
}

/** A value and where it was written. */
export interface Written {
  readonly value: Value
  readonly file: string
  readonly line?: number
}

/**
 * The keys of a main file, of the `.conf` files of its `.d` folder, and of what it includes, in the order given. Within a
 * layer, maps are merged deeply and lists joined without repeats; what a later layer holds then replaces the keys of those
 * before as a whole. A key so replaced is reported, since Salt does it silently. A file that is no YAML or no map is an
 * error and contributes nothing.
 */
export function mergeFiles(files: readonly ConfigFile[], problems: ConfigProblem[]): Map<string, Written> {
  const layers = { main: new Map<string, Written>(), parts: new Map(), included: new Map() }
  for (const file of files) {
    const into: Map<string, Written> = layers[file.layer ?? (file.name.endsWith('.conf') ? 'parts' : 'main')]
    for (const missing of file.missing ?? []) {
      const message = `include: ${missing} names no file. Write it, or take it out.`
      problems.push({ severity: 'warning', file: file.name, message })
    }
    for (const [key, written] of readFile(file, problems)) {
      const earlier = into.get(key)
      into.set(key, earlier === undefined ? written : { ...written, value: mergeValues(earlier.value, written.value) })
    }
  }
  const all = layers.main
  for (const [key, written] of [...layers.parts, ...layers.included]) {
    const replaced = all.get(key)
    if (replaced !== undefined && key !== 'include') problems.push(replacedWarning(key, replaced, written))
    all.set(key, written)
  }
  return all
}

function replacedWarning(key: string, replaced: Written, by: Written): ConfigProblem {
  const message = `${key} is replaced as a whole by ${by.file}. Write it in one of the two.`
  return { severity: 'warning', file: replaced.file, ...lineOf(replaced), message }
}

function lineOf({ line }: Written): { line?: number } {
  return line === undefined ? {} : { line }
}

function readFile({ name, text }: ConfigFile, problems: ConfigProblem[]): Map<string, Written> {
  const document = parse(name, text, problems)
  if (document === undefined || document === null) return new Map()
  if (!isMap(document)) {
    const message = `The file holds ${pythonStr(document).slice(0, 80)}, not keys and values. Write \`<key>: <value>\`.`
    problems.push({ severity: 'error', file: name, line: 1, message })
    return new Map()
  }
  const lines = keyLines(text)
  return new Map(
    entries(document).map(([key, value]) => {
      const line = lines.get(pythonStr(key))
      return [pythonStr(key), { value, file: name, ...(line === undefined ? {} : { line }) }]
    }),
  )
}

function parse(file: string, text: string, problems: ConfigProblem[]): Value | undefined {
  try {
    return loadYaml(text)
  } catch (error) {
    const line = error instanceof YamlError ? error.line : undefined
    const message = `This is not YAML: ${messageOf(error)}`
    problems.push({ severity: 'error', file, ...(line === undefined ? {} : { line }), message })
    return undefined
  }
}

/** The lines on which keys stand at the margin. */
function keyLines(text: string): Map<string, number> {
  const lines = new Map<string, number>()
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const match = /^(?:"([^"]+)"|'([^']+)'|([^\s#'"[\]{}&*!|>%@,-][^#]*?))\s*:(?:\s|$)/.exec(line)
    const key = match?.[1] ?? match?.[2] ?? match?.[3]
    if (key !== undefined) lines.set(key, index + 1)
  }
  return lines
}

/** Salt's `dictupdate.update` with `merge_lists`. */
function mergeValues(earlier: Value, later: Value): Value {
  if (isList(earlier) && isList(later)) {
    return [...earlier, ...later.filter((item) => !earlier.some((known) => pythonEquals(known, item)))]
  }
  if (!isMap(earlier) || !isMap(later)) return later
  const merged = new Dict(entries(earlier))
  for (const [key, value] of entries(later)) {
    const known = dictGet(merged, key)
    merged.set(dictKey(merged, key) ?? key, known === undefined ? value : mergeValues(known, value))
  }
  return mapOf(merged)
}
