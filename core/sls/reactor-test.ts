// `*.test.yml`: events, and the reactions that a reactor set is expected to have to them.
import { nearest } from '../config/nearest.ts'
import { messageOf } from '../error.ts'
import { loadYaml } from '../render/yaml/index.ts'
import {
  type Dict,
  entries,
  get,
  isList,
  isMap,
  type Mapping,
  pythonEquals,
  pythonStr,
  type Value,
} from '../value/index.ts'
import type { Chunk } from './chunk.ts'
import { compileSls } from './compile.ts'
import { diffLines } from './line-diff.ts'
import { chunkLines, type Trial } from './trial.ts'

/** One case of a test file. */
export interface ReactorCase {
  readonly name: string
  readonly tag: string
  readonly data: Mapping | Dict
  /** Only these files of those that match; all where it is absent. */
  readonly sls?: readonly string[]
  readonly grains: Mapping | Dict
  readonly pillar: Mapping | Dict
  /** What functions of `salt[…]` answer, by name, whatever they are asked. */
  readonly salt: ReadonlyMap<string, Value>
  /** SLS documents without Jinja whose chunks are those expected; none for no reaction. */
  readonly expect: readonly Value[]
  /** Text of the error that a file is expected to fail with. */
  readonly error?: string
}

/** A file of cases, or why it is none. */
export type ReactorTestFile =
  | { readonly kind: 'cases'; readonly cases: readonly ReactorCase[] }
  | { readonly kind: 'broken'; readonly message: string }

/** How a case fared. The lines tell a person why it failed. */
export interface ReactorVerdict {
  readonly passed: boolean
  readonly lines: readonly string[]
}

const KEYS = ['name', 'tag', 'data', 'sls', 'grains', 'pillar', 'salt', 'expect', 'error']

/** Reads a test file: a list of cases with `tag`, `data` and `expect`. */
export function parseReactorTests(text: string, name: string): ReactorTestFile {
  let document: Value
  try {
    document = loadYaml(text, { name })
  } catch (error) {
    return { kind: 'broken', message: messageOf(error) }
  }
  if (!isList(document))
    return { kind: 'broken', message: `${name} holds no list of cases. Write \`- tag: …\` for each.` }
  const cases: ReactorCase[] = []
  for (const [index, item] of document.entries()) {
    const parsed = parseCase(item, index)
    if (typeof parsed === 'string') return { kind: 'broken', message: `${name}, case ${index + 1}: ${parsed}` }
    cases.push(parsed)
  }
  return { kind: 'cases', cases }
}

function parseCase(item: Value, index: number): ReactorCase | string {
  if (!isMap(item)) return 'it is no map. Write `tag:`, `data:` and `expect:`.'
  const unknown = entries(item)
    .map(([key]) => pythonStr(key))
    .find((key) => !KEYS.includes(key))
  if (unknown !== undefined)
    return `there is no key ${unknown}. It may have ${nearest(unknown, KEYS) ?? KEYS.join(', ')}.`
  const tag = get(item, 'tag')
  if (typeof tag !== 'string' || tag === '') return 'it has no tag. Write `tag: salt/auth`.'
  const error = get(item, 'error')
  const expect = get(item, 'expect')
  if (expect === undefined && error === undefined)
    return 'it expects nothing. Write `expect: {}` for no reaction, or `error:`.'
  const sls = get(item, 'sls')
  const name = get(item, 'name')
  const maps = ['data', 'grains', 'pillar', 'salt'].map((key) => get(item, key) ?? {})
  const [data, grains, pillar, salt] = maps
  if (!isMap(data) || !isMap(grains) || !isMap(pillar) || !isMap(salt)) return 'data, grains, pillar and salt are maps.'
  return {
    name: name === undefined ? `case ${index + 1}: ${tag}` : pythonStr(name),
    tag,
    data,
    grains,
    pillar,
    salt: new Map(entries(salt).map(([key, value]) => [pythonStr(key), value])),
    expect: documentsOf(expect),
    ...(sls === undefined ? {} : { sls: (isList(sls) ? sls : [sls]).map(pythonStr) }),
    ...(error === undefined ? {} : { error: pythonStr(error) }),
  }
}

function documentsOf(expect: Value | undefined): Value[] {
  if (expect === undefined || expect === null) return []
  return isList(expect) ? expect : [expect]
}

/** Whether a file belongs to a case: named by its path, or by the end of it. */
export function isFileOf({ sls }: ReactorCase, name: string): boolean {
  return sls === undefined || sls.some((wanted) => name === wanted || name.endsWith(`/${wanted}`))
}

/** Compares what an event would lead to with what a case expects: the same chunks in the same order. */
export function judgeReactorCase(expected: ReactorCase, trial: Trial): ReactorVerdict {
  const errors = trial.files.flatMap(({ name, error }) =>
    error === undefined ? [] : [error.startsWith(name) ? error : `${name}: ${error}`],
  )
  const wanted = expected.error
  if (wanted !== undefined) {
    if (errors.some((error) => error.includes(wanted))) return { passed: true, lines: [] }
    return { passed: false, lines: [`- an error with: ${wanted}`, ...errors.map((error) => `+ ${error}`)] }
  }
  if (errors.length > 0)
    return { passed: false, lines: errors.flatMap((error) => error.split('\n')).map((line) => `! ${line}`) }
  const documents = expected.expect.map((document, index) => ({ name: `expect ${index + 1}`, document }))
  const { chunks, problems } = compileSls(documents)
  if (problems.length > 0)
    return { passed: false, lines: problems.map(({ message }) => `! what is expected is wrong: ${message}`) }
  const got = trial.chunks.map(({ chunk }) => chunk)
  if (sameChunks(chunks, got)) return { passed: true, lines: [] }
  return { passed: false, lines: diffLines(chunks.flatMap(chunkLines), got.flatMap(chunkLines)) }
}

function sameChunks(expected: readonly Chunk[], got: readonly Chunk[]): boolean {
  return expected.length === got.length && expected.every((chunk, index) => sameChunk(chunk, got[index]))
}

/** All but the file has to agree, and the order stands in their sequence. */
function sameChunk(expected: Chunk, got: Chunk | undefined): boolean {
  if (got === undefined) return false
  const [left, right] = [expected, got].map(({ low }) => {
    return entries(low).filter(([key]) => key !== '__sls__' && key !== 'order')
  })
  if (left === undefined || right === undefined || left.length !== right.length) return false
  return left.every(([key, value]) =>
    right.some(([other, seen]) => pythonEquals(key, other) && pythonEquals(value, seen)),
  )
}
