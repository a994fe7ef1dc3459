// States a user wrote: `_states/<name>.mjs`, whose functions are `<name>.<function>`.
import { isMapping, type Mapping } from '../../core/value/index.ts'
import { type CustomContext, contextOf } from '../modules/custom.ts'
import { PythonError } from '../modules/errors.ts'
import { signature } from '../modules/signature.ts'
import type { AgentState, StateCall, StateModule, StateReturn } from './state-module.ts'

/** What a custom state gets before its arguments. */
interface CustomStateContext extends CustomContext {
  /** Nothing may be changed; a result of null says that something would be. */
  readonly test: boolean
  readonly env: string
  readonly low: StateCall['low']
}

/** A function as the file exports it; `params` is its signature as Python writes it, `doc` what sys.state_doc prints. */
type CustomState = ((context: CustomStateContext, args: Mapping) => unknown) & { params?: unknown; doc?: unknown }

/** The state module of a file's exports. */
export function customStates(name: string, exported: Readonly<Record<string, unknown>>): StateModule {
  const functions = Object.entries(exported).filter(
    (entry): entry is [string, CustomState] => typeof entry[1] === 'function' && !entry[0].startsWith('_'),
  )
  const virtual = exported.__virtualname__
  return {
    name: typeof virtual === 'string' ? virtual : name,
    functions: Object.fromEntries(functions.map(([short, state]) => [short.replace(/_$/, ''), wrapped(state)])),
  }
}

function wrapped(state: CustomState): AgentState {
  const params = typeof state.params === 'string' ? state.params : 'name, **kwargs'
  const shape = signature(params)
  return {
    signature: shape,
    doc: typeof state.doc === 'string' ? state.doc.trim() : '',
    async run(args, call) {
      const named = Object.fromEntries(shape.params.map(({ name }) => [name, args.value(name)]))
      const { test, env, low } = call
      const returned = await state({ ...contextOf(call), test, env, low }, { ...named, ...args.keywords })
      if (!isMapping(returned))
        throw new PythonError('TypeError', 'Malformed state return. Data must be a dictionary type.')
      // The engine checks the rest of it.
      return returned as StateReturn
    },
  }
}
