// `brine-call`: a function in the minion's place, printed and ended as salt-call does.
import { resolve } from 'node:path'
import {
  type AgentSetup,
  type CallAgent,
  type CallOptions,
  type CallResult,
  connectLocalBus,
  localBusAddress,
  openCall,
  systemOutside,
} from '../../agent/index.ts'
import { settingsOf } from '../../agent/settings.ts'
import { minionConfig } from '../../client/configuration.ts'
import { callMisuse, docstring, parseInput, splitKwargs, yamlifyArg } from '../../core/arguments/index.ts'
import { BrineError, messageOf } from '../../core/error.ts'
import { matchTag } from '../../core/event/tag-glob.ts'
import type { Value } from '../../core/value/index.ts'
import {
  type BrineCallInvocation,
  noParseNames,
  outputOptions,
  type ParsedOptions,
  readBrineCall,
} from '../options/index.ts'
import { chooseOutputter } from '../output/choose.ts'
import { eventLine } from '../output/event-line.ts'
import { parseContext } from '../parse-context.ts'
import type { Io } from './io.ts'
import { openLog } from './log.ts'
import { overrides } from './minion.ts'
import { printTo } from './print.ts'
import { watchRequest } from './state-event.ts'
import { toFile } from './to-file.ts'

/** Runs `brine-call` with the words after its name; answers the exit code, Salt's. */
export async function callMain(argv: readonly string[], io: Io): Promise<number> {
  const invocation = await readBrineCall(argv, parseContext())
  if (invocation.kind === 'end') {
    await io.out(invocation.stdout)
    io.err(invocation.stderr)
    return invocation.exit
  }
  try {
    const words = wordsOf(invocation)
    return words.fun === 'state.event' ? await watchLocal(invocation, io) : await call(invocation, words, io)
  } catch (error) {
    io.err(`[ERROR   ] ${messageOf(error)}\n`)
    return (error instanceof BrineError ? exits[error.code] : undefined) ?? 1
  }
}

/** What it ends with where it does not come to the function. */
const exits: Readonly<Record<string, number>> = { usage: 64, 'no-master': 2 }

interface Words {
  readonly fun: string
  readonly words: readonly string[]
}

/** `-g` is a function too. */
function wordsOf({ options, fun, words }: BrineCallInvocation): Words {
  if (options.flag('grains_run')) return { fun: 'grains.items', words: [] }
  return { fun: fun ?? '', words }
}

async function call({ options }: BrineCallInvocation, { fun, words }: Words, io: Io): Promise<number> {
  const setup = withRoots(await minionConfig(overrides(options), io.environment, false, io.err), options)
  const level = options.text('log_level') ?? setup.config.log_level
  const log = openLog({
    name: 'brine.call',
    format: 'console',
    level,
    fileLevel: options.text('log_level_logfile') ?? setup.config.log_level_logfile ?? level,
    file: options.text('log_file'),
  })
  const agent = await openCall(setup, callOptions(options), systemOutside(log))
  try {
    if (options.flag('doc')) {
      await tellDocs(agent.view.functions, fun, io)
      return 0
    }
    const metadata = options.text('metadata')
    const result = await agent.run({
      fun,
      arg: parseInput(words, { noParse: noParseNames(options) }),
      words,
      returners: options.text('return'),
      noReturn: options.flag('no_return_event'),
      ...(metadata === undefined ? {} : { metadata: yamlifyArg(metadata) }),
    })
    const ret = { id: settingsOf(setup).id, fun, fun_args: [...words] }
    return await tell(result, ret, options, setup.config, toFile(io, options))
  } finally {
    await agent.close()
    await log.close()
  }
}

/** How the command line says that the caller is opened. */
function callOptions(options: ParsedOptions): CallOptions {
  const timeout = options.number('auth_timeout')
  return {
    ...(options.flag('local') ? { local: true } : {}),
    ...(timeout === undefined ? {} : { timeout }),
    moduleDirs: options.list('module_dirs').map((folder) => resolve(folder)),
    skipGrains: options.flag('skip_grains'),
  }
}

/** `--file-root` and `--pillar-root`: one folder in the place of those that are configured. */
function withRoots<Setup extends AgentSetup>(setup: Setup, options: ParsedOptions): Setup {
  const roots: Record<string, { base: string[] }> = {}
  for (const [option, key] of [
    ['file_root', 'file_roots'],
    ['pillar_root', 'pillar_roots'],
  ] as const) {
    const folder = options.text(option)
    if (folder !== undefined) roots[key] = { base: [resolve(folder)] }
  }
  const { written = {} } = setup
  const kept = written instanceof Map ? Object.fromEntries([...written].map(([key, v]) => [String(key), v])) : written
  return { ...setup, config: { ...setup.config, ...roots }, written: { ...kept, ...roots } }
}

/** `-d`: the docs as they are written, of every function whose name begins like this. */
async function tellDocs(functions: CallAgent['view']['functions'], prefix: string, io: Io): Promise<void> {
  for (const name of functions.names().sort()) {
    if (name.startsWith(prefix)) await io.out(`${name}:\n${docstring(functions.get(name)?.doc ?? '')}\n\n`)
  }
}

async function tell(
  result: CallResult,
  ret: { readonly id: string; readonly fun: string; readonly fun_args: Value[] },
  options: BrineCallInvocation['options'],
  settings: object,
  io: Io,
): Promise<number> {
  const show = async (value: Value, own?: string): Promise<void> => {
    const name = chooseOutputter({ asked: options.text('output'), returned: own, fun: ret.fun })
    await printTo(io, value, name, outputOptions(options, { ...settings }, io.isTty))
  }
  switch (result.kind) {
    case 'returned': {
      const { jid, retcode, out } = result
      if (options.flag('print_metadata')) {
        const own = out === undefined ? {} : { out }
        await show({ local: { jid, return: result.return, retcode, ...own, ...ret } }, 'nested')
      } else await show({ local: result.return }, out)
      if (retcode === 0) return 0
      return options.flag('retcode_passthrough') ? retcode : 1
    }
    case 'alike':
      await show({ local: result.return })
      return 1
    case 'unavailable':
      io.err(`${result.message}\n`)
      return 255
    case 'misused':
      io.err(callMisuse(result.words))
      await io.out(`${result.doc}\n`)
      return 1
    case 'failed':
      io.err(`${result.message}\n`)
      return 1
  }
}

/** `brine-call state.event`: the minion's own bus. */
async function watchLocal({ options, words }: BrineCallInvocation, io: Io): Promise<number> {
  const { arg, kwarg } = splitKwargs(parseInput(words))
  const request = watchRequest(arg, kwarg)
  const setup = await minionConfig(overrides(options), io.environment, false, io.err)
  const bus = await connectLocalBus(
    options.text('sock') ?? localBusAddress(setup.config.sock_dir, settingsOf(setup).id),
  )
  let seen = 0
  for await (const event of bus.events(io.interrupted)) {
    if (!matchTag(request.tag, event.tag)) continue
    if (!request.quiet) await io.out(`${eventLine(event, request.pretty)}\n`)
    seen++
    if (request.count >= 0 && seen >= request.count) break
  }
  bus.close()
  return 0
}
