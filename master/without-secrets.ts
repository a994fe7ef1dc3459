// A configuration as it may be shown.
import { isMapping, type Mapping, type Value } from '../core/value/index.ts'

const secret = /secret|passw|token$|_key$|private/i

/** The configuration with every secret's value masked. */
export function withoutSecrets(opts: Mapping): Mapping {
  return Object.fromEntries(Object.entries(opts).map(([key, value]) => [key, masked(key, value)]))
}

function masked(key: string, value: Value): Value {
  if (secret.test(key) && typeof value === 'string' && value !== '') return '***'
  return isMapping(value) ? withoutSecrets(value) : value
}
