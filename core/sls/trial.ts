// What an event would lead to, without running it: the pure part of `reactor.test`.
import { type Dict, entries, type Mapping, pythonStr, stringifyJson, type Value } from '../value/index.ts'
import { type BoundCall, bindCall } from './call.ts'
import type { Chunk } from './chunk.ts'
import { compileSls } from './compile.ts'
import { saltCall } from './salt-call.ts'
import type { Signatures } from './signature.ts'

/** A file that a tag leads to, rendered or not. */
export interface TriedFile {
  readonly glob: string
  readonly name: string
  /** What it rendered to; absent where it did not. */
  readonly text?: string
  readonly document?: Value
  /** Why it did not read, render or parse, with its place. */
  readonly error?: string
}

/** A reaction that would run, or be refused. */
export interface TriedChunk extends BoundCall {
  readonly chunk: Chunk
  /** The file's name. */
  readonly file: string
}

/** What an event would lead to. */
export interface Trial {
  /** Those that contribute nothing have an error. */
  readonly files: readonly TriedFile[]
  /** In the order in which they would start. */
  readonly chunks: readonly TriedChunk[]
}

/** Compiles and binds what the files rendered to. */
export function tryReactions(files: readonly TriedFile[], signatures: Signatures): Trial {
  const rendered = files.flatMap((file, place) => (file.document === undefined ? [] : [{ file, place }]))
  const { chunks, problems } = compileSls(
    rendered.map(({ file }) => ({ name: file.name, document: file.document ?? null })),
  )
  const errors = new Map(problems.map(({ file, message }) => [rendered[file]?.place, message]))
  return {
    files: files.map((file, place) => {
      const error = errors.get(place)
      return error === undefined ? file : { ...file, error }
    }),
    chunks: chunks.map((chunk) => ({
      chunk,
      file: rendered[chunk.file]?.file.name ?? '',
      ...bindCall(chunk, signatures),
    })),
  }
}

/** A trial as data, for `--out json`: per file its text, chunks and calls, or its error. */
export function trialValue({ files, chunks }: Trial): Value {
  return files.map((file): Mapping => {
    const own = chunks.filter((tried) => tried.file === file.name)
    return {
      glob: file.glob,
      sls: file.name,
      ...(file.text === undefined ? {} : { text: file.text }),
      ...(file.error === undefined ? { reactions: own.map(chunkValue) } : { error: file.error }),
    }
  })
}

function chunkValue({ chunk, call, warnings }: TriedChunk): Mapping {
  const salt = saltCall(chunk, call)
  return {
    chunk: chunk.low,
    ...(salt === undefined ? {} : { call: { ...salt } as Mapping }),
    ...(call.kind === 'refused' ? { refused: call.reason } : {}),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}

/** Fields of a chunk that say where it comes from, or repeat the heading. */
const HEADING = new Set<Value>(['state', 'fun', '__id__', '__sls__', 'order'])

/** A chunk for people: `id: type.function`, then its arguments, one a line. */
export function chunkLines(chunk: Chunk): string[] {
  const type = pythonStr(fieldOf(chunk.low, 'state'))
  const fields = entries(chunk.low).filter(
    ([key, value]) => !HEADING.has(key) && !(key === 'name' && value === chunk.id),
  )
  return [`${chunk.id}: ${type}.${chunk.fun}`, ...fields.map(([key, value]) => `  ${pythonStr(key)}: ${inline(value)}`)]
}

function fieldOf(low: Mapping | Dict, key: string): Value {
  return entries(low).find(([name]) => name === key)?.[1] ?? null
}

/** Text as it is where it cannot be taken for anything else, JSON otherwise. */
function inline(value: Value): string {
  if (
    typeof value === 'string' &&
    /^[A-Za-z/_][\w ./:@*?+=%-]*$/.test(value) &&
    !/^(?:true|false|null|none|yes|no|on|off)$/i.test(value)
  ) {
    return value
  }
  return stringifyJson(value, { ascii: false })
}
