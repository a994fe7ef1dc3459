// Python packages, by pip.
import { normalName } from '../../packages/requirement.ts'
import { define, type ExecutionModule, examples } from '../module.ts'
import { install, uninstall } from './change.ts'
import { available, freeze, frozen, listed, upgradeAll, upgrades } from './lists.ts'
import { indexOptions } from './options.ts'
import { pipVersion, placeDoc, placeOf } from './run.ts'

const place = `\n${placeDoc}`

const asking = { readOnly: true }

/** Salt's `pip` module. */
export const pip: ExecutionModule = {
  name: 'pip',
  file: 'pip',
  functions: {
    version: define(
      'bin_env=None, cwd=None, user=None',
      `Return pip's version.${place}${examples("brine '*' pip.version", "brine '*' pip.version bin_env=/srv/venv")}`,
      (args, call) => pipVersion(call, placeOf(args)),
      asking,
    ),
    list: define(
      'prefix=None, bin_env=None, user=None, cwd=None, env_vars=None, **kwargs',
      `Return the packages that are installed with their versions.

prefix
    Only those whose names begin so.${place}${examples("brine '*' pip.list salt", "brine '*' pip.list bin_env=/srv/venv")}`,
      (args, call) => listed(call, placeOf(args), args.textIfAny('prefix')),
      asking,
    ),
    list_freeze_parse: define(
      'prefix=None, bin_env=None, user=None, cwd=None, env_vars=None, **kwargs',
      `Return the packages that are installed with their versions, as \`\`pip freeze\`\` tells them: names in their one spelling.

prefix
    Only those whose names begin so.${place}${examples("brine '*' pip.list_freeze_parse salt")}`,
      (args, call) => frozen(call, placeOf(args), args.textIfAny('prefix')),
      asking,
    ),
    freeze: define(
      'bin_env=None, user=None, cwd=None, use_vt=False, env_vars=None, **kwargs',
      `Return the packages that are installed as lines of requirements.${place}${examples("brine '*' pip.freeze bin_env=/srv/venv")}`,
      (args, call) => freeze(call, placeOf(args)),
      asking,
    ),
    is_installed: define(
      'pkgname, bin_env=None, user=None, cwd=None',
      `Whether a package is installed.${place}${examples("brine '*' pip.is_installed salt")}`,
      async (args, call) => {
        const names = Object.keys(await listed(call, placeOf(args)))
        return names.some((name) => normalName(name) === normalName(args.text('pkgname')))
      },
      asking,
    ),
    normalize: define(
      'name',
      `Return a project's name in its one spelling: small letters, hyphens.${examples("brine '*' pip.normalize Typing_Extensions")}`,
      (args) => normalName(args.text('name')),
      asking,
    ),
    list_upgrades: define(
      'bin_env=None, user=None, cwd=None',
      `Return the packages of which there are newer versions, with the newest and the kind of its file.${place}${examples("brine '*' pip.list_upgrades")}`,
      (args, call) => upgrades(call, placeOf(args)),
      asking,
    ),
    upgrade_available: define(
      'pkg, bin_env=None, user=None, cwd=None',
      `Whether there is a newer version of a package.${place}${examples("brine '*' pip.upgrade_available requests")}`,
      async (args, call) => Object.hasOwn(await upgrades(call, placeOf(args)), args.text('pkg')),
      asking,
    ),
    upgrade: define(
      'bin_env=None, user=None, cwd=None, use_vt=False',
      `Install the newest version of every package. Returns what changed.${place}${examples("brine '*' pip.upgrade bin_env=/srv/venv")}`,
      (args, call) => upgradeAll(call, placeOf(args)),
    ),
    list_all_versions: define(
      'pkg, bin_env=None, include_alpha=False, include_beta=False, include_rc=False, user=None, cwd=None, index_url=None, extra_index_url=None',
      `Return all versions of a package that can be installed, the newest last, or None.

include_alpha, include_beta, include_rc
    With such pre-releases.
index_url
    Where packages are looked for.
extra_index_url
    Where else.${place}${examples("brine '*' pip.list_all_versions requests")}`,
      (args, call) => {
        const marks = { a: 'include_alpha', b: 'include_beta', rc: 'include_rc' }
        return available(call, placeOf(args), {
          name: args.text('pkg'),
          marks: Object.entries(marks).flatMap(([mark, name]) => (args.is(name) ? [mark] : [])),
          index: indexOptions(args),
        })
      },
      asking,
    ),
    install: define(
      "pkgs=None, requirements=None, bin_env=None, use_wheel=False, no_use_wheel=False, log=None, proxy=None, timeout=None, editable=None, find_links=None, index_url=None, extra_index_url=None, no_index=False, mirrors=None, build=None, target=None, download=None, download_cache=None, source=None, upgrade=False, force_reinstall=False, ignore_installed=False, exists_action=None, no_deps=False, no_install=False, no_download=False, global_options=None, install_options=None, user=None, cwd=None, pre_releases=False, cert=None, allow_all_external=False, allow_external=None, allow_unverified=None, process_dependency_links=False, saltenv='base', env_vars=None, use_vt=False, trusted_host=None, no_cache_dir=False, extra_args=None, cache_dir=None, no_binary=None, disable_version_check=False, **kwargs",
      `Install packages. Returns what pip told. Most arguments are pip's options of these names.

pkgs
    The packages, in a list or between commas (semicolons then between the parts of a range of versions).
requirements
    Files of requirements, of this machine or of the master's (\`\`salt://\`\`).
editable
    Projects to install from where they are worked on; links need \`\`#egg=\`\`.
env_vars
    A map of variables that pip finds in its environment.
extra_args
    Further options, each a text or a map of an option and its value.${place}${examples("brine '*' pip.install markdown,django", "brine '*' pip.install requirements=salt://app/requirements.txt bin_env=/srv/venv")}`,
      install,
    ),
    uninstall: define(
      "pkgs=None, requirements=None, bin_env=None, log=None, proxy=None, timeout=None, user=None, cwd=None, saltenv='base', use_vt=False, extra_args=None",
      `Remove packages. Returns what pip told.

pkgs
    The packages, in a list or between commas.
requirements
    Files of requirements, of this machine or of the master's (\`\`salt://\`\`).${place}${examples("brine '*' pip.uninstall markdown,django", "brine '*' pip.uninstall requirements=/srv/app/requirements.txt bin_env=/srv/venv")}`,
      uninstall,
    ),
  },
}
