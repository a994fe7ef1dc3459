// `beacon: True` beside a state: what it looks after is watched by a beacon from then on.
import { isMapping, type Mapping } from '../../core/value/index.ts'
import { boundArguments } from './bound-arguments.ts'
import { fine, wrong } from './outcome.ts'
import { type AgentState, defineState, type StateModule } from './state-module.ts'

/** How the states of a module are watched. */
export interface Watching {
  /** The kind of beacon. */
  readonly kind: string
  /** The state functions that can be watched. */
  readonly funs: readonly string[]
  /** What follows `<module>.<fun> does not work with the …` for the others. @default `beacon state function` */
  readonly words?: string
  /** The beacon's configuration, by the state's name, its `beacon_data` and its other arguments. */
  readonly options: (name: string, data: Mapping, given: Mapping, fun: string) => Mapping
}

/** A module's `mod_beacon`. */
export function modBeacon(module: StateModule['name'], watching: Watching): AgentState {
  const { kind, funs, words = 'beacon state function', options } = watching
  return defineState(
    'name, sfun=None, beacon=False, beacon_data=None, **kwargs',
    `Called where a state has \`\`beacon: True\`\`: sees to it that a beacon of the kind ${kind} watches what the state looks after.`,
    async (args, call) => {
      const [name, fun] = [args.text('name'), args.text('sfun')]
      if (!funs.includes(fun)) return wrong(name, `${module}.${fun} does not work with the ${words}`)
      if (!args.is('beacon')) return fine(name, 'Not adding beacon.')
      const given = args.value('beacon_data')
      const data = isMapping(given) ? given : {}
      const watched = { ...options(name, data, args.keywords, fun), beacon_module: kind }
      const present = call.agent.states.get('beacon.present')
      if (present === undefined) return wrong(name, 'There is no state beacon.present.')
      return present.run(boundArguments(present, { ...watched, name: `beacon_${kind}_${name}`, save: false }), call)
    },
  )
}
