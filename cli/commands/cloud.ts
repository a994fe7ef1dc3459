// `brine-cloud`: machines made, asked for, changed and ended by the master, with salt-cloud's words and prompts.
import type { Connection } from '../../client/connection.ts'
import { parseInput, splitKwargs } from '../../core/arguments/index.ts'
import type { RunRequest } from '../../core/protocol/index.ts'
import { entries, isMap, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { CloudAction } from '../options/index.ts'
import type { OutputOptions } from '../output/outputter.ts'
import { followedRun, type RunEnd } from './followed-run.ts'
import type { Io } from './io.ts'
import { printTo } from './print.ts'

/** What the command line asks for, and how to ask and print. */
export interface CloudCommand {
  readonly action: CloudAction
  readonly yes: boolean
  readonly deploy: boolean
  readonly parallel: boolean
  /** The region that is asked, in place of each provider's own. */
  readonly location?: string | undefined
  readonly out?: string | undefined
  readonly print: OutputOptions
}

/** What went wrong, as salt-cloud says it, by what was being done. */
const troubles: Readonly<Record<string, string>> = {
  query: 'There was an error with a map: ',
  full_query: 'There was an error with a map: ',
  select_query: 'There was an error with a map: ',
  list_providers: 'There was an error listing providers: ',
  list_profiles: 'There was an error listing profiles: ',
  list_locations: 'There was an error listing locations: ',
  list_images: 'There was an error listing images: ',
  list_sizes: 'There was an error listing sizes: ',
  destroy: 'There was an error destroying machines: ',
  action: 'There was an error actioning machines: ',
  profile: 'There was a profile error: ',
}

/** 0 where it was done, or was not to be done; 1 where it failed, as salt-cloud ends; 130 where the user interrupts. */
export async function cloudCommand(connection: Connection, command: CloudCommand, io: Io): Promise<number> {
  const { action } = command
  const finish = async (fun: string, arg: readonly Value[], kwarg: Mapping = {}): Promise<number> => {
    const answer = await runOnMaster(connection, { fun, arg, kwarg }, io)
    if (answer === undefined) return 130
    const value = answer.return
    if (!answer.success) return failed(action.kind === 'function' ? 'function' : fun, pythonStr(value), io)
    if (fun === 'profile') for (const error of errorsIn(value)) io.err(`[ERROR   ] ${error}\n`)
    await printTo(io, value, command.out ?? 'nested', command.print)
    return 0
  }
  const making: Mapping = {
    ...(command.deploy ? {} : { deploy: false }),
    ...(command.parallel ? { parallel: true } : {}),
  }
  const place: Mapping = command.location === undefined ? {} : { location: command.location }
  const act = async (fun: string, names: readonly string[], kwarg: Mapping): Promise<number> => {
    const question = `The following virtual machines are set to be actioned with "${fun}":\n${names.map((name) => `  ${name}\n`).join('')}`
    if (!(await confirmed(question, command, io))) return 0
    return finish('action', [fun], { instances: [...names], ...kwarg })
  }
  switch (action.kind) {
    case 'query':
      return finish(action.fun, [], place)
    case 'list':
      return finish(action.fun, [action.provider], place)
    case 'map':
      return (await import('./cloud-map.ts')).mapCommand(action, {
        run: (fun, arg, kwarg) => runOnMaster(connection, { fun, arg, kwarg }, io),
        confirmed: (question) => confirmed(question, command, io),
        show: (value) => printTo(io, value, command.out ?? 'nested', command.print),
        failed: (trouble, text) => failedWith(trouble, text, io),
        destroy: (names) => destroy(connection, command, names, finish, io),
        act: (names) => (action.what.kind === 'action' ? act(action.what.fun, names, {}) : Promise.resolve(1)),
        making,
        io,
      })
    case 'function':
      return finish('action', [action.fun], { provider: action.provider, ...kwargsOf(action.words) })
    case 'profile':
      return finish('profile', [action.profile, [...action.names]], making)
    case 'action': {
      const names = action.words.filter((word) => !word.includes('='))
      return act(action.fun, names, kwargsOf(action.words))
    }
    case 'destroy':
      return destroy(connection, command, action.names, finish, io)
  }
}

async function destroy(
  connection: Connection,
  command: CloudCommand,
  names: readonly string[],
  finish: (fun: string, arg: readonly Value[], kwarg?: Mapping) => Promise<number>,
  io: Io,
): Promise<number> {
  const answer = await runOnMaster(connection, { fun: 'query', arg: [], kwarg: {} }, io)
  if (answer === undefined) return 130
  if (!answer.success) return failed('destroy', pythonStr(answer.return), io)
  const matching = matchingOf(answer.return, names)
  if (matching.length === 0) {
    await io.out('No machines were found to be destroyed\n')
    return 0
  }
  const lines = matching.map(({ alias, driver, found }) => {
    const each = found.map((name) => `      ${name}\n`).join('')
    return `  ${alias}:\n    ${driver}:\n${each}`
  })
  const question = `The following virtual machines are set to be destroyed:\n${lines.join('')}`
  if (!(await confirmed(question, command, io))) return 0
  const found = [...new Set(matching.flatMap((each) => each.found))]
  return finish('destroy', [found], command.parallel ? { opts: { parallel: true } } : {})
}

interface Matching {
  readonly alias: string
  readonly driver: string
  readonly found: readonly string[]
}

function matchingOf(listed: Value, names: readonly string[]): Matching[] {
  return pairs(listed).flatMap(([alias, drivers]) =>
    pairs(drivers).flatMap(([driver, machines]) => {
      const found = pairs(machines).flatMap(([name]) => (names.includes(name) ? [name] : []))
      return found.length === 0 ? [] : [{ alias, driver, found }]
    }),
  )
}

function pairs(value: Value): [string, Value][] {
  return value !== null && isMap(value) ? entries(value).map(([key, item]) => [pythonStr(key), item]) : []
}

/** salt-cloud's question: what will be done, an empty line, and Enter means no. */
async function confirmed(question: string, { yes }: CloudCommand, io: Io): Promise<boolean> {
  if (yes) return true
  await io.out(`${question}\n`)
  const answer = await io.ask('Proceed? [N/y] ')
  if (answer?.toLowerCase().startsWith('y') !== true) return false
  await io.out('... proceeding\n')
  return true
}

/** What salt-cloud logs besides: why a machine was not made. */
function errorsIn(made: Value): string[] {
  return pairs(made).flatMap(([key, each]) => {
    const error = key === 'Error' ? each : pairs(each).find(([name]) => name === 'Error')?.[1]
    return typeof error === 'string' ? [error] : []
  })
}

function kwargsOf(words: readonly string[]): Mapping {
  return splitKwargs(parseInput(words.filter((word) => word.includes('=')))).kwarg
}

function failed(fun: string, text: string, io: Io): number {
  return failedWith(troubles[fun] ?? 'There was an error running the function: ', text, io)
}

function failedWith(trouble: string, text: string, io: Io): number {
  const reason = text.replace(/^Exception occurred in runner cloud\.\w+: /, '')
  io.err(`Error: ${trouble}${reason.trimEnd()}\n`)
  return 1
}

/** Starts a run and waits for its end on the bus: the making of machines takes longer than a request may. */
async function runOnMaster(
  connection: Connection,
  { fun, arg, kwarg }: { readonly fun: string; readonly arg: readonly Value[]; readonly kwarg: Mapping },
  io: Io,
): Promise<RunEnd | undefined> {
  const request: RunRequest = { client: 'runner', fun: `cloud.${fun}`, arg: [...arg], kwarg }
  const { started, end } = await followedRun(connection, request, io)
  const ended = await end()
  if (ended === undefined) io.err(`\nIt goes on as job ${started.jid}; brine-cloud -Q tells how the machines stand.\n`)
  return ended
}
