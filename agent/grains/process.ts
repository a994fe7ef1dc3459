// The agent's own process: who runs it, where, with what.
import { createHash } from 'node:crypto'
import { readlink } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Mapping } from '../../core/value/index.ts'
import { accountById, groupName } from '../modules/users.ts'
import { brineVersion, nodeVersion, saltVersion } from '../version.ts'
import { textOf } from './read.ts'

/** Salt's grains about the minion itself. */
export async function processGrains(id: string, master: string): Promise<Mapping> {
  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  const [account, group, machine, parameters, zone, python] = await Promise.all([
    accountById(uid),
    groupName(gid),
    textOf('/etc/machine-id').then(async (text) => text || textOf('/var/lib/dbus/machine-id')),
    textOf('/proc/cmdline'),
    zoneText(),
    pythonVersion(),
  ])
  const path = process.env.PATH ?? ''
  return {
    id,
    master,
    server_id: serverId(id),
    ...(machine.trim() === '' ? {} : { machine_id: machine.trim() }),
    cwd: workingDirectory(),
    pid: process.pid,
    uid,
    gid,
    username: account?.name ?? process.env.USER ?? '',
    groupname: group ?? '',
    shell: process.env.SHELL || '/bin/sh',
    path,
    systempath: path.split(':'),
    ps: 'ps -efHww',
    saltversion: saltVersion,
    saltversioninfo: saltVersion.split('.').map(Number),
    pythonversion: python,
    brineversion: brineVersion,
    nodeversion: nodeVersion,
    locale_info: localeInfo(zone),
    kernelparams: parameters.trim() === '' ? [] : parameters.trim().split(/\s+/).map(parameter),
    transactional: false,
  }
}

/** A number below 2³¹ that is the id's alone, more or less: SHA-256 modulo. */
export function serverId(id: string): number {
  const hash = createHash('sha256').update(id).digest()
  return hash.readUInt32BE(28) % 2 ** 31
}

function parameter(word: string): [string, string | null] {
  const equals = word.indexOf('=')
  return equals < 0 ? [word, null] : [word.slice(0, equals), word.slice(equals + 1)]
}

function localeInfo(zone: string): Mapping {
  const { LC_ALL, LC_CTYPE, LANG } = process.env
  const [language, encoding] = (LC_ALL || LC_CTYPE || LANG || '').split('.')
  return {
    defaultlanguage: language === '' || language === undefined || language === 'C' ? null : language,
    defaultencoding: encoding ?? null,
    detectedencoding: 'utf-8',
    timezone: timezoneName(zone, new Date().getTimezoneOffset()),
  }
}

/** The zone's file: that which TZ names, or the machine's; TZ itself where it names none. */
async function zoneText(): Promise<string> {
  const named = process.env.TZ?.replace(/^:/, '') ?? ''
  if (named === '') return textOf('/etc/localtime')
  return (await textOf(resolve('/usr/share/zoneinfo', named))) || named
}

/**
 * The time zone's short name (`UTC`, `CEST`) from the last line of a zone file, which is POSIX's TZ text, or from such a
 * text; `offset` is in minutes west of Greenwich now. `Intl` would know too, for 8 MiB of memory.
 */
export function timezoneName(zoneFile: string, offset: number): string {
  const rule = zoneFile.trimEnd().split('\n').at(-1) ?? ''
  const found = /^(<[^>]+>|[A-Za-z]{3,})([-+]?\d+)(?::(\d+))?(<[^>]+>|[A-Za-z]{3,})?/.exec(rule)
  if (found === null) return /^[A-Za-z]{3,5}$/.test(rule) ? rule : 'UTC'
  const [, standard = '', hours = '0', minutes = '0', daylight] = found
  const west = Number(hours) * 60 + Math.sign(Number(hours)) * Number(minutes)
  return (daylight !== undefined && offset !== west ? daylight : standard).replace(/[<>]/g, '')
}

/**
 * Formulas choose names of packages by the Python that Salt runs in (`python3-mysqldb`): 3, and the minor number of the
 * machine's own where `python3` is a link to it, as it is in every distribution.
 */
async function pythonVersion(): Promise<number[]> {
  const target = await readlink('/usr/bin/python3').catch(() => '')
  const minor = /^python3\.(\d+)$/.exec(basename(target))?.[1]
  return minor === undefined ? [3] : [3, Number(minor)]
}

function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return '/'
  }
}
