// Which runner functions run an orchestration.

/** Whether a runner function runs an orchestration of SLS files. */
export function isOrchestration(fun: string): boolean {
  return ['state.orchestrate', 'state.orch', 'state.sls'].includes(fun)
}
