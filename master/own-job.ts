// The job that stands for a return nobody asked for.
import { isList, isMapping, type Value } from '../core/value/value.ts'
import type { Jid, JobRecord, MinionId, StoredReturn } from './ports.ts'

/** The job of a return nobody asked for: what the minion ran by itself, with the fields `brine-call` sends along. */
export function jobOfReturn(jid: Jid, { id, at, load }: StoredReturn): JobRecord {
  const arg = isList(load.arg ?? null) ? load.arg : load.fun_args
  const text = (value: Value | undefined, otherwise: string): string => (typeof value === 'string' ? value : otherwise)
  const minions: readonly MinionId[] = [id]
  return {
    jid,
    fun: load.fun ?? '',
    arg: isList(arg) ? arg : [],
    tgt: load.tgt ?? id,
    tgtType: text(load.tgt_type, 'glob'),
    user: text(load.user, 'root'),
    ret: text(load.ret, ''),
    minions,
    missing: [],
    at,
    expiry: at,
    ...(isMapping(load.metadata) ? { metadata: load.metadata } : {}),
  }
}
