// Makes dist/brine-minion_<version>_all.deb of what `npm run build` made: `npm run deb`. Needs dpkg-deb.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const out = process.argv[2] ?? join(root, `dist/brine-minion_${version}_all.deb`)

/** What goes where, and with which mode. */
const files = [
  ['dist/brine-minion.mjs', 'usr/lib/brine/brine-minion.mjs', 0o755],
  ['packaging/brine-minion.sh', 'usr/bin/brine-minion', 0o755],
  ['packaging/brine-minion.service', 'lib/systemd/system/brine-minion.service', 0o644],
  ['packaging/deb/minion.conf', 'etc/brine/minion', 0o640],
  ['LICENSE', 'usr/share/doc/brine-minion/copyright', 0o644],
  ...['postinst', 'prerm', 'postrm'].map((name) => [`packaging/deb/${name}`, `DEBIAN/${name}`, 0o755]),
]
/** Directories that hold nothing yet, and who may look into them. */
const directories = [
  ['etc/brine/minion.d', 0o755],
  ['etc/brine/pki/minion', 0o700],
  ['var/lib/brine/minion', 0o700],
  ['var/cache/brine/minion', 0o700],
  ['var/log/brine', 0o750],
]

function control(kilobytes) {
  return `Package: brine-minion
Version: ${version}
Architecture: all
Maintainer: Brine maintainers <maintainers@brine.invalid>
Installed-Size: ${kilobytes}
Depends: nodejs (>= 20)
Recommends: inotify-tools
Section: admin
Priority: optional
Description: Brine's minion
 ${description}. This package (${license}) is the agent that
 runs on every machine of a fleet: events, beacons, jobs and states.
`
}

if (!existsSync(join(root, 'dist/brine-minion.mjs')))
  throw new Error('build-deb: no dist/brine-minion.mjs: run npm run build first')
// What lies between the directories named here is made with it, and dpkg-deb takes no folder that is root's alone.
process.umask(0o022)
const tree = mkdtempSync(join(tmpdir(), 'brine-deb-'))
try {
  chmodSync(tree, 0o755)
  for (const [path, mode] of directories) {
    mkdirSync(join(tree, path), { recursive: true })
    chmodSync(join(tree, path), mode)
  }
  for (const [from, to, mode] of files) {
    mkdirSync(dirname(join(tree, to)), { recursive: true })
    copyFileSync(join(root, from), join(tree, to))
    chmodSync(join(tree, to), mode)
  }
  const bytes = files.reduce((sum, [, to]) => sum + statSync(join(tree, to)).size, 0)
  writeFileSync(join(tree, 'DEBIAN/control'), control(Math.ceil(bytes / 1024)))
  writeFileSync(join(tree, 'DEBIAN/conffiles'), '/etc/brine/minion\n')
  const made = spawnSync('dpkg-deb', ['--root-owner-group', '--build', tree, out], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`build-deb: dpkg-deb: ${made.error?.message ?? made.stderr}`)
  process.stdout.write(`${out}\n`)
} finally {
  rmSync(tree, { recursive: true, force: true })
}
