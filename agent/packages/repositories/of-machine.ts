// Which repositories of packages this machine has.
import { pythonStr } from '../../../core/value/index.ts'
import { CommandExecutionError } from '../../modules/errors.ts'
import type { Call } from '../../modules/module.ts'
import { aptRepositories } from './apt-repositories.ts'
import { dnfRepositories } from './dnf-repositories.ts'
import type { Repositories } from './repositories.ts'

/** Those of this machine, by its grains. */
export function repositoriesOf(call: Call): Repositories {
  const found = repositoriesIfAny(call)
  if (found !== undefined) return found
  throw new CommandExecutionError('Repo management not implemented on this platform')
}

/** {@link repositoriesOf}; undefined where there is nothing that manages them. */
export function repositoriesIfAny({ agent }: Call): Repositories | undefined {
  const family = pythonStr(agent.grains.all().os_family ?? '')
  return { Debian: aptRepositories, RedHat: dnfRepositories }[family]
}

/** Whether this machine's package manager has keys of its own that are added and removed. */
export function hasKeys({ agent }: Call): boolean {
  return agent.grains.all().os_family === 'Debian'
}
