// What salt-run says of an orchestration beside its results: steps that nobody got, and steps that failed.
import { hasRun, type StateResult, stateLogText } from '../../core/state/index.ts'
import { entries, get, isList, isMap, pythonStr, type Value } from '../../core/value/index.ts'
import type { Io } from './io.ts'

const nobody = 'No minions matched the target. No command was sent, no jid was assigned.\n'

/** Says it: on stdout what Salt prints there, on stderr what it logs. `returned` is what the runner returned. */
export async function sayOfOrchestration(returned: Value, io: Io): Promise<void> {
  for (const error of renderErrorsIn(returned)) io.err(`[CRITICAL] ${error}\n`)
  for (const result of resultsIn(returned)) {
    const comment = isMap(result) ? pythonStr(get(result, 'comment') ?? '') : ''
    if (comment === 'No minions responded' || comment === 'No minions returned') await io.out(nobody)
    const nested = nestedIn(result)
    if (nested !== undefined) await sayOfOrchestration(nested, io)
    for (let count = missingReturns(result); count > 0; count -= 1)
      io.err('[WARNING ] Output from salt state not highstate\n')
    if (isMap(result) && get(result, 'result') === false && hasRun(result as StateResult)) {
      for (const failure of attemptsOf(stateLogText(result))) io.err(`[ERROR   ] ${failure}\n`)
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

/** What could not be rendered; a file that is not there is no such error. */
function renderErrorsIn(returned: Value): string[] {
  const data = isMap(returned) ? (get(returned, 'data') ?? null) : null
  const errors = isMap(data) ? entries(data).flatMap(([, each]) => (isList(each) ? each : [])) : []
  return errors.map(pythonStr).filter((error) => error.startsWith('Rendering SLS '))
}

/** A step that was tried again says each time what it said; its comment tells of them in a line each. */
function attemptsOf(text: string): string[] {
  const failures: string[] = []
  for (const line of text.split('\n')) {
    const attempt = /^Attempt \d+: Returned a result of "False", with the following comment: "(.*)"$/.exec(line)
    if (attempt?.[1] === undefined) return [...failures, text.split('\n').slice(failures.length).join('\n')]
    failures.push(attempt[1])
  }
  return failures
}

/** From how many minions a step that applies states got nothing. */
function missingReturns(result: Value): number {
  const changes = isMap(result) ? (get(result, 'changes') ?? null) : null
  if (!isMap(changes) || get(changes, 'out') !== 'highstate') return 0
  const minions = get(changes, 'ret') ?? null
  return isMap(minions) ? entries(minions).filter(([, each]) => each === false).length : 0
}

/** What an orchestration returned that a step ran. */
function nestedIn(result: Value): Value | undefined {
  const changes = isMap(result) ? (get(result, 'changes') ?? null) : null
  const returned = isMap(changes) ? (get(changes, 'return') ?? null) : null
  return isMap(returned) && get(returned, 'outputter') === 'highstate' ? returned : undefined
}
