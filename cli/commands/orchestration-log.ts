// What salt-run says of an orchestration beside its results: steps that nobody got, and steps that failed.
import { hasRun, type StateResult, stateLogText } from '../../core/state/index.ts'
import { entries, get, isMap, pythonStr, type Value } from '../../core/value/index.ts'
import type { Io } from './io.ts'

const nobody = 'No minions matched the target. No command was sent, no jid was assigned.\n'

/** Says it: on stdout what Salt prints there, on stderr what it logs. `returned` is what the runner returned. */
export async function sayOfOrchestration(returned: Value, io: Io): Promise<void> {
  for (const result of resultsIn(returned)) {
    const comment = isMap(result) ? pythonStr(get(result, 'comment') ?? '') : ''
    if (comment === 'No minions responded' || comment === 'No minions returned') await io.out(nobody)
    if (hasOddReturn(result)) io.err('[WARNING ] Output from salt state not highstate\n')
    if (isMap(result) && get(result, 'result') === false && hasRun(result as StateResult)) {
      io.err(`[ERROR   ] ${stateLogText(result)}\n`)
    }
  }
}

/** The results below the master's id, in the order of their numbers. */
function resultsIn(returned: Value): Value[] {
  const data = isMap(returned) ? (get(returned, 'data') ?? returned) : null
  const masters = isMap(data) ? entries(data) : []
  const results = masters.flatMap(([, each]) => (isMap(each) ? entries(each).map(([, result]) => result) : []))
  const number = (result: Value): number => (isMap(result) ? Number(get(result, '__run_num__') ?? 0) : 0)
  return results.sort((a, b) => number(a) - number(b))
}

/** Whether a minion returned something else than states to a step that applies states. */
function hasOddReturn(result: Value): boolean {
  const changes = isMap(result) ? (get(result, 'changes') ?? null) : null
  if (!isMap(changes) || get(changes, 'out') !== 'highstate') return false
  const minions = get(changes, 'ret') ?? null
  return isMap(minions) && entries(minions).some(([, each]) => !isMap(each))
}
