// `ext_pillar`: pillar that comes from no file, as the configuration asks for it.
import { BrineError } from '../core/error.ts'
import { compileTarget, type TargetTest } from '../core/target/index.ts'
import { entries, get, isList, isMap, isMapping, type Mapping, pythonStr, type Value } from '../core/value/index.ts'
import type { ExternalPillar } from './pillar.ts'

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

/** Where the values are. Neither logs nor keeps them. */
export interface ExternalValues {
  /** Texts by full name, of everything below a path. */
  parameters(path: string): Promise<ReadonlyMap<string, string>>
  secret(name: string): Promise<string>
}

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

/** The entries as sources of pillar. A parameter or secret that is not there is a rejection that names it. */
export function externalPillars(wanted: readonly ExternalPillarEntry[], values: ExternalValues): ExternalPillar[] {
  return wanted.map((entry) => ({
    name: entry.kind,
    async pillar({ id, grains }, pillar) {
      if (!entry.isFor({ id, grains, pillar })) return {}
      return entry.kind === 'ssm' ? ofParameters(entry, id, values) : ofSecrets(entry, id, values)
    },
  }))
}

async function ofParameters({ path, key }: SsmPillar, id: string, values: ExternalValues): Promise<Mapping> {
  const root = withId(path, id)
  const pillar: Mapping = {}
  for (const [name, text] of await values.parameters(root)) {
    const parts = name.slice(root.length + 1).split('/')
    place(pillar, key === undefined ? parts : [...key.split(':'), ...parts], text)
  }
  return pillar
}

async function ofSecrets({ secrets }: SecretsPillar, id: string, values: ExternalValues): Promise<Mapping> {
  const pillar: Mapping = {}
  for (const [key, name] of Object.entries(secrets)) {
    place(pillar, key.split(':'), parsed(await values.secret(withId(name, id))))
  }
  return pillar
}

/** An id holds no slash, so that it stays one part of a path. */
function withId(text: string, id: string): string {
  return text.replaceAll('{id}', id)
}

function parsed(text: string): Value {
  if (!text.trimStart().startsWith('{')) return text
  try {
    const value = JSON.parse(text) as Value
    return isMapping(value) ? value : text
  } catch {
    return text
  }
}

function place(pillar: Mapping, parts: readonly string[], value: Value): void {
  const [first = '', ...rest] = parts
  if (rest.length === 0) {
    pillar[first] = value
    return
  }
  const there = Object.hasOwn(pillar, first) ? pillar[first] : undefined
  const inner: Mapping = isMapping(there) ? there : {}
  pillar[first] = inner
  place(inner, rest, value)
}
