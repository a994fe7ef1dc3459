// Which runner functions run an orchestration.
import type { Mapping } from '../../core/value/index.ts'

/** Whether a runner function runs an orchestration of SLS files. */
export function isOrchestration(fun: string): boolean {
  return ['state.orchestrate', 'state.orch', 'state.sls'].includes(fun)
}

/** Whether a runner function runs one of something else than SLS files; it returns its results as they are. */
export function isOfNoFiles(fun: string): boolean {
  return ['state.orchestrate_single', 'state.orchestrate_high'].includes(fun)
}

/** What such a one tells as progress before it returns its results. */
export function resultsAsProgress(results: Mapping): Mapping {
  return { data: results, outputter: 'highstate' }
}
