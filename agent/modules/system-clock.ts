// The functions of `system` that set the machine's clock, and those about the name people call it by.

import { formatDate, parseDate } from '../date-format.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { writeWhole } from '../filesystem/write.ts'
import type { Arguments } from './arguments.ts'
import { clockText, offsetMinutes } from './clock.ts'
import { which } from './cmd-run.ts'
import { CommandExecutionError, SaltInvocationError } from './errors.ts'
import { type Call, define, type ExecutionFunction, examples } from './module.ts'
import { outputOf, runProgram, succeeds } from './program.ts'

/** Year, month, day, hour, minute, second. */
type Moment = readonly [number, number, number, number, number, number]

/** The moment now, as this machine's clock or one at an offset shows it. */
function now(args: Arguments, call: Call): Moment {
  const text = clockText(call.agent.outside.now() / 1000, args.value('utc_offset'), '%Y %m %d %H %M %S')
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(' ').map(Number)
  return [year, month, day, hour, minute, second]
}

/** Sets the clock and, where there is one that can be set, the one that goes on while the machine is off. */
async function setClock(
  call: Call,
  [year, month, day, hour, minute, second]: Moment,
  offset?: string,
): Promise<boolean> {
  const wanted = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  if (wanted.getUTCMonth() !== month - 1 || wanted.getUTCDate() !== day)
    throw new SaltInvocationError('day is out of range for month')
  if (offset !== undefined) wanted.setTime(wanted.getTime() - offsetMinutes(offset) * 60_000)
  const words = ['date', ...(offset === undefined ? [] : ['-u'])]
  const text = formatDate(wanted.getTime(), '%m%d%H%M%Y', 0)
  const first = await runProgram(call, [...words, text + formatDate(wanted.getTime(), '.%S', 0)])
  // Seconds are more than POSIX promises.
  if (first.retcode !== 0 && !(await succeeds(call, [...words, text])))
    throw new CommandExecutionError(`date failed: ${first.stderr}`)
  return (await hasHardwareClock(call)) ? succeeds(call, ['hwclock', '--systohc']) : true
}

async function hasHardwareClock(call: Call): Promise<boolean> {
  return (await which('hwclock')) !== undefined && (await succeeds(call, ['hwclock', '--test', '--systohc']))
}

/** The first of the formats that fits; undefined where none does. */
function read(text: string, formats: readonly string[]): Date | undefined {
  for (const format of formats) {
    const found = parseDate(text, format)
    if (found !== undefined) return new Date(found)
  }
  return undefined
}

const setDateTime: ExecutionFunction['run'] = (args, call) => {
  const offset = args.textIfAny('utc_offset')
  const names = ['years', 'months', 'days', 'hours', 'minutes', 'seconds']
  const current = now(args, call)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = names.map((name, at) =>
    args.value(name) === null ? (current[at] ?? 0) : args.integer(name),
  )
  return setClock(call, [year, month, day, hour, minute, second], offset)
}

const setTime: ExecutionFunction['run'] = (args, call) => {
  const found = read(args.text('newtime'), ['%I:%M:%S %p', '%I:%M %p', '%H:%M:%S', '%H:%M'])
  if (found === undefined) return false
  const [year, month, day] = now(args, call)
  const moment: Moment = [year, month, day, found.getHours(), found.getMinutes(), found.getSeconds()]
  return setClock(call, moment, args.textIfAny('utc_offset'))
}

const setDate: ExecutionFunction['run'] = (args, call) => {
  const formats = ['%Y-%m-%d', '%m-%d-%Y', '%m-%d-%y', '%m/%d/%Y', '%m/%d/%y', '%Y/%m/%d']
  const found = read(args.text('newdate'), formats)
  if (found === undefined) throw new SaltInvocationError('Invalid date format')
  const [, , , hour, minute, second] = now(args, call)
  const moment: Moment = [found.getFullYear(), found.getMonth() + 1, found.getDate(), hour, minute, second]
  return setClock(call, moment, args.textIfAny('utc_offset'))
}

const machineInfo = '/etc/machine-info'
const pretty = /^\s*PRETTY_HOSTNAME=(.*)$/

async function description(call: Call): Promise<string | false> {
  let text: string | undefined
  if ((await which('hostnamectl')) !== undefined) text = await outputOf(call, ['hostnamectl', 'status', '--pretty'])
  else {
    const lines = ((await readTextIfThere(machineInfo)) ?? '').split('\n')
    const found = lines.findLast((line) => pretty.test(line))
    text =
      found === undefined
        ? undefined
        : pretty
            .exec(found)?.[1]
            ?.trim()
            .replace(/^(["'])(.*)\1$/, '$2')
  }
  if (text === undefined) return false
  return text.replaceAll('\\\\', '\\').replaceAll('\\"', '"').replaceAll('\\n', '\n').replaceAll('\\t', '\t')
}

async function describe(args: Arguments, call: Call): Promise<boolean> {
  const text = args.text('desc').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  if ((await which('hostnamectl')) !== undefined)
    return succeeds(call, ['hostnamectl', 'set-hostname', '--pretty', text])
  const lines = ((await readTextIfThere(machineInfo)) ?? '').split('\n').filter((line) => line !== '')
  const at = lines.findIndex((line) => pretty.test(line))
  lines.splice(at < 0 ? lines.length : at, at < 0 ? 0 : 1, `PRETTY_HOSTNAME="${text}"`)
  await writeWhole(machineInfo, `${lines.join('\n')}\n`)
  return true
}

const offsetDoc = `utc_offset
    It is the time at this offset from UTC, \`\`+0600\`\` for one; in the machine's own zone otherwise.`

/** What they are called by. */
export const clockFunctions: Readonly<Record<string, ExecutionFunction>> = {
  has_settable_hwclock: define(
    '',
    `Return whether there is a hardware clock that can be set.${examples("brine '*' system.has_settable_hwclock")}`,
    (_, call) => hasHardwareClock(call),
    { readOnly: true },
  ),
  set_system_time: define(
    'newtime, utc_offset=None',
    `Set the time of day: \`\`HH:MM\`\`, \`\`HH:MM:SS\`\`, or either with AM or PM behind. False where it cannot be read.

${offsetDoc}${examples("brine '*' system.set_system_time '11:20'", `brine '*' system.set_system_time 22:15:30 "'-0500'"`)}`,
    setTime,
  ),
  set_system_date: define(
    'newdate, utc_offset=None',
    `Set the date: \`\`YYYY-MM-DD\`\`, \`\`MM-DD-YYYY\`\`, \`\`MM-DD-YY\`\`, or with slashes.

${offsetDoc}${examples("brine '*' system.set_system_date '03-28-13'")}`,
    setDate,
  ),
  set_system_date_time: define(
    'years=None, months=None, days=None, hours=None, minutes=None, seconds=None, utc_offset=None',
    `Set the date and time; what is not given stays.

${offsetDoc}${examples("brine '*' system.set_system_date_time 2015 5 12 11 37 53 \"'-0500'\"")}`,
    setDateTime,
  ),
  get_computer_desc: define(
    '',
    `Return the name that people call the machine by; False where it has none.${examples("brine '*' system.get_computer_desc")}`,
    (_, call) => description(call),
    { readOnly: true },
  ),
  set_computer_desc: define(
    'desc',
    `Set the name that people call the machine by, which may be any text.${examples(`brine '*' system.set_computer_desc "Michael's laptop"`)}`,
    describe,
  ),
}
