// Evaluates what is synchronous and pure over questions whose answers come later: asked once each, begun again with every answer.
import { BrineError } from '../error.ts'
import { callKey, Need } from '../render/index.ts'
import { isList, pythonStr, type Value } from '../value/index.ts'
import type { StateFiles } from './state-files.ts'

/** Answers so far, by `callKey`. */
export type Known = ReadonlyMap<string, Value>

/** Answers one question: a function with its arguments. A rejection ends the evaluation with it. */
export type Ask = (need: Need) => Promise<Value>

/** Questions of one evaluation, at most. */
const limit = 10_000

/**
 * Runs `evaluate` until it ends without a {@link Need}. It may be run many times, so it must have no effects. Rejects with
 * what it throws otherwise, with what `ask` rejects with, and with a BrineError `answers` when a question comes back
 * although it was answered.
 */
export async function answered<T>(evaluate: (known: Known) => T, ask: Ask): Promise<T> {
  const known = new Map<string, Value>()
  for (let asked = 0; asked < limit; asked++) {
    try {
      return evaluate(known)
    } catch (error) {
      if (!(error instanceof Need)) throw error
      const key = callKey(error.fun, error.args, error.kwargs)
      if (known.has(key)) {
        throw new BrineError(`${error.fun} was asked for again although it was answered`, { code: 'answers' })
      }
      known.set(key, await ask(error))
    }
  }
  throw new BrineError(`the files ask more than ${limit} questions; is there a loop that never ends?`, {
    code: 'answers',
  })
}

/** The answer to a question. Throws the Need where it is not known yet. */
export function answerTo(known: Known, fun: string, args: readonly Value[] = []): Value {
  const answer = known.get(callKey(fun, args, {}))
  if (answer === undefined) throw new Need(fun, args, {})
  return answer
}

/** State files read by asking `cp.envs`, `cp.list_master` and `cp.get_file_str`, as a minion knows them. */
export function askedFiles(known: Known): StateFiles {
  return {
    environments: () => texts(answerTo(known, 'cp.envs')),
    paths: (env) => texts(answerTo(known, 'cp.list_master', [env])),
    read: (path, env) => {
      const text = answerTo(known, 'cp.get_file_str', [`salt://${path}?saltenv=${env}`])
      return typeof text === 'string' ? text : undefined
    },
  }
}

function texts(value: Value): string[] {
  return isList(value) ? value.map(pythonStr) : []
}
