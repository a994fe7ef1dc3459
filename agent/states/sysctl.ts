// Salt's `sysctl` state: parameters of the kernel, now and after the next boot.
import { messageOf } from '../../core/error.ts'
import { isMapping, pythonStr } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import { fine, would, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

const words = (text: string): string => text.split(/\s+/).filter(Boolean).join(' ')

/** What test mode says. */
async function foreseen(name: string, value: string, config: string, call: StateCall): Promise<StateReturn> {
  const kept = await call.salt('sysctl.show', [], { config_file: config })
  if (kept === null)
    return would(
      name,
      `Sysctl option ${name} might be changed, we failed to check config file at ${config}. The file is either unreadable, or missing.`,
    )
  const isKept = isMapping(kept) && kept[name] !== undefined
  const now = pythonStr(await call.salt('sysctl.get', [name]))
  if (now !== '' && isKept && words(now) === words(value))
    return fine(name, `Sysctl value ${name} = ${value} is already set`)
  if (now !== '' && !isKept) {
    return words(now) === words(value)
      ? would(
          name,
          `Sysctl value is currently set on the running system but not in a config file. Sysctl option ${name} set to be changed to ${value} in config file.`,
        )
      : would(name, `Sysctl option ${name} set to be changed to ${value}`)
  }
  if (now === '' && isKept)
    return would(
      name,
      `Sysctl value ${name} is present in configuration file but is not present in the running config. The value ${name} is set to be changed to ${value}`,
    )
  return would(name, `Sysctl option ${name} would be changed to ${value}`)
}

async function present(args: Arguments, call: StateCall): Promise<StateReturn> {
  const [name, value] = [args.text('name'), args.text('value')]
  const config = args.textIfAny('config') ?? pythonStr(await call.salt('sysctl.default_config', []))
  if (call.test) return foreseen(name, value, config, call)
  try {
    const told = await call.salt('sysctl.persist', [name, args.value('value'), config])
    if (told === 'Updated')
      return fine(name, `Updated sysctl value ${name} = ${value}`, { [name]: args.value('value') })
    return fine(name, `Sysctl value ${name} = ${value} is already set`)
  } catch (error) {
    if (error instanceof CommandExecutionError)
      return wrong(name, `Failed to set ${name} to ${value}: ${messageOf(error)}`)
    throw error
  }
}

/** Salt's `sysctl` states. */
export const sysctl: StateModule = {
  name: 'sysctl',
  functions: {
    present: defineState(
      'name, value, config=None',
      `A parameter of the kernel has a value, now and after the next boot.

config
    The file it is kept in.${slsExample(`
vm.swappiness:
  sysctl.present:
    - value: 20`)}`,
      present,
    ),
  },
}
