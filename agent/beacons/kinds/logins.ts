// The `wtmp` and `btmp` beacons: log-ins, log-outs and failed log-ins, from the files that login(1) writes.
import { existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { isList, type Mapping, type Value } from '../../../core/value/index.ts'
import type { BeaconEvent, BeaconKind } from '../beacon.ts'
import { mapOf, numberOf } from '../entry.ts'
import { Follower } from '../follower.ts'
import { timeOfDay } from '../time-of-day.ts'

/** Bytes of one record of utmp(5) on 64 bit. */
const recordSize = 384
const loginType = 7
const logoutType = 8

/** One record of utmp(5), with the fields that Salt's event has. */
export function loginRecord(bytes: Buffer): Mapping & { type: number; line: string; user: string } {
  const text = (from: number, length: number): string => {
    const whole = bytes.toString('utf8', from, from + length)
    return whole.replace(/^\0+|\0[\s\S]*$/g, '')
  }
  return {
    type: bytes.readInt16LE(0),
    PID: bytes.readInt32LE(4),
    line: text(8, 32),
    inittab: text(40, 4),
    user: text(44, 32),
    hostname: text(76, 256),
    exit_status: bytes.readInt16LE(332),
    session: bytes.readInt32LE(336),
    time: bytes.readInt32LE(340),
    addr: bytes.readInt32LE(344),
  }
}

/** What tells a kind's file and groups; for tests in another place than this machine. */
export interface LoginFiles {
  readonly records: string
  /** The text of /etc/group. */
  readonly groups: () => Promise<string>
}

const groups = (): Promise<string> => readFile('/etc/group', 'utf8')

/** `wtmp`: who logs in and out. */
export function wtmpBeacon(files: LoginFiles = { records: '/var/log/wtmp', groups }): BeaconKind {
  return loginsBeacon('wtmp', 'Tell log-ins and log-outs; `action` says which.', files)
}

/** `btmp`: who fails to log in. */
export function btmpBeacon(files: LoginFiles = { records: '/var/log/btmp', groups }): BeaconKind {
  return loginsBeacon('btmp', 'Tell log-ins that failed.', files)
}

function loginsBeacon(name: 'wtmp' | 'btmp', what: string, files: LoginFiles): BeaconKind {
  return {
    name,
    doc: `${what} Users and groups narrow it down, each with its hours.

.. code-block:: yaml

    beacons:
      ${name}:
        - users:
            gareth:
              time_range: {start: '8am', end: '4pm'}
        - groups:
            wheel: {}
        - defaults:
            time_range: {start: '8am', end: '4pm'}`,
    unavailable: () => (existsSync(files.records) ? undefined : `${files.records} does not exist.`),
    validate: (options) => validate(name, options),
    open(world) {
      const file = new Follower(open)
      const terminals = new Map<string, string>()
      return {
        async look(options) {
          const { bytes } = await file.read(files.records)
          const whole = bytes.length - (bytes.length % recordSize)
          file.giveBack(bytes.length - whole)
          const users = await usersOf(options, files)
          const events: BeaconEvent[] = []
          for (let at = 0; at < whole; at += recordSize) {
            const record = loginRecord(bytes.subarray(at, at + recordSize))
            const event = name === 'wtmp' ? withAction(record, options, terminals) : record
            if (isWanted(String(event.user), users, options, new Date(world.now() / 1000))) events.push(event)
          }
          return events
        },
      }
    },
  }
}

/** The record of a log-out names only the terminal: the user is whoever logged in there. */
function withAction(
  record: Mapping & { type: number; line: string; user: string },
  options: Mapping,
  terminals: Map<string, string>,
): Mapping {
  const types = mapOf(options.ut_type) ?? {}
  if (record.type === (numberOf(types.login) ?? loginType)) {
    terminals.set(record.line, record.user)
    return { ...record, action: 'login' }
  }
  if (record.type !== (numberOf(types.logout) ?? logoutType)) return record
  const user = terminals.get(record.line) ?? record.user
  terminals.delete(record.line)
  return { ...record, user, action: 'logout' }
}

/** The users that are asked for, members of groups among them; undefined where everybody is meant. */
async function usersOf(options: Mapping, { groups }: LoginFiles): Promise<Map<string, Value> | undefined> {
  const users = new Map(Object.entries(mapOf(options.users) ?? {}))
  const asked = mapOf(options.groups) ?? {}
  if (Object.keys(asked).length > 0) {
    for (const line of (await groups()).split('\n')) {
      const [group = '', , , members = ''] = line.split(':')
      for (const member of members.split(',').filter((one) => one !== ''))
        if (asked[group] !== undefined && !users.has(member)) users.set(member, asked[group])
    }
  }
  return options.users === undefined && options.groups === undefined ? undefined : users
}

function isWanted(user: string, users: Map<string, Value> | undefined, options: Mapping, now: Date): boolean {
  if (users !== undefined && !users.has(user)) return false
  const range = mapOf(users?.get(user))?.time_range ?? mapOf(options.defaults)?.time_range
  const { start, end } = mapOf(range) ?? {}
  if (typeof start !== 'string' || typeof end !== 'string') return true
  const [from, to] = [timeOfDay(start), timeOfDay(end)]
  if (from === undefined || to === undefined) throw new TypeError(`no time of day: ${start}, ${end}`)
  const seconds = now.getHours() * 3600 + now.getMinutes() * 60 + now.getSeconds()
  return from <= seconds && seconds <= to
}

function validate(name: string, options: Mapping): string | undefined {
  for (const [key, word] of [
    ['users', 'User'],
    ['groups', 'Group'],
  ] as const) {
    if (options[key] === undefined) continue
    const entries = mapOf(options[key])
    if (entries === undefined) return `${word} configuration for ${name} beacon must be a dictionary.`
    for (const entry of Object.values(entries)) {
      const wrong = rangeProblem(name, mapOf(entry)?.time_range)
      if (wrong !== undefined) return wrong
    }
  }
  if (options.defaults === undefined) return undefined
  const defaults = mapOf(options.defaults)
  if (defaults === undefined) return `Defaults configuration for ${name} beacon must be a dictionary.`
  return rangeProblem(name, defaults.time_range)
}

function rangeProblem(name: string, range: Value | undefined): string | undefined {
  if (range === undefined || range === null || (isList(range) && range.length === 0)) return undefined
  const map = mapOf(range)
  if (map === undefined) return `The time_range parameter for ${name} beacon must be a dictionary.`
  return map.start === undefined || map.end === undefined
    ? `The time_range parameter for ${name} beacon must contain start & end options.`
    : undefined
}
