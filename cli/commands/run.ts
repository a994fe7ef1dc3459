// `brine-run`: a runner function, its progress and its outcome printed as salt-run prints them.
import type { Connection } from '../../client/connection.ts'
import { parseInput, splitKwargs } from '../../core/arguments/index.ts'
import { BrineError } from '../../core/error.ts'
import type { RunAnswer } from '../../core/protocol/index.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { chooseOutputter } from '../output/choose.ts'
import type { OutputOptions } from '../output/outputter.ts'
import type { Io } from './io.ts'
import { followOrchestration, isFollowed, isOfNoFiles, watchOrchestration } from './orchestration.ts'
import { sayOfOrchestration } from './orchestration-log.ts'
import { printTo } from './print.ts'
import { runSayings } from './run-sayings.ts'
import { watchEvents, watchRequest } from './state-event.ts'

/** What the command line says. */
export interface RunCommand {
  readonly fun: string
  readonly args: readonly string[]
  readonly async: boolean
  /** The jid instead of a new one. */
  readonly jid?: string | undefined
  readonly out?: string | undefined
  readonly print: OutputOptions
}

/** Exit codes are Salt's: 0 even for an unknown function, 1 for an exception or a run that failed. */
export async function runCommand(connection: Connection, command: RunCommand, io: Io): Promise<number> {
  const { arg, kwarg } = splitKwargs(parseInput([...command.args]))
  const own = command.jid === undefined ? {} : { jid: command.jid }
  const request = { client: 'runner' as const, fun: command.fun, arg, kwarg, ...own }
  const show = async (value: Value, own?: string): Promise<void> => {
    const outputter = chooseOutputter({ asked: command.out, returned: own, fun: command.fun })
    await printTo(io, value, outputter, command.print)
  }

  if (command.fun === 'state.event') {
    const watched = watchRequest(arg, kwarg)
    await watchEvents(connection, watched, io, () => connection.run({ ...request, async: true }))
    if (!io.interrupted.aborted) await show(null)
    return 0
  }
  if (command.async) {
    const started = await connection.run({ ...request, async: true })
    if (isRefused(started)) return refuse(connection, command.fun, started, show)
    io.err(
      '[WARNING ] Running in asynchronous mode. Results of this execution may be collected by attaching to the master ' +
        `event bus or by examining the master job cache, if configured. This execution is running under tag ${started.tag}\n`,
    )
    return 0
  }
  if (command.fun === 'orch.show' && io.isTty && command.out === undefined && arg.length === 1) {
    await watchOrchestration(connection, pythonStr(arg[0] ?? ''), io, command.print)
    return 0
  }
  // What runs no SLS files shows its results as progress, and what is said of them comes before.
  const before = isOfNoFiles(command.fun) ? (event: Value) => sayOfOrchestration(event, io) : undefined
  const sayings = runSayings(show, io, before)
  const answer = isFollowed(command.fun)
    ? await followOrchestration(connection, { ...request, async: true }, { io, print: command.print, ...sayings })
    : await connection.run(request, sayings.hear)
  await sayings.printed(answer)
  // Interrupted: 130, as shells tell it.
  if (answer === undefined) return 130
  if (isRefused(answer)) return refuse(connection, command.fun, answer, show)
  if (answer.failure === 'arguments' || isMisuse(answer)) {
    await io.out(`${String(answer.return)}\n`)
    return 0
  }
  if (answer.out === 'highstate') await sayOfOrchestration(answer.return ?? null, io)
  await show(answer.return ?? null, answer.out)
  return answer.success === false ? 1 : 0
}

/** Shows what there is instead. */
async function refuse(
  connection: Connection,
  fun: string,
  answer: RunAnswer,
  show: (value: Value) => Promise<void>,
): Promise<number> {
  const docs = isMapping(answer.docs ?? null) ? (answer.docs as Mapping) : await docsOf(connection, `${fun}*`)
  await show(Object.keys(docs).length === 0 ? (answer.return ?? null) : docs)
  return 0
}

/** An orchestration that was followed ends with an event, which tells wrong arguments by its text alone. */
function isMisuse({ success, return: returned, failure }: RunAnswer): boolean {
  return success === false && failure === undefined && /^\s*Passed invalid arguments/.test(pythonStr(returned ?? ''))
}

/** A function that there is not, or not with such keywords: what there is of its name is told instead. */
function isRefused({ failure, success, retcode }: RunAnswer): boolean {
  return failure === 'missing' || failure === 'keywords' || (success === false && retcode === 254)
}

/** `brine-run -d`: each function's name and its doc, as salt-run prints them; of one function or module where it is named. */
export async function docsCommand(connection: Connection, name: string | undefined, io: Io): Promise<number> {
  const docs = await docsOf(connection, name)
  for (const [fun, doc] of Object.entries(docs)) await io.out(`${fun}:\n${pythonStr(doc)}\n`)
  return 0
}

async function docsOf(connection: Connection, name: string | undefined): Promise<Mapping> {
  const answer = await connection.run({
    client: 'runner',
    fun: 'doc.runner',
    arg: name === undefined ? [] : [name],
    kwarg: {},
  })
  const docs = answer.return ?? null
  if (answer.success === false || !isMapping(docs)) throw new BrineError(pythonStr(docs), { code: 'doc' })
  return docs
}
