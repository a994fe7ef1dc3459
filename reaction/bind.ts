// Binds a compiled chunk to the call that a plan stores.
import { bindCall, type Call } from '../core/sls/call.ts'
import type { Signatures } from '../core/sls/signature.ts'
import { type Dict, entries, isMap, type Mapping, pythonStr } from '../core/value/index.ts'
import type { BindChunk } from './make-plan.ts'
import type { ReactionCall } from './plan.ts'

/** What binding knows of the world: the master's functions, and how long a reaction's job may wait for its minion. */
export interface BindOptions {
  readonly signatures: Signatures
  /** Seconds. */
  readonly expiresIn: number
}

/** The {@link BindChunk} of a master or a masterless minion. A job's jid is always the ledger's own. */
export function createBinder({ signatures, expiresIn }: BindOptions): BindChunk {
  return (chunk) => {
    const { call, warnings } = bindCall(chunk, signatures)
    const more = [...warnings]
    return { call: toStore(call, expiresIn, more), warnings: more }
  }
}

function toStore(call: Call, expiresIn: number, warnings: string[]): ReactionCall {
  if (call.kind === 'refused') return call
  const kwarg = keywords(call.kwarg)
  if (kwarg === undefined) return { kind: 'refused', reason: `${call.fun}: keywords must be strings; quote the others` }
  if (call.kind !== 'local') return { kind: call.kind, fun: call.fun, arg: call.arg, kwarg }
  const { tgt, tgtType, fun, arg, ret, metadata, jid } = call
  if (jid !== undefined) {
    warnings.push(`\`jid\` ${jid} is not used: a reaction's jid is the ledger's, so that no job runs twice.`)
  }
  const extra = metadata !== undefined && isMap(metadata) ? keywords(metadata) : undefined
  if (metadata !== undefined && extra === undefined) {
    warnings.push(`\`metadata\` is ${pythonStr(metadata)}, not a map of names, and is left out.`)
  }
  const common = { kind: call.kind, tgt, tgtType, fun, arg, kwarg, ret, expiresIn }
  return extra === undefined ? common : { ...common, metadata: extra }
}

/** The map with names for keys, `undefined` where a key is no name. */
function keywords(map: Mapping | Dict): Mapping | undefined {
  if (!(map instanceof Map)) return map
  const named: Mapping = {}
  for (const [key, value] of entries(map)) {
    if (typeof key !== 'string' || key === '__proto__') return undefined
    named[key] = value
  }
  return named
}
