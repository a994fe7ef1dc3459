// Runners of the user's own, which the construct put beside the function.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FunctionTable } from '../../master/run.ts'
import { loadRunners } from '../../master/user-runners.ts'
import type { Telemetry } from './telemetry.ts'

const folder = join(dirname(fileURLToPath(import.meta.url)), 'runners')

/** Loads them; none where none were deployed. What does not load is told and left out. */
export function deployedRunners(telemetry: Pick<Telemetry, 'warn'>): Promise<FunctionTable> {
  return loadRunners([folder], telemetry.warn)
}
