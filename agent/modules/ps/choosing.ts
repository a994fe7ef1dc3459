// Finding processes by name, user or state, and sending signals to them.
import { constants } from 'node:os'
import { float, type Mapping, type Value } from '../../../core/value/index.ts'
import { pause } from '../../connection/backoff.ts'
import { textPattern } from '../../filesystem/pattern.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError, PythonError, SaltInvocationError } from '../errors.ts'
import type { Call } from '../module.ts'
import { outputOf } from '../program.ts'
import { bootTime, memoryOf, nameOf, owners, type Process, processes, processOf } from './processes.ts'

/** Ids of the processes that `pattern`, `user` and `full` ask for. */
export async function matching(args: Arguments): Promise<number[]> {
  const pattern = args.text('pattern')
  const isFull = args.is('full')
  const regex = args.is('pattern_is_regex') ? textPattern(pattern) : undefined
  const user = args.textIfAny('user')
  const ownerOf = await owners()
  const found: number[] = []
  for (const process of await processes()) {
    const line = isFull ? process.command.join(' ') : nameOf(process)
    if (regex === undefined ? !line.includes(pattern) : !regex.test(line)) continue
    if (user === undefined || (await ownerOf(process.pid)) === user) found.push(process.pid)
  }
  return found
}

/** Sends a signal to one process; false where there is none. Never to a group of processes. */
export function send(pid: number, signal: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 0)
    throw new PythonError('ValueError', `pid must be a positive integer (got ${pid})`)
  if (pid === 0) return false
  if (!Object.values(constants.signals).includes(signal as never) && signal !== 0)
    throw new CommandExecutionError(`There is no signal ${signal}: kill -l lists those there are.`)
  try {
    process.kill(pid, signal)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'ESRCH') return false
    throw new CommandExecutionError(
      `This minion may not send a signal to process ${pid} (${String(error.code)}).`,
      error,
    )
  }
}

/** `ps.pkill`: which processes were told. */
export async function killMatching(args: Arguments): Promise<Value> {
  const signal = args.integer('signal')
  const killed = (await matching(args)).filter((pid) => send(pid, signal))
  return killed.length === 0 ? null : { killed }
}

/** `ps.psaux`: the pattern, the lines of `ps aux` it is found in, and how many they are. */
export async function psaux(args: Arguments, call: Call): Promise<Value> {
  const name = args.text('name')
  const pattern = textPattern(name)
  const lines = (await outputOf(call, ['ps', 'aux'])).split('\n')
  const found = lines.filter((line) => pattern.test(line) && !/(salt|brine).+ps\.psaux.+/.test(line))
  return [name, found, `${found.length} occurrence(s).`]
}

/** `ps.status`: those in a state. */
export async function inState(args: Arguments): Promise<Value> {
  // Salt's doc writes `disk_sleep`, psutil says `disk-sleep`.
  const wanted = (args.textIfAny('status') ?? '').replaceAll('_', '-')
  if (wanted === '') throw new SaltInvocationError('Filter is required for ps.status')
  return (await processes())
    .filter(({ status }) => status === wanted)
    .map((process) => ({ pid: process.pid, name: nameOf(process) }))
}

const used = ({ times }: Process): number => times.user + times.system

/** `ps.top`: those that used the processors most during `interval` seconds. */
export async function top(args: Arguments, call: Call): Promise<Value> {
  const begin = new Map((await processes()).map((process) => [process.pid, process]))
  await pause((args.numberIfAny('interval') ?? 0) * 1000, call.signal)
  const since = ({ pid, started }: Process): Process | undefined =>
    begin.get(pid)?.started === started ? begin.get(pid) : undefined
  const diffs = (await processes()).flatMap((now) => {
    const before = since(now)
    return before === undefined ? [] : [{ pid: now.pid, diff: used(now) - used(before) }]
  })
  const ownerOf = await owners()
  const boot = await bootTime()
  const told: Mapping[] = []
  for (const { pid } of diffs.sort((a, b) => b.diff - a.diff)) {
    if (told.length >= args.integer('num_processes')) break
    const [process, memory] = await Promise.all([processOf(pid), memoryOf(pid)])
    if (process === undefined || memory === undefined) continue
    told.push({
      cmd: process.command.length > 0 ? [...process.command] : nameOf(process),
      user: (await ownerOf(pid)) ?? null,
      status: process.status,
      pid,
      create_time: float(boot + process.started),
      cpu: Object.fromEntries(Object.entries(process.times).map(([name, seconds]) => [name, float(seconds)])),
      mem: memory,
    })
  }
  return told
}
