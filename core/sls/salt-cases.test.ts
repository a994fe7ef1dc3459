// Compiles and binds 235 documents beside what Salt 3008.3 made of the same: chunks first, then calls.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Signature } from '../arguments/signature.ts'
import { BrineError } from '../error.ts'
import { reactorContext, renderSls, yamlTools } from '../render/index.ts'
import {
  Dict,
  get,
  isList,
  isMap,
  type Mapping,
  parseJson,
  pythonEquals,
  pythonStr,
  type Value,
} from '../value/index.ts'
import { bindCall } from './call.ts'
import { compileSls } from './compile.ts'
import { saltCall } from './salt-call.ts'

/** Where Brine differs on purpose, and why. */
const DIFFERS: Readonly<Record<string, string>> = {
  prereq: 'a reaction has no test mode: what is named runs once, after the one that declares prereq',
  prereq2: 'a reaction has no test mode: what is named runs once, after the one that declares prereq',
  two_files_verify: 'a file that does not verify drops its own reactions alone',
  arg_scalar: 'Salt hands the text on and takes it apart into characters; it is one argument',
  arg_num: 'Salt hands the number on and fails on it later; it is one argument',
  arg_null2: 'Salt hands None on and fails on it later; it is no argument',
  arg_map: 'Salt hands the map on and takes its keys; it is one argument',
  c_arg_str: 'Salt takes the text apart into characters; it is one argument',
  kwarg_str: 'Salt fails on it later; it is refused',
  kwarg_list: 'the maps are merged; Salt drops them silently',
  c_kwarg_list: 'the maps are merged; Salt drops them silently',
  w_kwarg_list: 'the maps are merged; Salt drops them silently',
  args_strlist: 'a text is not read as YAML, since it may hold data of the event',
}

const rows = readFileSync(new URL('./salt-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(parseRow)

function parseRow(line: string) {
  const row = parseJson(line) as Mapping
  return {
    case: pythonStr(row.case ?? null),
    texts: isList(row.sls) ? row.sls.map(pythonStr) : [pythonStr(row.sls ?? '')],
    documents: listOf(row.documents).map(decode),
    chunks: listOf(row.chunks),
    calls: listOf(row.calls),
  }
}

function listOf(value: Value | undefined): Value[] {
  return isList(value) ? value : []
}

/** `{"__dict__": [[key, value], …]}` is a map with keys that are not text. */
function decode(value: Value): Value {
  if (isList(value)) return value.map(decode)
  if (!isMap(value)) return value
  const pairs = get(value, '__dict__')
  if (isList(pairs)) return new Dict(pairs.map((pair) => (pair as [Value, Value]).map(decode) as [Value, Value]))
  if (value instanceof Map) return new Dict([...value].map(([key, item]) => [key, decode(item)]))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item)]))
}

const signatures = readFileSync(new URL('../../test/conformance/salt-signatures.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { client: string; fun: string; params: [string, Value?][]; varKwargs: boolean })

function signatureOf(client: 'runner' | 'wheel', fun: string): Signature | undefined {
  const found = signatures.find((entry) => entry.client === client && entry.fun === fun)
  if (found === undefined) return undefined
  const params = found.params.map(([name, value]) => (value === undefined ? { name } : { name, default: value }))
  return { params, varKwargs: found.varKwargs }
}

/** Keys as text, as JSON has them. */
function plain(value: Value): Value {
  if (isList(value)) return value.map(plain)
  if (!isMap(value)) return value
  const pairs = value instanceof Map ? [...value] : Object.entries(value)
  return new Dict(pairs.map(([key, item]) => [pythonStr(key), plain(item)]))
}

function run(documents: readonly Value[]) {
  const single = documents.length === 1
  const files = documents.map((document, index) => ({ name: single ? '<SLS>' : `<SLS${index}>`, document }))
  const good = files.filter(({ document }) => !isMap(document) || get(document, '__error__') === undefined)
  const { chunks, problems } = compileSls(good)
  const bound = chunks.map((chunk) => ({ chunk, ...bindCall(chunk, signatureOf) }))
  return {
    chunks: chunks.map((chunk) => plain(chunk.low)),
    calls: bound.flatMap(({ chunk, call }) => {
      const salt = saltCall(chunk, call)
      return salt === undefined ? [] : [plain({ ...salt } as Mapping)]
    }),
    problems,
  }
}

describe('as Salt 3008', () => {
  it.each(rows.filter((row) => DIFFERS[row.case] === undefined))('$case', ({ documents, chunks, calls }) => {
    const ours = run(documents)
    expect(pythonEquals(ours.chunks, chunks) || ours.chunks).toEqual(true)
    expect(pythonEquals(ours.calls, calls) || ours.calls).toEqual(true)
  })

  it.each(rows.filter((row) => DIFFERS[row.case] !== undefined))('$case differs on purpose', (row) => {
    const ours = run(row.documents)
    expect(pythonEquals(ours.chunks, row.chunks) && pythonEquals(ours.calls, row.calls)).toBe(false)
  })
})

/** Files that Brine renders differently on purpose, and why. */
const RENDERED_OTHERWISE: Readonly<Record<string, string>> = {
  shebang_py: '#!py runs Python, and is refused',
  shebang_jjy: 'jinja twice would take data of the event for a template',
  ctx: 'the captured name of the file is another',
}

describe('rendered as by Salt 3008', () => {
  it.each(rows.filter((row) => RENDERED_OTHERWISE[row.case] === undefined))('$case', ({ texts, documents }) => {
    const facts = { tag: 'salt/minion/web01/start', data: { id: 'web01' }, grains: {}, pillar: {}, opts: {} }
    for (const [index, text] of texts.entries()) {
      const environment = { context: reactorContext('x.sls', facts), yaml: yamlTools, salt: { pure: {} } }
      const expected = documents[index] ?? null
      expect(renderedOr(text, environment)).toEqual(
        isMap(expected) && get(expected, '__error__') !== undefined ? {} : expected,
      )
    }
  })
})

/** The document; an empty map for what fails, as nothing comes of either. */
function renderedOr(text: string, environment: Parameters<typeof renderSls>[1]): Value {
  try {
    return renderSls({ name: 'x.sls', text }, environment).document
  } catch (error) {
    if (error instanceof BrineError) return {}
    throw error
  }
}
