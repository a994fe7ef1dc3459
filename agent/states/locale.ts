// Salt's `locale` states: locales that are there, and the one of the system.
import { pythonTruth } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import { fine, would, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

async function system(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  try {
    if ((await call.salt('locale.get_locale', [])) === args.value('name'))
      return fine(name, `System locale ${name} already set`)
    if (call.test) return would(name, `System locale ${name} needs to be set`)
    if (pythonTruth(await call.salt('locale.set_locale', [name])))
      return fine(name, `Set system locale ${name}`, { locale: name })
    return wrong(name, `Failed to set system locale to ${name}`)
  } catch (error) {
    if (!(error instanceof CommandExecutionError)) throw error
    return wrong(name, `Failed to set system locale: ${error.message}`)
  }
}

async function present(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  if (pythonTruth(await call.salt('locale.avail', [name]))) return fine(name, `Locale ${name} is already present`)
  if (call.test) return would(name, `Locale ${name} needs to be generated`)
  if (pythonTruth(await call.salt('locale.gen_locale', [name])))
    return fine(name, `Generated locale ${name}`, { locale: name })
  return wrong(name, `Failed to generate locale ${name}`)
}

/** Salt's `locale` states. */
export const locale: StateModule = {
  name: 'locale',
  functions: {
    system: defineState(
      'name',
      `The system has this locale.${slsExample(`
default_locale:
  locale.system:
    - name: en_US.UTF-8`)}`,
      system,
    ),
    present: defineState(
      'name',
      `There is such a locale; it is made where there is none.${slsExample(`
us_locale:
  locale.present:
    - name: en_US.UTF-8`)}`,
      present,
    ),
  },
}
