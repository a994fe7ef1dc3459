// Salt's `timezone` state: the machine's time zone, and its hardware clock on UTC.

import type { Mapping } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { CommandExecutionError, SaltInvocationError } from '../modules/errors.ts'
import { wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

async function system(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  let isZone: boolean
  try {
    isZone = (await call.salt('timezone.zone_compare', [args.value('name')])) === true
  } catch (error) {
    if (!(error instanceof SaltInvocationError || error instanceof CommandExecutionError)) throw error
    return wrong(name, `Unable to compare desired timezone '${name}' to system timezone: ${error.message}`)
  }
  const isUtc = (await call.salt('timezone.get_hwclock', [])) !== 'localtime'
  const setsUtc = args.is('utc') && !isUtc
  const now = isZone ? [`Timezone ${name} already set`] : []
  if (args.is('utc') && isUtc) now.push(`UTC already set to ${name}`)
  if (isZone && !setsUtc) return { name, changes: {}, result: true, comment: now.join(', ') }
  if (call.test) {
    const would = isZone ? [] : [`Timezone ${name} needs to be set`]
    if (setsUtc) would.push('UTC needs to be set to True')
    return { name, changes: {}, result: null, comment: would.join(', ') }
  }
  const changes: Mapping = {}
  const words: string[] = []
  let result = false
  if (!isZone) {
    // As in Salt, the words that say why it is not set pass for success.
    const told = await call.salt('timezone.set_zone', [args.value('name')])
    result = told !== false
    if (result) changes.timezone = name
    words.push(result ? `Set timezone ${name}` : 'Failed to set timezone')
  }
  if (setsUtc) {
    result = (await call.salt('timezone.set_hwclock', ['UTC'])) === true
    if (result) changes.utc = true
    words.push(result ? 'Set UTC to True' : 'Failed to set UTC to True')
  }
  return { name, changes, result, comment: words.join(', ') }
}

/** Salt's `timezone` states. */
export const timezone: StateModule = {
  name: 'timezone',
  functions: {
    system: defineState(
      'name, utc=True',
      `The machine is in this time zone.

utc
    The hardware clock is set to UTC. False leaves it as it is.${slsExample(`
America/Denver:
  timezone.system:
    - utc: True`)}`,
      system,
    ),
  },
}
