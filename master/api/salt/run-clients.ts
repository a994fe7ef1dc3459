// The clients runner, runner_async, wheel and wheel_async.
import { stampOf } from '../../../core/event/stamp.ts'
import type { Mapping } from '../../../core/value/index.ts'
import { fittingKeywords } from '../../fitting-keywords.ts'
import type { Clock } from '../../ports.ts'
import type { FunctionTable, RunOutcome, StartRun } from '../../run.ts'
import type { Caller, Rights } from './caller.ts'
import { ApiError } from './error-page.ts'
import type { Client } from './local-clients.ts'
import { isSet, type Low, runArguments, secondsOf, textOf } from './low.ts'

interface RunNeeds {
  readonly startRun: StartRun
  /** The runners there are; undefined where they are elsewhere, and it is told there that one is missing. */
  readonly runners: () => FunctionTable | undefined
  readonly rights: Rights
  readonly clock: Clock
  /** Milliseconds a runner is waited for at most, where the platform ends answers. */
  readonly longest?: number
}

/** Seconds a runner is waited for: Salt's `rest_timeout`. */
const patience = 300

/** The four clients. Each asks for the caller's right before anything begins, the asynchronous ones too. */
export function runClients({
  startRun,
  runners,
  rights,
  clock,
  longest = Number.POSITIVE_INFINITY,
}: RunNeeds): Readonly<Record<string, Client>> {
  const begin = (client: 'runner' | 'wheel', low: Low, caller: Caller, detached = false) => {
    const fun = textOf(low, 'fun')
    if (client === 'runner' && low.has('fun') && (fun ?? '') === '')
      throw new ApiError(400, 'Must specify a function to run!\nex: manage.up')
    if (fun === undefined)
      throw new ApiError(400, `${client}${detached ? '_async' : ''} takes at least 1 argument (0 given)`)
    const known = client === 'runner' ? runners() : undefined
    const signature = known?.get(fun)?.signature
    const given = runArguments(client, low)
    const { arg } = given
    const kwarg = signature === undefined ? given.kwarg : fittingKeywords(given.kwarg, signature)
    rights.run(caller, { client, fun, arg, kwarg })
    // A runner that is not there is an error of the call; a wheel function's absence is its answer, as in Salt.
    if (known !== undefined && signature === undefined) throw new TypeError(`there is no runner ${fun}`)
    const run = startRun({
      client,
      fun,
      arg,
      kwarg,
      user: caller.name,
      ...(client === 'wheel' ? { tagged: true } : { isLoose: true }),
      ...(detached ? { detached } : {}),
    })
    return { ...run, fun, arg, kwarg, tag: `salt/${client === 'runner' ? 'run' : 'wheel'}/${run.jid}` }
  }

  return {
    async runner(low, caller) {
      const { jid, outcome, fun, arg, kwarg, tag } = begin('runner', low, caller)
      const ended = await within(Math.min(secondsOf(low, 'timeout') ?? patience, longest / 1000), outcome, jid)
      if (ended.failure === 'missing') throw new TypeError(`there is no runner ${fun}`)
      if (!isSet(low, 'full_return')) return [ended.return]
      const funArgs = Object.keys(kwarg).length === 0 ? arg : [...arg, kwarg]
      const base = { fun: `runner.${fun}`, jid: ended.jid, user: caller.name, fun_args: funArgs }
      return [{ data: endOf(base, ended, clock), tag: `${tag}/ret` }]
    },

    async runner_async(low, caller) {
      const { started, jid, tag } = begin('runner', low, caller, true)
      await started
      return [{ tag, jid }]
    },

    async wheel(low, caller) {
      const { outcome, fun, jid, tag } = begin('wheel', low, caller)
      const ended = await outcome
      const base = { fun: `wheel.${fun}`, jid, tag, user: caller.name }
      const text =
        ended.failure === 'missing' ? `Exception occurred in wheel ${fun}: ${String(ended.return)}` : ended.return
      return [{ tag, data: endOf(base, { ...ended, return: text }, clock) }]
    },

    async wheel_async(low, caller) {
      const { started, jid, tag } = begin('wheel', low, caller, true)
      await started
      return [{ tag, jid }]
    },
  }
}

function endOf(base: Mapping, { return: returned, success }: RunOutcome, clock: Clock): Mapping {
  return { ...base, _stamp: stampOf(clock.now()), return: returned, success }
}

async function within<T>(seconds: number, work: Promise<T>, jid: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ApiError(504, `The runner still runs. Its end is the event salt/run/${jid}/ret.`)),
      seconds * 1000,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
