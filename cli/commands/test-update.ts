// `brine test --update`: what reactors do now, written into the cases that expect something else.
import { composeYaml } from '../../core/render/yaml/composer.ts'
import { dumpYaml } from '../../core/render/yaml/index.ts'
import { type Chunk, compileSls, type Trial } from '../../core/sls/index.ts'
import { type Dict, entries, type Mapping, mapOf, pythonStr, type Value } from '../../core/value/index.ts'

/**
 * The text of a test file with the `expect:` of some cases, by their place, replaced by what a trial shows. Everything
 * else, comments included, stays as it was written. The text has to be one that parses as a test file.
 */
export function updatedTests(text: string, name: string, trials: ReadonlyMap<number, Trial>): string {
  const root = composeYaml(text, name)
  const items = root?.kind === 'sequence' ? root.items : []
  let updated = text
  for (const [index, trial] of [...trials].sort(([a], [b]) => b - a)) {
    const item = items[index]
    if (item?.kind !== 'mapping') continue
    const place = item.pairs.findIndex(([key]) => key.kind === 'scalar' && key.text.value === 'expect')
    const key = item.pairs[place]?.[0]
    if (key === undefined) continue
    const next = item.pairs[place + 1]?.[0].at ?? items[index + 1]?.at ?? text.length
    const end = endOfValue(text, key.at, next)
    const column = key.at - lineStart(text, key.at)
    updated = updated.slice(0, key.at) + expectation(trial, column) + updated.slice(end)
  }
  return updated
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** Where the value that begins at a key ends: before the line of what follows, and before the comments above that. */
function endOfValue(text: string, from: number, next: number): number {
  let end = next === text.length ? next : lineStart(text, next)
  for (;;) {
    const start = lineStart(text, end - 1)
    if (start <= from || !/^\s*(?:#.*)?$/.test(text.slice(start, end - 1))) return end
    end = start
  }
}

/** The `expect:` of a trial, its lines below the first indented for a key at that column. */
function expectation({ chunks }: Trial, column: number): string {
  const lines = documentLines(chunks.map(({ chunk }) => chunk))
  if (lines.length === 0) return 'expect: {}\n'
  return ['expect:', ...lines.map((line) => `${' '.repeat(column + 2)}${line}`)].map((line) => `${line}\n`).join('')
}

/** One document where no id stands twice, else one for each reaction; with their order written where it is not the usual. */
function documentLines(chunks: readonly Chunk[]): string[] {
  const ordered = isUsualOrder(chunks) ? chunks.map((chunk) => linesOf(chunk, undefined)) : chunks.map(linesOf)
  const isOne = new Set(chunks.map(({ id }) => id)).size === chunks.length
  if (isOne) return ordered.flat()
  return ordered.flatMap(([first = '', ...rest]) => [`- ${first}`, ...rest.map((line) => `  ${line}`)])
}

function linesOf(chunk: Chunk, order: number | undefined): string[] {
  const call = `${chunk.type}.${chunk.fun}:`
  const fields = [...fieldsOf(chunk), ...(order === undefined ? [] : [['order', order + 1] as [Value, Value]])]
  const heading = `${scalar(chunk.id)}:`
  if (fields.length === 0) return [heading, `  ${call} []`]
  return [
    heading,
    `  ${call}`,
    ...fields.flatMap((field) => argumentLines(mapOf([field]))).map((line) => `    ${line}`),
  ]
}

/** What a test compares: everything but where the chunk is from, its order, and a name that is the id. */
function fieldsOf({ low, id }: Chunk): [Value, Value][] {
  const heading = new Set<Value>(['state', 'fun', '__id__', '__sls__', 'order'])
  return entries(low).filter(([key, value]) => !heading.has(key) && !(key === 'name' && value === id))
}

function argumentLines(argument: Mapping | Dict): string[] {
  const [first = '', ...rest] = dumpYaml(argument).trimEnd().split('\n')
  return [`- ${first}`, ...rest.map((line) => `  ${line}`)]
}

function scalar(text: string): string {
  return dumpYaml({ [text]: null }).replace(/: null\n$/, '')
}

/** Whether the chunks come in the same order when only their arguments are written. */
function isUsualOrder(chunks: readonly Chunk[]): boolean {
  const documents = chunks.map((chunk, index) => ({
    name: String(index),
    document: {
      [chunk.id]: { [`${chunk.type}.${chunk.fun}`]: fieldsOf(chunk).map((field) => mapOf([field])) },
    } as Mapping,
  }))
  const label = ({ id, type, fun, name }: Chunk): string => [id, type, fun, name].map(pythonStr).join('\n')
  return compileSls(documents).chunks.map(label).join('\n\n') === chunks.map(label).join('\n\n')
}
