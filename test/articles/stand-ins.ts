// Programs that stand for a machine's own, first on PATH: systemd's, apt's and dpkg's, over a folder instead of the machine.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A unit is a folder below `units`; `active` and `enabled` are files in it, and `log` says what was done to it. */
const systemctl = `
units="$here/units"
while [ "$1" = --no-block ] || [ "$1" = --system ]; do shift; done
verb=$1; name=\${2%.service}
known() { [ -d "$units/$name" ] || { echo "Unit $name.service could not be found." >&2; exit $1; }; }
case $verb in
--version) echo 'systemd 252 (252.38-1~deb12u1)';;
status) known 4; [ -e "$units/$name/active" ] || exit 3;;
is-active) [ -e "$units/$name/active" ] || exit 3;;
is-enabled) known 1; if [ -e "$units/$name/enabled" ]; then echo enabled; else echo disabled; exit 1; fi;;
start|restart) known 5; echo $verb >>"$units/$name/log"; : >"$units/$name/active";;
reload) known 5; echo reload >>"$units/$name/log";;
stop) known 5; echo stop >>"$units/$name/log"; rm -f "$units/$name/active";;
enable) known 1; : >"$units/$name/enabled";;
disable) known 1; rm -f "$units/$name/enabled";;
show) printf 'Id=%s.service\\n' "$name";;
list-unit-files) for unit in "$units"/*; do echo "\${unit##*/}.service enabled"; done;;
daemon-reload) ;;
*) echo "unexpected: systemctl $*" >&2; exit 64;;
esac
`

/** Installs what is named, with a unit of its name, as Debian's packages of services do; they are running then. */
const aptGet = `
verb= names=
while [ $# -gt 0 ]; do
  case $1 in
  -o|-t) shift;;
  -*) ;;
  *) if [ -z "$verb" ]; then verb=$1; else names="$names $1"; fi;;
  esac
  shift
done
case $verb in
update) ;;
install) for name in $names; do name=\${name%%=*}; : >"$here/packages/$name"; mkdir -p "$here/units/$name"
  : >"$here/units/$name/active"; : >"$here/units/$name/enabled"; done;;
remove|purge) for name in $names; do rm -rf "$here/packages/$name" "$here/units/$name"; done;;
*) echo "unexpected: apt-get $verb$names" >&2; exit 64;;
esac
`

const dpkgQuery = `
for package in "$here/packages"/*; do
  [ -e "$package" ] && echo "install ok installed \${package##*/} 2.4.62-1~deb12u2 $(dpkg --print-architecture)"
done
exit 0
`

/** Nothing but the words that say which version there is. */
const aptCache = `
[ "$1" = -q ] && shift
verb=$1; shift
for name in "$@"; do
  case $verb in
  policy) printf '%s:\\n  Installed: (none)\\n  Candidate: 2.4.62-1~deb12u2\\n' "$name";;
  show) printf 'Package: %s\\nVersion: 2.4.62-1~deb12u2\\n\\n' "$name";;
  esac
done
`

const programs = { systemctl, 'apt-get': aptGet, 'dpkg-query': dpkgQuery, 'apt-cache': aptCache }

/** Which program is stood for. */
export type StandIn = keyof typeof programs

/**
 * Writes those programs into a folder that is first on PATH. What they keep is in `here`: `packages/NAME`, and
 * `units/NAME/` with `active`, `enabled` and `log`.
 */
export function putStandIns(bin: string, here: string, names: readonly StandIn[]): void {
  for (const folder of [bin, join(here, 'packages'), join(here, 'units')]) mkdirSync(folder, { recursive: true })
  for (const name of names)
    writeFileSync(join(bin, name), `#!/bin/sh\nhere='${here}'${programs[name]}`, { mode: 0o755 })
}
