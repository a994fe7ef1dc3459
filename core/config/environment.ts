// BRINE_* variables over what the files say.
import { loadYaml } from '../render/yaml/index.ts'
import type { Value } from '../value/index.ts'
import type { ConfigKeys } from './key.ts'
import type { Written } from './merge.ts'

/** A process's environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The keys that the environment sets: `BRINE_LOG_LEVEL` for `log_level`. Where a key's default is text, or nothing, the
 * variable is taken as it is; otherwise it is read as YAML, and as it is where it is none.
 */
export function environmentKeys(keys: ConfigKeys, environment: Environment): Map<string, Written> {
  const set = new Map<string, Written>()
  for (const [name, key] of Object.entries(keys)) {
    const variable = `BRINE_${name.toUpperCase()}`
    const text = environment[variable]
    if (text === undefined) continue
    const isText = typeof key.value === 'string' || key.value === null
    set.set(name, { value: isText ? text : yamlOrText(text), file: variable })
  }
  return set
}

function yamlOrText(text: string): Value {
  try {
    return loadYaml(text)
  } catch {
    return text
  }
}
