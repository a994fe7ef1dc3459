// The agent's state functions as the engine of states calls them, within one run.
import { lowUmask, type StateFunction, type StateFunctions } from '../../core/state/index.ts'
import { isMapping, type Mapping } from '../../core/value/index.ts'
import { withUmask } from '../filesystem/umask.ts'
import { Arguments } from '../modules/arguments.ts'
import type { Call } from '../modules/module.ts'
import type { Accumulators } from './accumulators.ts'
import type { AgentState } from './state-module.ts'

/** The functions by name. Each sees the agent as `call` does, and its own place in the run. */
export function stateFunctions(call: Call): StateFunctions {
  const made = new Map<AgentState, StateFunction>()
  const accumulators: Accumulators = new Map()
  return (name) => {
    const state = call.agent.states.get(name)
    if (state === undefined) return undefined
    const known = made.get(state)
    if (known !== undefined) return known
    const adapted = adaptedTo(call, name, state, accumulators)
    made.set(state, adapted)
    return adapted
  }
}

function adaptedTo(call: Call, fun: string, { signature, run }: AgentState, accumulators: Accumulators): StateFunction {
  return {
    signature,
    run: (args, context) => {
      const mask = lowUmask(context.low)
      const work = () => run(argumentsOf(args, signature.params), { ...call, fun, ...context, accumulators })
      return typeof mask === 'number' ? withUmask(mask, work) : work()
    },
  }
}

function argumentsOf(args: Mapping, params: AgentState['signature']['params']): Arguments {
  const named: Mapping = {}
  const rest: Mapping = {}
  const known = new Set(params.map(({ name }) => name))
  for (const [key, value] of Object.entries(isMapping(args) ? args : Object.fromEntries(args))) {
    if (known.has(key)) named[key] = value
    else rest[key] = value
  }
  return new Arguments({ kind: 'bound', named, positional: [], rest })
}
