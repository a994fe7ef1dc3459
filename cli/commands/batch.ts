// `brine --batch-size`: a job for a few minions at a time.
import type { Connection } from '../../client/connection.ts'
import { batchSize, LocalClient } from '../../client/local-client.ts'
import { type Mapping, stringRepr, type Value } from '../../core/value/index.ts'
import { chooseOutputter } from '../output/choose.ts'
import { retcodeOf } from '../output/returns-summary.ts'
import type { Io } from './io.ts'
import { printTo } from './print.ts'
import type { SaltCommand } from './salt.ts'

/** How many at a time, seconds to wait after each, and whether a failure ends it. */
export interface BatchOptions {
  /** `3` or `25%`. */
  readonly size: string
  readonly wait: number
  readonly failhard: boolean
}

/**
 * Pings the target, then keeps `size` minions at work until all have run. Each job has its own jid. Ends with the
 * highest return code, 2 where nobody matched.
 * Minions that were named and are not there are left out.
 */
export async function batchCommand(
  connection: Connection,
  command: SaltCommand,
  batch: BatchOptions,
  io: Io,
): Promise<number> {
  const client = new LocalClient(connection)
  const pinged = await client.publish(command.tgt, 'test.ping', { ...command.options, tgtType: command.tgtType })
  const up: string[] = []
  const down: string[] = []
  for await (const arrival of client.gather(pinged, { ...command.options, signal: io.interrupted })) {
    ;(arrival.kind === 'return' ? up : down).push(arrival.id)
  }
  if (up.length === 0 && down.length === 0) {
    await io.out('No minions matched the target. No command was sent, no jid was assigned.\n')
    if (!command.isStatic) await io.out('No minions matched the target.\n')
    io.err('ERROR: No return received\n')
    return 2
  }
  if (!command.isStatic)
    for (const id of down.sort()) await io.out(`Minion ${id} did not respond. No job will be sent.\n`)
  const size = batchSize(batch.size, up.length)
  const left = up.sort()
  let highest = 0
  const together: Mapping = {}
  const running = new Set<Promise<void>>()
  let stopped = false

  const runOne = async (ids: readonly string[]): Promise<void> => {
    if (!command.isStatic) await io.out(`\nExecuting run on [${ids.map(stringRepr).join(', ')}]\n\n`)
    const published = await client.publish([...ids], command.fun, {
      ...command.options,
      tgtType: 'list',
      arg: command.arg,
    })
    for await (const arrival of client.gather(published, { ...command.options, signal: io.interrupted })) {
      if (arrival.kind === 'silent') {
        if (!command.isStatic) await io.out(`Minion '${arrival.id}' failed to respond to job sent\n`)
        highest = Math.max(highest, 1)
        stopped ||= batch.failhard
        continue
      }
      const { load, id } = arrival
      const code = retcodeOf({ value: load.return ?? null, retcode: load.retcode ?? 0 })
      highest = Math.max(highest, code)
      if (command.isStatic) together[id] = load.return ?? null
      else await show(command, id, load, io)
      if (code !== 0 && batch.failhard) {
        io.err(`[ERROR   ] Minion ${id} returned with non-zero exit code. Batch run stopped due to failhard\n`)
        stopped = true
      }
    }
    if (batch.wait > 0 && left.length > 0) await new Promise((resolve) => setTimeout(resolve, batch.wait * 1000))
  }

  while (left.length > 0 && !stopped && !io.interrupted.aborted) {
    // The first round goes out as one job; then each minion that is done makes room for the next.
    const ids = left.splice(0, running.size === 0 ? size : 1)
    const work = runOne(ids).finally(() => running.delete(work))
    running.add(work)
    if (running.size >= size || ids.length >= size) await Promise.race(running)
  }
  await Promise.all(running)
  if (!command.isStatic) return highest
  // `--static` says nothing on the way, and ends well whatever the minions answered.
  const outputter = chooseOutputter({ asked: command.out, isStatic: true, fun: command.fun })
  await printTo(io, together, outputter, command.print)
  return 0
}

/** Salt prints the return beside its jid and retcode. */
async function show(command: SaltCommand, id: string, load: Mapping, io: Io): Promise<void> {
  const own = typeof load.out === 'string' ? load.out : undefined
  const name = chooseOutputter({ asked: command.out, returned: own, fun: command.fun })
  const data: Mapping = { retcode: load.retcode ?? 0, jid: load.jid ?? '', [id]: (load.return ?? null) as Value }
  await printTo(io, data, name, command.print)
}
