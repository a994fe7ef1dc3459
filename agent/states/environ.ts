// Salt's `environ` state: variables of the minion's environment.
import { isMapping, type Mapping, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { fine, would, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

/** What a variable would become; undefined where it is so. */
function changeOf(key: string, wanted: Value, unsets: boolean): Value | undefined {
  const now = process.env[key]
  if (wanted !== false) return (now ?? '') === wanted ? undefined : wanted
  if (unsets) return now === undefined ? undefined : null
  return now === '' ? undefined : ''
}

async function setenv(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const value = args.value('value')
  const isOne = typeof value === 'string' || value === false
  if (!isOne && !isMapping(value)) return wrong(name, 'Environ value must be string, dict or False')
  const wanted: Mapping = isOne ? { [name]: value } : value
  const unsets = args.value('false_unsets') === true
  const changes: Mapping = {}
  if (args.value('clear_all') === true)
    for (const key of Object.keys(process.env)) if (!(key in wanted)) changes[key] = unsets ? null : ''
  for (const [key, one] of Object.entries(wanted)) {
    const change = changeOf(key, one, unsets)
    if (change !== undefined) changes[key] = change
  }
  const isChanged = Object.keys(changes).length > 0
  if (call.test) {
    return isChanged
      ? would(name, 'Environ values will be changed', changes)
      : fine(name, 'Environ values are already set with the correct values')
  }
  if (!isChanged) return fine(name, 'Environ values were already set with the correct values')
  const given = args.given(['false_unsets', 'clear_all', 'update_minion', 'permanent'])
  const told = await call.salt('environ.setenv', [wanted], given)
  return isMapping(told) ? fine(name, 'Environ values were set', told) : wrong(name, 'Failed to set environ variables')
}

/** Salt's `environ` states. */
export const environ: StateModule = {
  name: 'environ',
  functions: {
    setenv: defineState(
      'name, value, false_unsets=False, clear_all=False, update_minion=False, permanent=False',
      `Variables of the minion's environment have these values until it ends. The programs it runs inherit them.

value
    The variable's value; or a map of several variables, whatever the name is. False empties one.
false_unsets
    False removes it.
clear_all
    Empty or remove all others.${slsExample(`
a_string_env:
  environ.setenv:
    - name: foo
    - value: bar`)}`,
      setenv,
    ),
  },
}
