// Which package manager this machine has.
import { pythonStr } from '../../core/value/index.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import type { Call } from '../modules/module.ts'
import { apk } from './apk.ts'
import { apt } from './apt.ts'
import { dnf } from './dnf.ts'
import type { PackageManager } from './package-manager.ts'

/** The package manager of this machine, by its grains. Throws CommandExecutionError where none is known. */
export function packageManagerOf(call: Call): PackageManager {
  const family = pythonStr(call.agent.grains.all().os_family ?? '')
  const found = { Debian: apt, RedHat: dnf, Alpine: apk }[family]
  if (found !== undefined) return found
  throw new CommandExecutionError(
    `Packages of the os_family '${family}' cannot be managed: there are package managers for Debian, RedHat and Alpine.`,
  )
}
