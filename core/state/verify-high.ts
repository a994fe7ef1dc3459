// Whether high data may be compiled, in Salt's words: what reactors share, and what only states have.
import type { HighId } from '../sls/high.ts'
import { verifyHigh as verifyIds } from '../sls/verify.ts'
import { Dict, pythonStr, type Value } from '../value/index.ts'
import type { High } from './high.ts'

/** Every error, in Salt's order; empty where the data may be compiled. */
export function verifyHigh(high: High): string[] {
  const errors: string[] = []
  for (const [id, body] of high) {
    if (typeof id === 'string' && id.startsWith('__')) continue
    if (body instanceof Dict) errors.push(...verifyBody(id, body))
    else errors.push(`The type ${pythonStr(id)} in ${pythonStr(body)} is not formatted as a dictionary`)
  }
  return errors
}

function verifyBody(id: Value, body: Dict): string[] {
  const states: [string, Value][] = []
  for (const [state, args] of body) if (typeof state === 'string') states.push([state, args])
  const verified: HighId = { id, body: states }
  // Salt ends this one error with a line break, which a reactor's does not need.
  return verifyIds([verified], pythonStr(body.get('__sls__') ?? null)).map((error) =>
    error.startsWith('Illegal requisite') ? `${error}\n` : error,
  )
}
