// The `error` wheel: failing on demand.
import type { MasterFunction } from '../run.ts'
import { failing } from '../runners/failing.ts'
import { wheelDoc } from './wheel-doc.ts'

/** The function of the `error` wheel. */
export function errorWheel(): Record<string, MasterFunction> {
  return {
    'error.error': failing((line) =>
      wheelDoc('Fail with an error of this name and message; without a name, return nothing', line),
    ),
  }
}
