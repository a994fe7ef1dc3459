// Salt's `pip` states: Python packages.
import { messageOf } from '../../../core/error.ts'
import { isMapping, pythonStr, pythonTruth } from '../../../core/value/index.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError, CommandNotFoundError } from '../../modules/errors.ts'
import { placeDoc } from '../../modules/pip/run.ts'
import { normalName } from '../../packages/requirement.ts'
import { fine, would, wrong } from '../outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from '../state-module.ts'
import { installed } from './installed.ts'

async function removed(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const place = args.given(['bin_env', 'user', 'cwd'])
  let names: string[]
  try {
    const told = await call.salt('pip.list', [], place)
    names = isMapping(told) ? Object.keys(told) : []
  } catch (error) {
    if (!(error instanceof CommandNotFoundError || error instanceof CommandExecutionError)) throw error
    return wrong(name, `Error uninstalling '${name}': ${messageOf(error)}`)
  }
  if (!names.some((one) => normalName(one) === normalName(name))) return fine(name, 'Package is not installed.')
  if (call.test) return would(name, `Package ${name} is set to be removed`)
  const more = args.given(['requirements', 'log', 'proxy', 'timeout'])
  const told = await call.salt('pip.uninstall', [], { pkgs: [name], ...place, ...more, saltenv: call.env })
  // Salt says that it was removed whatever pip returned.
  return isMapping(told) && told.retcode === 0
    ? fine(name, 'Package was successfully removed.', { [name]: 'Removed' })
    : wrong(name, 'Could not remove package.')
}

async function uptodate(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const place = args.given(['bin_env', 'user', 'cwd'])
  try {
    if (!pythonTruth(await call.salt('pip.list_upgrades', [], place)))
      return fine(name, 'System is already up-to-date.')
  } catch (error) {
    return wrong(name, messageOf(error))
  }
  if (call.test) return would(name, 'System update will be performed')
  const told = await call.salt('pip.upgrade', [], place)
  if (!isMapping(told) || told.result !== true) {
    const { changes = {}, comment = 'Failed to update.' } = isMapping(told) ? told : {}
    return wrong(name, pythonStr(comment), isMapping(changes) ? changes : {})
  }
  // As in Salt, all that the function returned.
  return fine(name, 'Upgrade successful.', told)
}

/** Salt's `pip` states. */
export const pip: StateModule = {
  name: 'pip',
  functions: {
    installed: defineState(
      'name, pkgs=None, pip_bin=None, requirements=None, bin_env=None, use_wheel=False, no_use_wheel=False, log=None, proxy=None, timeout=None, repo=None, editable=None, find_links=None, index_url=None, extra_index_url=None, no_index=False, mirrors=None, build=None, target=None, download=None, download_cache=None, source=None, upgrade=False, force_reinstall=False, ignore_installed=False, exists_action=None, no_deps=False, no_install=False, no_download=False, install_options=None, global_options=None, user=None, cwd=None, pre_releases=False, cert=None, allow_all_external=False, allow_external=None, allow_unverified=None, process_dependency_links=False, env_vars=None, use_vt=False, trusted_host=None, no_cache_dir=False, cache_dir=None, no_binary=None, extra_args=None, **kwargs',
      `Python packages are installed, in the versions that are asked for. Most arguments are pip's options of these names.

name
    The package, with versions where they matter: \`\`django >= 1.6, <= 1.7\`\`. A link is one too.
pkgs
    Several packages, in the place of the name.
requirements
    A file of requirements, of this machine or of the master's (\`\`salt://\`\`), in the place of the name.
editable
    A project to install from where it is worked on, in the place of the name.
upgrade
    Install the newest version of those that are asked for.
env_vars
    A map of variables that pip finds in its environment.
extra_args
    Further options, each a text or a map of an option and its value.
${placeDoc.trim()}${slsExample(`
app:
  pip.installed:
    - pkgs:
        - django >= 4.2, < 5
        - gunicorn
    - bin_env: /srv/venv`)}`,
      installed,
    ),
    removed: defineState(
      'name, requirements=None, bin_env=None, log=None, proxy=None, timeout=None, user=None, cwd=None, use_vt=False',
      `A Python package is not installed.

name
    The package.
${placeDoc.trim()}${slsExample(`
django:
  pip.removed:
    - bin_env: /srv/venv`)}`,
      removed,
    ),
    uptodate: defineState(
      'name, bin_env=None, user=None, cwd=None, use_vt=False',
      `All Python packages are the newest there are.

name
    Nothing but the state's name.
${placeDoc.trim()}${slsExample(`
everything:
  pip.uptodate:
    - bin_env: /srv/venv`)}`,
      uptodate,
    ),
  },
}
