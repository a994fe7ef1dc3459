// Pillar that comes from no file: parameters and secrets, for the minions that the configuration names.
import type { ExternalPillarEntry, SecretsPillar, SsmPillar } from '../core/config/external-pillar.ts'
import { isMapping, type Mapping, type Value } from '../core/value/index.ts'
import type { ExternalPillar } from './pillar.ts'

/** Where the values are. Neither logs nor keeps them. */
export interface ExternalValues {
  /** Texts by full name, of everything below a path. */
  parameters(path: string): Promise<ReadonlyMap<string, string>>
  secret(name: string): Promise<string>
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
