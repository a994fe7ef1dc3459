// `brine TGT FUN`: a job for minions, its returns printed as salt prints them.
import type { Connection } from '../../client/connection.ts'
import { type Arrival, type CommandOptions, LocalClient } from '../../client/local-client.ts'
import { isMap, type Mapping, type Value } from '../../core/value/index.ts'
import { chooseOutputter } from '../output/choose.ts'
import type { OutputOptions } from '../output/outputter.ts'
import { noReturnNotice, retcodeOf, returnsSummary } from '../output/returns-summary.ts'
import type { Io } from './io.ts'
import { printTo } from './print.ts'

/** What the command line says. */
export interface SaltCommand {
  readonly tgt: string | string[]
  readonly tgtType: string
  readonly fun: string | string[]
  readonly arg: readonly Value[]
  readonly async: boolean
  readonly isStatic: boolean
  readonly verbose: boolean
  readonly summary: boolean
  readonly showJid: boolean
  /** Tell on a terminal how many have returned. */
  readonly progress: boolean
  /** Print minions that stayed silent; `verbose` does too. */
  readonly showTimeout: boolean
  readonly subset?: number | undefined
  readonly options: CommandOptions
  readonly out?: string | undefined
  readonly print: OutputOptions
}

/** Exit codes are Salt's: 0, 1 where a minion failed or stayed silent, 2 where nothing came back. */
export async function saltCommand(connection: Connection, command: SaltCommand, io: Io): Promise<number> {
  const client = new LocalClient(connection)
  const chosen = command.subset === undefined ? command : await subsetOf(client, command, command.subset)
  const published = await client.publish(chosen.tgt, chosen.fun, {
    ...chosen.options,
    tgtType: chosen.tgtType,
    arg: chosen.arg,
  })
  if (command.async) {
    // Salt tells a job ID even where there is none.
    if (published.jid === '') await io.out(noMinions)
    await io.out(`Executed command with job ID: ${published.jid === '' ? '0' : published.jid}\n`)
    return 0
  }
  if (published.jid === '') {
    await io.out(noMinions)
    // No returns are printed as what they are where the outputter has a text for that.
    await printTo(io, {}, chooseOutputter({ asked: command.out, isStatic: command.isStatic }), command.print)
    io.err('ERROR: No return received\n')
    return 2
  }
  // `--static` prints the returns and nothing else.
  if (command.verbose && !command.isStatic) {
    const heading = `Executing job with jid ${published.jid}`
    await io.out(`${heading}\n${'-'.repeat(heading.length)}\n\n`)
  } else if (command.showJid && !command.isStatic) {
    await io.out(`jid: ${published.jid}\n`)
  }
  const seen = new Printed(command, io)
  const interrupted = io.interrupted
  const tell = progressOf(command, published.minions.length, io)
  for await (const arrival of client.gather(published, { ...command.options, signal: interrupted })) {
    tell.clear()
    if (interrupted.aborted) break
    if (arrival.kind === 'return' || tellsSilent(command)) await seen.take(arrival, published.jid)
    tell.step()
  }
  tell.clear()
  if (interrupted.aborted) {
    io.err(
      `\nExiting gracefully on Ctrl-c\nThis job's jid is: ${published.jid}\nThe minions may not have all finished running and any remaining minions will return upon completion.\n\nTo look up the return data for this job later, run the following command:\nbrine-run jobs.lookup_jid ${published.jid}\n`,
    )
    return 1
  }
  // Named, and not there to be asked: told even where those that stayed silent are not.
  if (command.isStatic && published.minions.length === 0) await io.out(noMinions)
  if (!command.isStatic) for (const id of published.missing) await seen.take({ kind: 'silent', id }, published.jid)
  await seen.end()
  return seen.exitCode()
}

/** A line on the terminal that says how many have returned, and goes away where something else is printed. */
function progressOf({ progress }: SaltCommand, all: number, io: Io): { clear(): void; step(): void } {
  let done = 0
  const show = progress && io.isTty
  const draw = (): void => {
    const filled = all === 0 ? 0 : Math.floor((20 * done) / all)
    if (show) io.err(`[${'#'.repeat(filled)}${' '.repeat(20 - filled)}] ${done}/${all}`)
  }
  draw()
  return {
    clear() {
      if (show) io.err('\r\u001b[K')
    },
    step() {
      done++
      draw()
    },
  }
}

/** `--static` leaves out who stayed silent, unless much is to be said. */
function tellsSilent({ showTimeout, verbose, isStatic }: SaltCommand): boolean {
  return verbose || (showTimeout && !isStatic)
}

const noMinions = 'No minions matched the target. No command was sent, no jid was assigned.\n'

/** Prints each arrival, or all of them together with `--static` and for `sys.doc`. */
class Printed {
  readonly #command: SaltCommand
  readonly #io: Io
  readonly #values = new Map<string, { value: Value; retcode?: Value }>()
  readonly #codes: number[] = []
  #out: string | undefined
  constructor(command: SaltCommand, io: Io) {
    this.#command = command
    this.#io = io
  }

  async take(arrival: Arrival, jid: string): Promise<void> {
    const load: Mapping =
      arrival.kind === 'return' ? arrival.load : { return: noReturnNotice(jid), out: 'no_return', retcode: 1 }
    const value = load.return ?? null
    const retcode = load.retcode ?? 0
    this.#values.set(arrival.id, { value, retcode })
    const code = retcodeOf({ value, retcode })
    this.#codes.push(code)
    const own = typeof load.out === 'string' ? load.out : undefined
    this.#out ??= own
    if (!this.#command.isStatic && !this.#isDoc()) await this.#show({ [arrival.id]: value }, own, code)
  }

  async end(): Promise<void> {
    // Sorted, so that what arrives in any order prints in one.
    const all = Object.fromEntries(
      [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, { value }]) => [id, value]),
    )
    if (this.#isDoc()) await this.#showDocs(all)
    else if (this.#command.isStatic) await this.#show(all, undefined, 0)
    const { summary, isStatic, out } = this.#command
    if (summary && !isStatic && !this.#isDoc() && out === undefined) {
      await this.#io.out(`${returnsSummary(this.#values, this.#command.verbose)}\n`)
    }
  }

  exitCode(): number {
    if (this.#values.size === 0) {
      this.#io.err('ERROR: No return received\n')
      return 2
    }
    if (this.#command.isStatic || this.#codes.every((code) => code === 0)) return 0
    this.#io.err('ERROR: Minions returned with non-zero exit code\n')
    return 1
  }

  #isDoc(): boolean {
    return this.#command.fun === 'sys.doc'
  }

  async #show(data: Value, own: string | undefined, retcode: number): Promise<void> {
    const { out, fun, isStatic, print } = this.#command
    const outputter = chooseOutputter({ asked: out, returned: own, isStatic, fun })
    await printTo(this.#io, data, outputter, { ...print, retcode })
  }

  /** The docs of all minions as one list, each function once. */
  async #showDocs(all: Mapping): Promise<void> {
    const docs: Mapping = {}
    for (const value of Object.values(all)) if (isMap(value) && !(value instanceof Map)) Object.assign(docs, value)
    if (this.#command.out !== undefined) return this.#show(docs, undefined, 0)
    for (const name of Object.keys(docs).sort()) await this.#io.out(`${name}:\n${String(docs[name])}\n\n`)
  }
}

/** Some of the target, taken at random from those that are there, as `--subset` asks. */
async function subsetOf(client: LocalClient, command: SaltCommand, wanted: number): Promise<SaltCommand> {
  const there = await client.cmd(command.tgt, 'sys.list_functions', { ...command.options, tgtType: command.tgtType })
  const able = Object.entries(there).filter(
    ([, list]) => Array.isArray(list) && (Array.isArray(command.fun) || list.includes(command.fun)),
  )
  for (let index = able.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1))
    const [one, two] = [able[index], able[other]]
    if (one !== undefined && two !== undefined) [able[index], able[other]] = [two, one]
  }
  return { ...command, tgt: able.slice(0, wanted).map(([id]) => id), tgtType: 'list' }
}
