// `ext_pillar`: which pillar comes from no file, as the configuration says.
import { BrineError } from '../error.ts'
import { compileTarget, type TargetTest } from '../target/index.ts'
import { entries, get, isList, isMap, pythonStr, type Value } from '../value/index.ts'

/** Parameters below a path: `/pillar/web1/db/password` below `/pillar/web1` is `db: {password: …}`. */
export interface SsmPillar {
  readonly kind: 'ssm'
  /** `{id}` stands for the minion's id. */
  readonly path: string
  /** The key under which they stand; absent for the top. */
  readonly key: string | undefined
  /** Which minions get it. */
  readonly isFor: TargetTest
}

/** Secrets by the keys they stand under: a secret that is a JSON map is a map, any other a text. */
export interface SecretsPillar {
  readonly kind: 'secretsmanager'
  /** Names or ARNs; `{id}` stands for the minion's id. */
  readonly secrets: Readonly<Record<string, string>>
  readonly isFor: TargetTest
}

/** One entry of `ext_pillar`. */
export type ExternalPillarEntry = SsmPillar | SecretsPillar

/** Reads `ext_pillar`. Throws a BrineError `config` for what is no such list, saying what is. */
export function readExternalPillars(written: Value): ExternalPillarEntry[] {
  if (written === null) return []
  if (!isList(written)) throw wrong(written)
  return written.flatMap((item) => {
    if (!isMap(item)) throw wrong(item)
    return entries(item).map(([kind, given]) => entryOf(pythonStr(kind), given))
  })
}

function entryOf(kind: string, given: Value): ExternalPillarEntry {
  const options = isMap(given) ? given : {}
  const text = (name: string): string | undefined => {
    const value = get(options, name)
    return value === undefined || value === null ? undefined : pythonStr(value)
  }
  const isFor = compileTarget(text('tgt_type') ?? 'compound', text('tgt') ?? '*')
  const path = text('path')
  if (kind === 'ssm' && path?.startsWith('/') === true) {
    return { kind, path: path.replace(/\/+$/, ''), key: text('key'), isFor }
  }
  const secrets = get(options, 'secrets')
  if (kind === 'secretsmanager' && secrets !== undefined && isMap(secrets)) {
    const named = entries(secrets).map(([key, name]) => [pythonStr(key), pythonStr(name)] as const)
    return { kind, secrets: Object.fromEntries(named), isFor }
  }
  throw wrong({ [kind]: given })
}

function wrong(value: Value): BrineError {
  return new BrineError(
    `ext_pillar does not understand ${pythonStr(value)}. Write a list of {ssm: {path: /pillar/{id}}} and {secretsmanager: {secrets: {key: name}}}, each with tgt where it is not for all.`,
    { code: 'config' },
  )
}
