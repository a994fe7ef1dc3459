// Which operating system this is: kernel, distribution, init.
import { execFile } from 'node:child_process'
import { arch, machine, platform, release, version } from 'node:os'
import type { Mapping } from '../../core/value/index.ts'
import { namesIn, textOf } from './read.ts'

/** Distributions whose short name Salt changes, by the first ten letters of their name. */
const shortNames: Readonly<Record<string, string>> = {
  redhatente: 'RedHat', gentoobase: 'Gentoo', archarm: 'Arch ARM', arch: 'Arch', debian: 'Debian', raspbian: 'Raspbian',
  fedoraremi: 'Fedora', amazonami: 'Amazon', alt: 'ALT', enterprise: 'OEL', oracleserv: 'OEL', cloudserve: 'CloudLinux',
  cloudlinux: 'CloudLinux', almalinux: 'AlmaLinux', scientific: 'ScientificLinux', manjaro: 'Manjaro', manjarolin: 'Manjaro',
  sles: 'SUSE', void: 'Void', slesexpand: 'RES', linuxmint: 'Mint', neon: 'KDE neon', pop: 'Pop', 'pop!_os': 'Pop', rocky: 'Rocky',
  alibabaclo: 'Alinux', photon: 'VMware Photon OS',
} // biome-ignore format: a table
const families: Readonly<Record<string, readonly string[]>> = {
  Debian: [
    'Ubuntu',
    'Mint',
    'Trisquel',
    'elementary OS',
    'elementary',
    'Raspbian',
    'Devuan',
    'Kali',
    'Parrot OS',
    'KDE neon',
    'Pop',
    'Deepin',
    'TurnKey',
    'Univention',
    'Linaro',
  ],
  RedHat: [
    'Fedora',
    'CentOS',
    'CentOS Stream',
    'Amazon',
    'CloudLinux',
    'AlmaLinux',
    'OEL',
    'Rocky',
    'ScientificLinux',
    'VMware Photon OS',
    'ALT',
    'Alinux',
    'RES',
    'XenServer',
  ],
  Suse: ['SLES', 'SLED', 'SUSE', 'openSUSE', 'openSUSE Leap', 'openSUSE Tumbleweed', 'SLES_SAP'],
  Arch: ['Arch ARM', 'Manjaro', 'Antergos', 'EndeavourOS'],
  Gentoo: ['Funtoo'],
}
const packageArchitectures: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  ia32: 'i386',
  arm: 'armhf',
  ppc64: 'ppc64el',
  s390x: 's390x',
  riscv64: 'riscv64',
}

/** Salt's grains about the operating system. */
export async function osGrains(): Promise<Mapping> {
  const kernel =
    { linux: 'Linux', darwin: 'Darwin', win32: 'Windows', freebsd: 'FreeBSD' }[platform() as string] ?? platform()
  const base: Mapping = { kernel, kernelrelease: release(), kernelversion: version(), cpuarch: machine() }
  if (kernel === 'Windows')
    return { ...base, os: 'Windows', os_family: 'Windows', osfullname: version(), osrelease: release() }
  if (kernel !== 'Linux') {
    const os = kernel === 'Darwin' ? 'MacOS' : kernel
    return { ...base, os, os_family: os, osfullname: os, ...releaseGrains(os, os, release()) }
  }
  const [distribution, init, systemd] = await Promise.all([distributionGrains(), initGrain(), systemdGrain()])
  return { ...base, ...distribution, init, ...systemd }
}

async function distributionGrains(): Promise<Mapping> {
  const text = (await textOf('/etc/os-release')) || (await textOf('/usr/lib/os-release'))
  return distributionOf(text, arch())
}

/** The grains that a text of `/etc/os-release` means. */
export function distributionOf(osRelease: string, architecture: string): Mapping {
  const fields: Record<string, string> = {}
  for (const line of osRelease.split('\n')) {
    const found = /^([A-Z_0-9]+)=(["']?)(.*)\2\s*$/.exec(line)
    if (found?.[1] !== undefined) fields[found[1]] = found[3] ?? ''
  }
  const full = fields.NAME ?? 'Linux'
  const name = full
    .replace(/\blinux\b/gi, '')
    .replace(/\s+(gnu|linux)[\s/-]*/gi, ' ')
    .replace(/\/$/, '')
    .trim()
  const os = shortNames[name.replaceAll(' ', '').toLowerCase().slice(0, 10)] ?? name.replace(/ GNU\/?$/, '')
  const family = Object.entries(families).find(([, members]) => members.includes(os))?.[0] ?? os
  const osrelease = fields.VERSION_ID ?? fields.BUILD_ID ?? ''
  const codename = fields.VERSION_CODENAME ?? /\(([^)]*)\)/.exec(fields.VERSION ?? '')?.[1] ?? ''
  return {
    os,
    os_family: family,
    oscodename: codename || (fields.PRETTY_NAME ?? ''),
    osfullname: full,
    lsb_distrib_id: full,
    lsb_distrib_release: osrelease,
    ...(codename === '' ? {} : { lsb_distrib_codename: codename }),
    osarch: family === 'Debian' ? (packageArchitectures[architecture] ?? architecture) : machine(),
    ...releaseGrains(os, full, osrelease),
  }
}

function releaseGrains(os: string, full: string, osrelease: string): Mapping {
  const info = osrelease.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  const [major = ''] = info
  const short = ['Debian', 'FreeBSD', 'OpenBSD', 'NetBSD', 'Mac', 'Raspbian'].includes(os) ? os : full
  return {
    osrelease,
    osrelease_info: info,
    ...(typeof major === 'number' ? { osmajorrelease: major } : {}),
    osfinger: `${short}-${os === 'Ubuntu' || os === 'Pop' ? osrelease : major}`,
  }
}

async function initGrain(): Promise<string> {
  if ((await namesIn('/run/systemd/system')).length > 0) return 'systemd'
  const [program = ''] = (await textOf('/proc/1/cmdline')).split('\0')
  const name = program.split('/').at(-1) ?? ''
  if (name === 'systemd') return 'systemd'
  if (name === 'upstart' || name === 'runit' || name === 'supervisord') return name
  return name.startsWith('openrc') || name === 'init' ? 'sysvinit' : 'unknown'
}

function systemdGrain(): Promise<Mapping> {
  return new Promise((resolve) => {
    execFile('systemctl', ['--version'], { timeout: 2000 }, (error, output) => {
      const found = error === null ? /^systemd (\d+)[^\n]*\n(.*)/.exec(output) : null
      resolve(found === null ? {} : { systemd: { version: found[1] ?? '', features: (found[2] ?? '').trim() } })
    })
  })
}
