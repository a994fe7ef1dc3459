// The machine's time zone and what its hardware clock is set to: by timedatectl where there is one, else by the files.
import { createHash } from 'node:crypto'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import { messageOf } from '../../core/error.ts'
import { pythonStr } from '../../core/value/index.ts'
import { makeLink } from '../filesystem/move.ts'
import { isErrno } from '../filesystem/os-error.ts'
import { exists, isRegularFile } from '../filesystem/paths.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { writeWhole } from '../filesystem/write.ts'
import { which } from './cmd-run.ts'
import { CommandExecutionError, SaltInvocationError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { outputOf, runProgram, succeeds } from './program.ts'

const asking = { readOnly: true }
const familyOf = ({ agent }: Call): string => pythonStr(agent.grains.all().os_family ?? '')
const hasTimedatectl = async (): Promise<boolean> => (await which('timedatectl')) !== undefined

/** What timedatectl prints. Throws CommandExecutionError where it fails. */
async function timedatectl(call: Call): Promise<string> {
  const { retcode, stdout, stderr } = await runProgram(call, ['timedatectl'])
  if (retcode !== 0) throw new CommandExecutionError(`timedatectl failed: ${stderr}`)
  return stdout
}

const unread = (text: string): CommandExecutionError =>
  new CommandExecutionError(`Failed to parse timedatectl output: ${text}\nPlease file an issue with SaltStack`)

/** The words of the file system without Python's number. */
const reason = (error: unknown): string =>
  isErrno(error, 'ENOENT') ? 'No such file or directory' : messageOf(error).replace(/^\[Errno \d+\] /, '')

/** The value of a shell variable in a file; undefined where it is not set. */
function variableIn(text: string, isMeant: (line: string) => boolean): string | undefined {
  const line = text.split('\n').find((each) => !/^\s*#/.test(each) && isMeant(each))
  return line?.split('=').at(-1)
}

/** The functions on the system whose files are below `root`; nothing before the slash for this machine's own. */
class Zones {
  readonly #root: string
  readonly localtime: string
  readonly zoneinfo: string

  constructor(root: string) {
    this.#root = root
    this.localtime = this.at('/etc/localtime')
    this.zoneinfo = this.at('/usr/share/zoneinfo')
  }

  at(path: string): string {
    return `${this.#root}${path}`
  }

  async zone(call: Call): Promise<string> {
    if (await hasTimedatectl()) {
      const text = await timedatectl(call)
      const found = /^\s*Time ?zone:\s+(\S+)/m.exec(text)?.[1]
      if (found === undefined) throw unread(text)
      return found
    }
    const family = familyOf(call)
    if (pythonStr(call.agent.grains.all().os ?? '').toLowerCase() === 'centos' || family === 'Slackware')
      return this.#ofLink()
    if (family.includes('RedHat') || family.includes('Suse')) return this.#ofClock()
    if (family.includes('Debian') || family.includes('Gentoo')) return this.#ofTimezone()
    throw new CommandExecutionError('Unable to get timezone')
  }

  async #ofTimezone(): Promise<string> {
    const path = this.at('/etc/timezone')
    try {
      return (await readFile(path, 'utf8')).trim()
    } catch (error) {
      throw new CommandExecutionError(`Problem reading timezone file ${path}: ${reason(error)}`, error)
    }
  }

  async #ofClock(): Promise<string> {
    const path = this.at('/etc/sysconfig/clock')
    const value = variableIn(await readFile(path, 'utf8'), (line) => line.includes('ZONE') && line.includes('='))
    if (value === undefined) throw new CommandExecutionError(`Unable to get timezone from ${path}`)
    return value.replace(/^['"]+|['"]+$/g, '') || 'UTC'
  }

  /** Where the link leads, or the zone whose file has the same contents. */
  async #ofLink(): Promise<string> {
    try {
      const path = normalize(join(this.at('/etc'), await readlink(this.localtime)))
      if (path.startsWith(`${this.zoneinfo}/`)) return path.slice(this.zoneinfo.length + 1)
    } catch (error) {
      if (isErrno(error, 'ENOENT')) throw new CommandExecutionError(`${this.localtime} does not exist`)
      if (!isErrno(error, 'EINVAL')) throw error
      const same = await this.#sameAs(await digestOf(this.localtime))
      if (same !== undefined) return same
    }
    throw new CommandExecutionError('Unable to determine timezone')
  }

  async #sameAs(digest: string): Promise<string | undefined> {
    for (const entry of await readdir(this.zoneinfo, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(this.zoneinfo.length + 1)
      if (entry.isFile() && !/^[a-z]/.test(name) && (await digestOf(path)) === digest) return name
    }
    return undefined
  }

  async isZone(call: Call, timezone: string): Promise<boolean> {
    if (familyOf(call).includes('Arch') && !(await isRegularFile(this.localtime)))
      return timezone === (await this.zone(call))
    const path = join(this.zoneinfo, timezone)
    let now: Buffer
    try {
      now = await readFile(this.localtime)
    } catch (error) {
      const words = `Failed to read ${this.localtime} to determine current timezone: ${reason(error)}`
      throw new CommandExecutionError(words, error)
    }
    const wanted = await readFile(path).catch(() => undefined)
    if (wanted === undefined) throw new SaltInvocationError(`Can't find a local timezone "${timezone}"`)
    return now.equals(wanted)
  }

  async set(call: Call, timezone: string): Promise<boolean | string> {
    if (await hasTimedatectl()) await runProgram(call, ['timedatectl', 'set-timezone', timezone])
    const path = join(this.zoneinfo, timezone)
    if (!(await exists(path))) return `Zone does not exist: ${path}`
    await makeLink(path, this.localtime, { force: true, atomic: true, follow: false })
    const family = familyOf(call)
    if (family.includes('RedHat')) await this.#setVariable('/etc/sysconfig/clock', 'ZONE', `"${timezone}"`)
    else if (family.includes('Suse')) await this.#setVariable('/etc/sysconfig/clock', 'TIMEZONE', `"${timezone}"`)
    else if (family.includes('Debian') || family.includes('Gentoo'))
      await writeWhole(this.at('/etc/timezone'), `${timezone.trim()}\n`)
    return true
  }

  /** Gives a variable that is in the file another value. */
  async #setVariable(file: string, name: string, value: string): Promise<void> {
    const path = this.at(file)
    const text = await readTextIfThere(path)
    const next = text?.replace(new RegExp(`^${name}=.*$`, 'gm'), () => `${name}=${value}`)
    if (next !== undefined && next !== text) await writeWhole(path, next)
  }

  async hardwareClock(call: Call): Promise<string | null> {
    if (await hasTimedatectl()) {
      const text = await timedatectl(call)
      const line = text.split('\n').find((each) => each.toLowerCase().includes('rtc in local tz'))
      if (line === undefined) throw unread(text)
      return line.split(':').at(-1)?.trim().toLowerCase() === 'yes' ? 'localtime' : 'UTC'
    }
    const family = familyOf(call)
    if (family.includes('Debian')) {
      const text = (await readTextIfThere(this.at('/etc/default/rcS'))) ?? ''
      const value = variableIn(text, (line) => line.includes('UTC='))
      if (value !== undefined) return value.toLowerCase() === 'yes' ? 'UTC' : 'localtime'
      return this.#adjtime()
    }
    if (family.includes('Gentoo') && !(await exists(this.at('/etc/adjtime')))) return this.#gentooClock()
    return ['RedHat', 'Suse', 'Gentoo'].some((one) => family.includes(one)) ? this.#adjtime() : null
  }

  async #gentooClock(): Promise<string> {
    const path = this.at('/etc/conf.d/hwclock')
    const text = await readTextIfThere(path)
    if (text === undefined)
      throw new CommandExecutionError(`Problem reading offset file ${path}: No such file or directory`)
    const value = variableIn(text, (line) => line.startsWith('clock='))?.replace(/^['"]+|['"]+$/g, '')
    if (value === 'UTC') return value
    if (value === 'local') return 'LOCAL'
    throw new CommandExecutionError(`Correct offset value not found in ${path}`)
  }

  /** The last line of the file that hwclock keeps; null where there is neither that nor a clock. */
  async #adjtime(): Promise<string | null> {
    const path = this.at('/etc/adjtime')
    const text = await readTextIfThere(path)
    if (text !== undefined) return text.trimEnd().split('\n').at(-1) ?? ''
    if (await exists(this.at('/dev/rtc')))
      throw new CommandExecutionError(`Unable to get hwclock timezone from ${path}`)
    return null
  }

  async setHardwareClock(call: Call, clock: string): Promise<boolean> {
    const isLocal = clock === 'localtime'
    if (await hasTimedatectl()) return succeeds(call, ['timedatectl', 'set-local-rtc', isLocal ? 'true' : 'false'])
    const timezone = await this.zone(call)
    const path = join(this.zoneinfo, timezone)
    if (!(await exists(path))) throw new CommandExecutionError(`Zone '${path}' does not exist`)
    await makeLink(path, this.localtime, { force: true, atomic: true, follow: false })
    const family = familyOf(call)
    if (family.includes('RedHat')) await this.#setVariable('/etc/sysconfig/clock', 'ZONE', `"${timezone}"`)
    else if (family.includes('Suse')) await this.#setVariable('/etc/sysconfig/clock', 'TIMEZONE', `"${timezone}"`)
    else if (family.includes('Debian')) {
      if (isLocal || clock === 'UTC') await this.#setVariable('/etc/default/rcS', 'UTC', isLocal ? 'no' : 'yes')
    } else if (family.includes('Gentoo')) {
      if (!isLocal && clock !== 'UTC') throw new SaltInvocationError("Only 'UTC' and 'localtime' are allowed")
      await this.#setVariable('/etc/conf.d/hwclock', 'clock', `"${isLocal ? 'local' : clock}"`)
    }
    return true
  }
}

const digestOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

/** Salt's `timezone` module, on the system whose files are below `root`. */
export function timezoneAt(root: string): ExecutionModule {
  const zones = new Zones(root)
  return {
    name: 'timezone',
    file: 'timezone',
    functions: {
      get_zone: define(
        '',
        `Return the time zone, such as America/Denver.${examples("brine '*' timezone.get_zone")}`,
        (_, call) => zones.zone(call),
        asking,
      ),
      get_zonecode: define(
        '',
        `Return the zone's short name as it is now, such as MDT.${examples("brine '*' timezone.get_zonecode")}`,
        (_, call) => outputOf(call, ['date', '+%Z']),
        asking,
      ),
      get_offset: define(
        '',
        `Return how far the zone is from UTC now, such as -0700.${examples("brine '*' timezone.get_offset")}`,
        (_, call) => outputOf(call, ['date', '+%z']),
        asking,
      ),
      set_zone: define(
        'timezone',
        `Set the time zone. Programs that run already keep the old one until they are restarted.${examples("brine '*' timezone.set_zone 'America/Denver'")}`,
        (args, call) => zones.set(call, args.text('timezone')),
      ),
      zone_compare: define(
        'timezone',
        `Return whether the machine's zone is this one: whether both files are the same.${examples("brine '*' timezone.zone_compare 'America/Denver'")}`,
        (args, call) => zones.isZone(call, args.text('timezone')),
        asking,
      ),
      get_hwclock: define(
        '',
        `Return what the hardware clock is set to: \`\`UTC\`\` or \`\`localtime\`\`.${examples("brine '*' timezone.get_hwclock")}`,
        (_, call) => zones.hardwareClock(call),
        asking,
      ),
      set_hwclock: define(
        'clock',
        `Say what the hardware clock is set to: \`\`UTC\`\` or \`\`localtime\`\`.${examples("brine '*' timezone.set_hwclock UTC")}`,
        (args, call) => zones.setHardwareClock(call, args.text('clock')),
      ),
    },
  }
}

/** Salt's `timezone` module. */
export const timezone = timezoneAt('')
