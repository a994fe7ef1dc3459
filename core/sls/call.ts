// What a chunk calls: the client, the target and the arguments, from every form in which Salt lets them be written.
import { type Dict, entries, get, isList, isMap, type Mapping, pythonStr, size, type Value } from '../value/index.ts'
import { type Chunk, put } from './chunk.ts'
import { fillSignature, type Signatures, tooFew } from './signature.ts'

/** A job for minions. */
export interface LocalCall {
  readonly kind: 'local'
  /** Usually text; a list where `tgt_type` is `list`. */
  readonly tgt: Value
  readonly tgtType: string
  readonly fun: string
  readonly arg: readonly Value[]
  readonly kwarg: Mapping | Dict
  /** The returners, separated by commas; usually empty. */
  readonly ret: string
  /** As written; absent where the chunk has none. */
  readonly timeout?: Value
  readonly jid?: string
  readonly metadata?: Value
}

/** A function of the master: a runner, or a wheel function. */
export interface MasterCall {
  readonly kind: 'runner' | 'wheel'
  readonly fun: string
  readonly arg: readonly Value[]
  readonly kwarg: Mapping | Dict
}

/** A function of the minion whose own reactor it is. */
export interface CallerCall {
  readonly kind: 'caller'
  readonly fun: string
  readonly arg: readonly Value[]
  readonly kwarg: Mapping | Dict
}

/** It cannot run. The reason begins with Salt's words and says what to do. */
export interface RefusedCall {
  readonly kind: 'refused'
  readonly reason: string
}

/** What a chunk calls. */
export type Call = LocalCall | MasterCall | CallerCall | RefusedCall

/** The call, and what works but surprises: `expr_form`, a `kwarg` list, `arg` beside `args`. */
export interface BoundCall {
  readonly call: Call
  readonly warnings: readonly string[]
}

/**
 * Binds a chunk to its call. With `args`, the new schema, they are the keyword arguments; otherwise `arg` and `kwarg`, or
 * for runner and wheel the chunk's flat keys by the function's signature. Never throws: what cannot run is `refused`.
 */
export function bindCall(chunk: Chunk, signatures: Signatures): BoundCall {
  const warnings: string[] = []
  return { call: bind(chunk, signatures, warnings), warnings }
}

function bind(chunk: Chunk, signatures: Signatures, warnings: string[]): Call {
  const type = get(chunk.low, 'state')
  const stray = chunk.low instanceof Map ? [...chunk.low.keys()].find((key) => typeof key !== 'string') : undefined
  if (stray !== undefined) return refused(chunk, `keywords must be strings, and ${pythonStr(stray)} is none. Quote it.`)
  switch (type) {
    case 'local':
      return bindLocal(chunk, warnings)
    case 'runner':
    case 'wheel':
      return bindMaster(chunk, type, signatures, warnings)
    case 'caller': {
      const bound = bindArguments(chunk, warnings)
      return bound.kind === 'refused' ? bound : { kind: 'caller', fun: chunk.fun, arg: bound.arg, kwarg: bound.kwarg }
    }
    default:
      return refused(chunk, `there is no reaction type '${chunk.type}'. Use local, runner, wheel or caller.`)
  }
}

function bindLocal(chunk: Chunk, warnings: string[]): Call {
  const { low, fun } = chunk
  const tgt = get(low, 'tgt')
  if (tgt === undefined) return refused(chunk, `${tooFew('local', 1, 1)}. Say which minions with \`tgt\`.`)
  if (tgt === null || tgt === '') warnings.push('`tgt` is empty, so that it is a job for nobody.')
  const bound = bindArguments(chunk, warnings)
  if (bound.kind === 'refused') return bound
  const [timeout, jid, metadata] = ['timeout', 'jid', 'metadata'].map((key) => get(low, key))
  return {
    kind: 'local',
    tgt,
    tgtType: targetType(low, warnings),
    fun,
    arg: bound.arg,
    kwarg: bound.kwarg,
    ret: returners(get(low, 'ret')),
    ...(timeout === undefined ? {} : { timeout }),
    ...(jid === undefined || jid === null ? {} : { jid: pythonStr(jid) }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

/** `expr_form` is what `tgt_type` was called until 2017; Salt ignores it today and takes the target for a glob. */
function targetType(low: Mapping | Dict, warnings: string[]): string {
  const type = get(low, 'tgt_type')
  if (type !== undefined) return pythonStr(type)
  const old = get(low, 'expr_form')
  if (old === undefined) return 'glob'
  warnings.push('`expr_form` is taken as `tgt_type`, its name since Salt 2017.7. Rename it.')
  return pythonStr(old)
}

function returners(ret: Value | undefined): string {
  if (ret === undefined || ret === null) return ''
  return isList(ret) ? ret.map(pythonStr).join(',') : pythonStr(ret)
}

function bindMaster(chunk: Chunk, kind: 'runner' | 'wheel', signatures: Signatures, warnings: string[]): Call {
  const { low, fun } = chunk
  const bound = bindArguments(chunk, warnings)
  if (bound.kind === 'refused') return bound
  const complete = get(low, 'args') !== undefined || (get(low, 'arg') !== undefined && get(low, 'kwarg') !== undefined)
  if (complete) return { kind, fun, arg: bound.arg, kwarg: bound.kwarg }
  const signature = signatures(kind, fun)
  if (signature === undefined) return refused(chunk, `function not available. Look for its name with \`brine-run -d\`.`)
  const filled = fillSignature(fun, signature, low)
  if (filled.kind === 'misfit') return refused(chunk, `${filled.message}. Put its arguments under \`args\`.`)
  return {
    kind,
    fun,
    arg: get(low, 'arg') === undefined ? filled.arg : bound.arg,
    kwarg: get(low, 'kwarg') === undefined ? filled.kwarg : bound.kwarg,
  }
}

interface Arguments {
  readonly kind: 'arguments'
  readonly arg: readonly Value[]
  readonly kwarg: Mapping | Dict
}

function bindArguments(chunk: Chunk, warnings: string[]): Arguments | RefusedCall {
  const args = get(chunk.low, 'args')
  return args === undefined ? bindLegacy(chunk, warnings) : bindNew(chunk, args, warnings)
}

function bindNew(chunk: Chunk, args: Value, warnings: string[]): Arguments | RefusedCall {
  for (const key of ['arg', 'kwarg']) {
    const value = get(chunk.low, key)
    if (value === undefined) continue
    warnings.push(
      `Reactor '${chunk.id}' is ignoring '${key}' param ${pythonStr(value)} due to presence of 'args' param. ` +
        'Check the Reactor System documentation for the correct argument format.',
    )
  }
  if (isMap(args)) return { kind: 'arguments', arg: [], kwarg: args }
  if (chunk.type === 'caller' && isList(args) && !isDictList(args)) return { kind: 'arguments', arg: args, kwarg: {} }
  const kwarg = isList(args) ? repack(args, warnings) : undefined
  if (kwarg !== undefined) return { kind: 'arguments', arg: [], kwarg }
  return refused(
    chunk,
    'Incorrect argument format, check the Reactor System documentation for the correct format. ' +
      '`args` is a map, or a list of maps with one key each.',
  )
}

/** Salt's `is_dictlist`: true for the empty list too. */
function isDictList(list: readonly Value[]): boolean {
  return list.every((item) => isMap(item) && size(item) === 1)
}

/** One map of a list of one-key maps. A bare text or number is, as in Salt, a keyword without a value. */
function repack(list: readonly Value[], warnings: string[]): Mapping | Dict | undefined {
  if (list.length === 0) return undefined
  let map: Mapping | Dict = {}
  for (const item of list) {
    if (isMap(item)) {
      const [pair, ...others] = entries(item)
      if (pair === undefined || others.length > 0) return undefined
      map = put(map, pair[0], pair[1])
    } else if (item === null || isList(item)) {
      return undefined
    } else {
      map = put(map, item, null)
      const text = pythonStr(item)
      warnings.push(
        `'${text}' in \`args\` is the keyword argument ${text}=None, not a position. Write \`- <name>: ${text}\`.`,
      )
    }
  }
  return map
}

function bindLegacy(chunk: Chunk, warnings: string[]): Arguments | RefusedCall {
  const arg = get(chunk.low, 'arg')
  const kwarg = get(chunk.low, 'kwarg')
  if (get(chunk.low, 'kwargs') !== undefined && chunk.type !== 'runner' && chunk.type !== 'wheel') {
    warnings.push('`kwargs` is not read. The keyword arguments belong under `kwarg` or `args`.')
  }
  const merged = keywords(kwarg, warnings)
  if (merged === undefined) {
    return refused(chunk, `\`kwarg\` is ${pythonStr(kwarg ?? null)}, not a map. Write \`- kwarg: {<name>: <value>}\`.`)
  }
  return { kind: 'arguments', arg: positions(arg, warnings), kwarg: merged }
}

/** Salt takes a text apart into its characters here; one value that is no list is one argument. */
function positions(arg: Value | undefined, warnings: string[]): readonly Value[] {
  if (arg === undefined || arg === null) return []
  if (isList(arg)) return arg
  warnings.push(`\`arg\` is ${pythonStr(arg)}, not a list, and is taken for one argument. Write it as a list.`)
  return [arg]
}

/** A list of maps is one map, later keys winning: Salt drops it silently. */
function keywords(kwarg: Value | undefined, warnings: string[]): Mapping | Dict | undefined {
  if (kwarg === undefined || kwarg === null) return {}
  if (isMap(kwarg)) return kwarg
  if (!isList(kwarg)) return undefined
  let map: Mapping | Dict = {}
  for (const item of kwarg) {
    if (!isMap(item)) return undefined
    for (const [key, value] of entries(item)) map = put(map, key, value)
  }
  warnings.push('`kwarg` is a list; its maps are merged into one. Write it as a map, since Salt would ignore it.')
  return map
}

function refused(chunk: Chunk, why: string): RefusedCall {
  return { kind: 'refused', reason: `Reactor '${chunk.id}' failed to execute ${chunk.type} '${chunk.fun}': ${why}` }
}
