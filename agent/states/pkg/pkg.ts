// Salt's `pkg` states.
import type { Mapping } from '../../../core/value/index.ts'
import { modBeacon } from '../mod-beacon.ts'
import { wrong } from '../outcome.ts'
import { type AgentState, defineState, type StateModule, slsExample } from '../state-module.ts'
import { downloaded, groupInstalled } from './downloaded.ts'
import { held, unheld } from './held.ts'
import { installed } from './installed.ts'
import { latest, uptodate } from './latest.ts'
import { gone } from './removed.ts'

const which = `

name
    The package, unless \`\`pkgs\`\` names others.
pkgs
    A list of packages; \`\`name: version\`\` for a version.`

const installedWords =
  'name, version=None, refresh=None, fromrepo=None, skip_verify=False, skip_suggestions=False, pkgs=None, sources=None, allow_updates=False, pkg_verify=False, normalize=True, ignore_epoch=None, reinstall=False, update_holds=False'

/** The same function once more. */
const modWatch: AgentState['run'] = (args, call) => {
  const fun = args.textIfAny('sfun') ?? ''
  const again: Readonly<Record<string, AgentState['run']>> = {
    installed,
    latest,
    removed: gone('remove'),
    purged: gone('purge'),
  }
  return again[fun]?.(args, call) ?? wrong(args.text('name'), `pkg.${fun} does not work with the watch requisite`)
}

function beaconOptions(name: string, _: Mapping, given: Mapping): Mapping {
  return { pkgs: given.pkgs ?? [name], interval: 60 }
}

/** Packages that are there or not. */
export const pkg: StateModule = {
  name: 'pkg',
  functions: {
    mod_beacon: modBeacon('pkg', {
      kind: 'pkg',
      funs: ['installed', 'removed'],
      words: 'mod_beacon state function',
      options: beaconOptions,
    }),
    mod_watch: defineState(
      `${installedWords}, sfun=None, **kwargs`,
      'Called where something that is watched has changed: sees to the packages once more.',
      modWatch,
    ),
    installed: defineState(
      `${installedWords}, **kwargs`,
      `Ensure that packages are installed.${which}
version
    The version of the package \`\`name\`\`; also \`\`latest\`\`, \`\`>=1.2\`\` or \`\`1.*\`\`.
sources
    A list of \`\`name: path or URL\`\` of package files.
refresh
    Fetch the package lists first. By default the first state of a run that installs something does so.
hold
    True holds the packages at their version, False lets them go.
allow_updates
    A later version than the one wanted will do.
aggregate
    True: the packages of the later states of this function are installed with these, in one go.
reinstall
    Install anew what is there.
pkg_verify
    Refused: files that differ from their package are not looked for.
skip_suggestions
    Always so: other names are never proposed for a package that is not found.
fromrepo, skip_verify, install_recommends, only_upgrade
    As the package manager knows them.${slsExample(`
apache:
  pkg.installed:
    - name: apache2

mypkgs:
  pkg.installed:
    - pkgs:
      - foo
      - bar: 1.2.3-4`)}`,
      installed,
    ),
    latest: defineState(
      'name, refresh=None, fromrepo=None, skip_verify=False, pkgs=None, watch_flags=True, **kwargs',
      `Ensure that packages are installed at the newest version there is.${which}
refresh
    Fetch the package lists first. By default the first state of a run that installs something does so.${slsExample(`
nginx:
  pkg.latest: []`)}`,
      latest,
    ),
    removed: defineState(
      'name, version=None, pkgs=None, normalize=True, ignore_epoch=None, **kwargs',
      `Ensure that packages are not installed.${which}
version
    Only this version is removed.${slsExample(`
telnet:
  pkg.removed: []`)}`,
      gone('remove'),
    ),
    purged: defineState(
      'name, version=None, pkgs=None, normalize=True, ignore_epoch=None, **kwargs',
      `Ensure that packages are not installed, and that nothing of their configuration is left.${which}${slsExample(`
telnet:
  pkg.purged: []`)}`,
      gone('purge'),
    ),
    downloaded: defineState(
      'name, version=None, pkgs=None, fromrepo=None, ignore_epoch=None, **kwargs',
      `Ensure that the files of packages are on the machine, without installing them.${which}
version
    The version of the package \`\`name\`\`.${slsExample(`
zsh:
  pkg.downloaded:
    - version: 5.0.5-4.63`)}`,
      downloaded,
    ),
    group_installed: defineState(
      'name, skip=None, include=None, **kwargs',
      `Not available: apt knows no groups of packages, and those of dnf are installed by \`\`cmd.run\`\`. It says so and fails.${slsExample(`
the packages instead:
  pkg.installed:
    - pkgs:
      - gcc
      - make`)}`,
      groupInstalled,
    ),
    uptodate: defineState(
      'name, refresh=False, pkgs=None, **kwargs',
      `Ensure that the system, or those packages of it that \`\`pkgs\`\` names, is at the newest version.${slsExample(`
system:
  pkg.uptodate:
    - refresh: True`)}`,
      uptodate,
    ),
    held: defineState(
      'name, version=None, pkgs=None, replace=False, **kwargs',
      `Ensure that packages are held at their version.${which}
replace
    Hold no others.${slsExample(`
kernel:
  pkg.held:
    - name: linux-image-amd64`)}`,
      held,
    ),
    unheld: defineState(
      'name, version=None, pkgs=None, all=False, **kwargs',
      `Ensure that packages are not held at their version.${which}
all
    Hold no package at all.${slsExample(`
kernel:
  pkg.unheld:
    - name: linux-image-amd64`)}`,
      unheld,
    ),
  },
}
