// Services that run or not, at boot too, and what a change they watch does to them.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Mapping, pythonTruth, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError } from '../../modules/errors.ts'
import { fine, would, wrong } from '../outcome.ts'
import type { StateCall, StateReturn } from '../state-module.ts'

const systemdWords = ['no_block', 'unmask', 'unmask_runtime'] as const

/** Of the arguments those that systemd's functions know. */
function forSystemd(args: Arguments, known: readonly string[] = systemdWords): Mapping {
  return Object.fromEntries(Object.entries(args.keywords).filter(([key]) => known.includes(key)))
}

const asks =
  (call: StateCall) =>
  async (fun: string, name: string, more: Mapping = {}): Promise<boolean> =>
    pythonTruth(await call.salt(`service.${fun}`, [name], more))

/** What setting it at boot adds to a state's return. */
type Boot = { result?: boolean | null; comment?: string; changes?: Mapping }

/** In what state a service is found, as comments word it: it runs, it does not, or it was left as it is. */
type Found = boolean | null

const foundWords = (found: Found): string =>
  found === true ? 'is running' : found === null ? 'is in the desired state' : 'is dead'

/** Sets whether a service is started at boot: what the state's return becomes. */
async function atBoot(
  call: StateCall,
  name: string,
  wanted: boolean,
  found: Found,
  result: boolean = true,
): Promise<Boot> {
  const ask = asks(call)
  const word = wanted ? 'enabled' : 'disabled'
  try {
    if (!(await ask('available', name)))
      return { result: !wanted, comment: `The named service ${name} is not available` }
  } catch (error) {
    if (!(error instanceof CommandExecutionError)) throw error
    return { result: false, comment: error.message }
  }
  const before = await ask(word, name)
  if (before) {
    const comment = `Service ${name} is already ${word}, and ${foundWords(found)}`
    return { result, comment, ...(found === null ? { changes: {} } : {}) }
  }
  if (call.test) return { result: null, comment: `Service ${name} set to be ${word}` }
  const failure = await tried(() => ask(wanted ? 'enable' : 'disable', name))
  if (failure === undefined) {
    const after = await ask(word, name)
    return {
      result,
      changes: after === before ? {} : { [name]: true },
      comment: `Service ${name} has been ${word}, and ${foundWords(found)}`,
    }
  }
  return { result: false, comment: `${bootFailure(name, wanted, found)}${failure}` }
}

/** undefined where it went well; else what is to be added to the comment. */
async function tried(work: () => Promise<boolean>): Promise<string | undefined> {
  try {
    return (await work()) ? undefined : ''
  } catch (error) {
    if (!(error instanceof CommandExecutionError)) throw error
    return `. Additional information follows:\n\n${error.message}`
  }
}

function bootFailure(name: string, wanted: boolean, found: Found): string {
  const what = `Failed when setting service ${name} to ${wanted ? '' : 'not '}start at boot,`
  if (found === null) return `${what} but the service was already running`
  if (found) return `${what} ${wanted ? 'but the service is' : 'and is'} running`
  return `${what} and the service is dead`
}

/** `enable: True` or a word for it. */
function enableOf(args: Arguments): Value {
  const enable = args.value('enable')
  return typeof enable === 'string' ? ['true', '1', 'yes', 'on'].includes(enable.toLowerCase()) : enable
}

async function pause(call: StateCall, args: Arguments): Promise<void> {
  const delay = args.numberIfAny('init_delay') ?? 0
  if (delay > 0) await sleep(delay * 1000, undefined, { signal: call.signal })
}

/** What `service.running` and `service.dead` have in common. */
interface Goal {
  readonly fun: 'start' | 'stop'
  readonly isRunning: boolean
  readonly already: (name: string) => string
  readonly would: (name: string) => string
  readonly absent: string
  readonly done: (name: string) => string
  readonly failed: (name: string) => string
}

const run: Goal = {
  fun: 'start',
  isRunning: true,
  already: (name) => `The service ${name} is already running`,
  would: (name) => `Service ${name} is set to start`,
  absent: 'started',
  done: (name) => `Started service ${name}`,
  failed: (name) => `Service ${name} failed to start`,
}

const end: Goal = {
  fun: 'stop',
  isRunning: false,
  already: (name) => `The service ${name} is already dead`,
  would: (name) => `Service ${name} is set to be killed`,
  absent: 'stopped',
  done: (name) => `Service ${name} was killed`,
  failed: (name) => `Service ${name} failed to die`,
}

function bring(goal: Goal): (args: Arguments, call: StateCall) => Promise<StateReturn> {
  return async (args, call) => {
    const name = args.text('name')
    if ('enabled' in args.keywords)
      return wrong(name, `Service ${name} uses non-existent option "enabled".  Perhaps "enable" option was intended?`)
    try {
      return await brought(goal, args, call)
    } catch (error) {
      if (error instanceof CommandExecutionError) return wrong(name, error.message)
      throw error
    }
  }
}

async function brought(goal: Goal, args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const ask = asks(call)
  const enable = enableOf(args)
  if (!(await ask('available', name))) {
    if (call.test)
      return would(name, `Service ${name} not present; if created in this state run, it would have been ${goal.absent}`)
    const comment = `The named service ${name} is not available`
    return goal.isRunning ? wrong(name, comment) : fine(name, comment)
  }
  const before = await ask('status', name)
  const wasEnabled = await ask('enabled', name)
  const mask = goal.isRunning && pythonTruth(args.keywords.unmask ?? false) ? await unmasked(args, call) : undefined
  const withMask = (comment: string): string => [comment, mask?.comment ?? ''].filter((line) => line !== '').join('\n')
  const boot = (found: Found, result = true): Promise<Boot> =>
    enable === true || enable === false ? atBoot(call, name, enable, found, result) : Promise.resolve({})
  if (before === goal.isRunning) {
    const settled = fine(name, withMask(goal.already(name)))
    const isOff = enable === true ? !wasEnabled : enable === false && wasEnabled
    return isOff ? { ...settled, ...(await boot(null)) } : settled
  }
  if (call.test) return would(name, withMask(goal.would(name)))
  const known = goal.isRunning ? systemdWords : ['no_block']
  if (!(await ask(goal.fun, name, forSystemd(args, known))))
    return { ...wrong(name, goal.failed(name)), ...(await boot(!goal.isRunning, false)) }
  await pause(call, args)
  const after = await ask('status', name)
  const isDone = after === goal.isRunning
  const isChanged = after !== before || (await ask('enabled', name)) !== wasEnabled
  const made: StateReturn = {
    name,
    result: isDone,
    changes: isChanged ? { [name]: after } : {},
    comment: isDone ? goal.done(name) : goal.failed(name),
  }
  const booted = await boot(after, isDone)
  const changes = { ...made.changes, ...booted.changes }
  const told = { ...made, ...booted, changes: booted.changes === undefined ? made.changes : changes }
  if (!goal.isRunning) return told
  const delay = args.value('init_delay')
  const late = pythonTruth(delay) ? `\nDelayed return for ${args.text('init_delay')} seconds` : ''
  return { ...told, comment: withMask(`${told.comment}${late}`) }
}

/** `service.running`. */
export const running = bring(run)
/** `service.dead`. */
export const dead = bring(end)

/** `service.enabled` and `service.disabled`. */
export function boot(wanted: boolean) {
  return async (args: Arguments, call: StateCall): Promise<StateReturn> => {
    const name = args.text('name')
    const made = { ...fine(name, ''), ...(await atBoot(call, name, wanted, null)) }
    if (!wanted || !call.test || made.comment !== `The named service ${name} is not available`) return made
    return would(name, `Service ${name} not present; if created in this state run, it would have been enabled`)
  }
}

async function mask(args: Arguments, call: StateCall, wanted: boolean, runtime: boolean): Promise<StateReturn> {
  const name = args.text('name')
  const kind = runtime ? 'runtime masked' : 'masked'
  const word = wanted ? kind : runtime ? 'runtime unmasked' : 'unmasked'
  const ask = asks(call)
  const changes = { [kind]: { old: !wanted, new: wanted } }
  try {
    if ((await ask('masked', name, { runtime })) === wanted)
      return fine(name, `Service ${name} ${wanted ? 'is' : 'was'} already ${word}`)
    if (call.test) return would(name, `Service ${name} would be ${word}`, changes)
    await ask(wanted ? 'mask' : 'unmask', name, { runtime })
    if ((await ask('masked', name, { runtime })) === wanted) return fine(name, `Service ${name} was ${word}`, changes)
    return wrong(name, `Failed to ${wanted ? 'mask' : 'unmask'} service ${name}`)
  } catch (error) {
    if (error instanceof CommandExecutionError) return wrong(name, error.message)
    throw error
  }
}

/** `service.masked`. */
export const masked = (args: Arguments, call: StateCall): Promise<StateReturn> =>
  mask(args, call, true, args.is('runtime'))

/** `service.unmasked`, and what `unmask: True` of `service.running` does. */
export const unmasked = (args: Arguments, call: StateCall): Promise<StateReturn> =>
  mask(args, call, false, args.is('runtime') || pythonTruth(args.keywords.unmask_runtime ?? false))

/** What is done where something that is watched has changed, and how its words go on. */
async function watchedAction(args: Arguments, call: StateCall): Promise<[string, string] | undefined> {
  const isRunning = await asks(call)('status', args.text('name'))
  if (args.value('sfun') === 'dead') return isRunning ? ['stop', 'stop'] : undefined
  if (!isRunning) return ['start', 'start']
  if (args.is('reload')) return args.is('force') ? ['force_reload', 'forcefully reload'] : ['reload', 'reload']
  return ['restart', 'restart']
}

/** What a fired `watch` calls. */
export async function modWatch(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const sfun = args.text('sfun')
  if (sfun !== 'running' && sfun !== 'dead') return wrong(name, `Unable to trigger watch for service.${sfun}`)
  try {
    const action = await watchedAction(args, call)
    if (action === undefined) return fine(name, 'Service is already stopped')
    const [fun, verb] = action
    const past = fun === 'stop' ? 'stopped' : `${verb}ed`
    if (call.test) return would(name, `Service is set to be ${past}`)
    const ask = asks(call)
    if (fun === 'start') await ask('stop', name)
    const known = fun === 'stop' ? ['no_block'] : systemdWords
    const result = await ask(fun, name, forSystemd(args, known))
    await pause(call, args)
    const comment = result ? `Service ${past}` : `Failed to ${verb} the service`
    return { name, changes: { [name]: result }, result, comment }
  } catch (error) {
    if (error instanceof CommandExecutionError) return wrong(name, error.message)
    throw error
  }
}
