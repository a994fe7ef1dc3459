// reactor-edge.jsonl: SLS files and an event → the chunks, then the calls; file globs and configurations as well.
import { readFileSync } from 'node:fs'
import type { Signature } from '../../../core/arguments/signature.ts'
import { BrineError } from '../../../core/error.ts'
import { reactorContext, renderSls, yamlTools } from '../../../core/render/index.ts'
import { entryMatcher } from '../../../core/sls/entry-matcher.ts'
import {
  bindCall,
  compileSls,
  expandFileGlob,
  parseReactorConfig,
  type SlsDocument,
  saltCall,
} from '../../../core/sls/index.ts'
import { entries, get, isList, isMap, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { fingerprint, goldenValue } from '../golden-value.ts'
import { type Row, type Suite, text, type Verdict } from '../suite.ts'

export const suite: Suite = {
  keys: ['n', 'case', 'chunks'],
  judge(row) {
    if (get(row, 'reactor') !== undefined) return judgeConfig(row)
    return get(row, 'ref') === undefined ? judgeFiles(row) : judgeGlob(row)
  },
}

/** Which files each tag leads to. Where Salt dies on an entry, ours has to be reported. */
function judgeConfig(row: Row): Verdict {
  const { config, problems } = parseReactorConfig(get(row, 'reactor') ?? null)
  const expected = get(row, 'result') ?? {}
  if (!isMap(expected)) return problems.length > 0 ? undefined : 'no problem was reported'
  const matching = entryMatcher(config.entries)
  const wrong = entries(expected).flatMap(([tag, files]) => {
    const got = matching(pythonStr(tag)).flatMap((index) => config.entries[index]?.files ?? [])
    const isRight = isList(files) ? fingerprint(got) === fingerprint(files) : problems.length > 0
    return isRight ? [] : [`${pythonStr(tag)}: ${fingerprint(got)}`]
  })
  return wrong.length === 0 ? undefined : wrong.join('; ')
}

/** The row has no files: they are made of its chunks, one each, and listed backwards. */
function judgeGlob(row: Row): Verdict {
  const chunks = listOf(get(row, 'chunks')).filter(isPlain)
  const files = new Map(chunks.map((chunk) => [text(chunk, '__sls__'), documentOf(chunk)]))
  const found = expandFileGlob(text(row, 'ref'), [...files.keys()].reverse())
  return difference('chunks', chunks, chunksOf(found.map((name) => ({ name, document: files.get(name) ?? null }))).lows)
}

function documentOf(chunk: Mapping): Value {
  const { state, fun, __id__, name: _name, __sls__: _sls, order: _order, ...args } = chunk
  return { [pythonStr(__id__ ?? '')]: { [`${pythonStr(state ?? '')}.${pythonStr(fun ?? '')}`]: [args] } }
}

function judgeFiles(row: Row): Verdict {
  const texts = listOf(get(row, 'sls')).map(pythonStr)
  const files = texts.map((sls, index) => ({ name: texts.length === 1 ? '<SLS>' : `<SLS${index}>`, text: sls }))
  const { lows, calls } = chunksOf(files.flatMap((file) => rendered(file, row)))
  const settle = texts.length === 1 ? (value: Value) => value : nameless
  return (
    difference('chunks', listOf(get(row, 'chunks')).map(settle), lows.map(settle)) ??
    difference('calls', listOf(get(row, 'calls')).map(settle).map(oneArgument), calls.map(settle))
  )
}

/** The file's document; nothing for a file that does not render, as in Salt. */
function rendered(file: { name: string; text: string }, row: Row): SlsDocument[] {
  const [data, empty] = [get(row, 'data'), {}]
  const facts = { tag: text(row, 'tag'), data: isMap(data) ? data : empty, grains: empty, pillar: empty, opts: empty }
  const environment = { context: reactorContext(file.name, facts), yaml: yamlTools, salt: { pure: {} } }
  try {
    return [{ name: file.name, document: renderSls(file, environment).document }]
  } catch (error) {
    if (error instanceof BrineError) return []
    throw error
  }
}

function chunksOf(documents: readonly SlsDocument[]): { lows: Value[]; calls: Value[] } {
  const { chunks } = compileSls(documents)
  const calls = chunks.flatMap((chunk): Value[] => {
    const call = saltCall(chunk, bindCall(chunk, signatureOf).call)
    return call === undefined ? [] : [{ ...call } as Mapping]
  })
  return { lows: chunks.map(({ low }) => low), calls }
}

/** With several files, the rows do not say which one is meant. */
function nameless(value: Value): Value {
  if (typeof value === 'string') return value.replace(/<SLS\w*>/g, '<SLS>')
  if (isList(value)) return value.map(nameless)
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, nameless(item)]))
}

/** An `arg` that is no list is one argument in Brine; Salt hands it on and fails on it later. */
function oneArgument(call: Value): Value {
  if (!isPlain(call)) return call
  const key = 'low' in call ? 'low' : 'kwargs'
  const inner = call[key]
  const arg = inner !== undefined && isPlain(inner) ? inner.arg : undefined
  if (inner === undefined || !isPlain(inner) || arg === undefined || isList(arg)) return call
  return { ...call, [key]: { ...inner, arg: arg === null ? [] : [arg] } }
}

function difference(what: string, expected: readonly Value[], got: readonly Value[]): Verdict {
  const mine = fingerprint(got.map(goldenValue))
  return mine === fingerprint(expected.map(goldenValue)) ? undefined : `${what} ${mine}`
}

function listOf(value: Value | undefined): Value[] {
  return isList(value) ? value : []
}

function isPlain(value: Value): value is Mapping {
  return isMap(value) && !(value instanceof Map)
}

interface WrittenSignature {
  readonly client: string
  readonly fun: string
  readonly params: readonly (readonly [string, Value?])[]
  readonly varKwargs: boolean
}

let signatures: Map<string, Signature> | undefined

/** Salt's runner and wheel functions. */
function signatureOf(client: string, fun: string): Signature | undefined {
  signatures ??= readSignatures()
  return signatures.get(`${client}.${fun}`)
}

function readSignatures(): Map<string, Signature> {
  const lines = readFileSync(new URL('../salt-signatures.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return new Map(
    lines.map((line) => {
      const { client, fun, params, varKwargs } = JSON.parse(line) as WrittenSignature
      const parameters = params.map(([name, value]) => (value === undefined ? { name } : { name, default: value }))
      return [`${client}.${fun}`, { params: parameters, varKwargs }]
    }),
  )
}
