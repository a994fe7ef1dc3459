// `bench ping`: `brine db1 test.ping` as a whole process, and the library's LocalClient over the socket.
import { connect, LocalClient } from '../../client/index.ts'
import { runProgram } from '../../test/system/process.ts'
import { startBenchLab } from '../bench-lab.ts'
import { type PeerFigure, percentile, rowOf } from '../figure.ts'
import type { Measure } from '../run.ts'
import { jsonLines, startSaltLab } from '../salt-lab.ts'
import { say } from '../talk.ts'

const COMMANDS = 20
const CALLS = 100
const COMMAND_TARGET = 4
const CALL_TARGET = 30

/** Milliseconds a round trip, p50 of each run. */
export const measure: Measure = async ({ peer, runs }) => {
  const commands: number[] = []
  const calls: number[] = []
  const floors: number[] = []
  const bench = await startBenchLab(['db1', 'web-asg-1'])
  try {
    const connection = connect({ kind: 'socket', path: bench.lab.socket() })
    const client = new LocalClient(connection)
    for (let run = 0; run < runs; run++) {
      commands.push(await timed(COMMANDS, async () => expectDone(await bench.lab.run('brine', ['db1', 'test.ping']))))
      floors.push(await timed(COMMANDS, async () => expectDone(await runProgram(process.execPath, ['-e', '0']))))
      calls.push(
        await timed(CALLS, async () => {
          if ((await client.cmd('db1', 'test.ping')).db1 !== true) throw new Error('db1 did not return')
        }),
      )
      say(
        `run ${run + 1}: command ${commands.at(-1)?.toFixed(1)} ms, node alone ${floors.at(-1)?.toFixed(1)} ms, call ${calls.at(-1)?.toFixed(2)} ms`,
      )
    }
    connection.close()
  } finally {
    await bench.close()
  }
  const salt = peer ? await measureSalt() : undefined
  const from = 'salt-lab on the same kind of machine'
  return [
    rowOf({
      what: 'brine db1 test.ping, whole process',
      unit: 'ms',
      better: 'lower',
      brine: commands,
      peer: salt?.command ?? { recorded: 570, from },
      floor: floors,
      target: COMMAND_TARGET,
    }),
    rowOf({
      what: "LocalClient.cmd('db1', 'test.ping') over the socket",
      unit: 'ms',
      better: 'lower',
      brine: calls,
      peer: salt?.call ?? { recorded: 167, from },
      target: CALL_TARGET,
    }),
  ]
}

async function timed(times: number, act: () => Promise<void>): Promise<number> {
  await act()
  const samples: number[] = []
  for (let index = 0; index < times; index++) {
    const begin = performance.now()
    await act()
    samples.push(performance.now() - begin)
  }
  return percentile(samples, 0.5)
}

function expectDone({ exit, stderr }: { exit: unknown; stderr: string }): void {
  if (exit !== 0) throw new Error(`ended with ${exit}: ${stderr}`)
}

async function measureSalt(): Promise<{ command: PeerFigure; call: PeerFigure }> {
  const salt = await startSaltLab(['master', 'minion1', 'minion2'])
  try {
    say('Salt: 20 commands and 100 calls')
    const lines = jsonLines(await salt.python('b_ping.py', ['20', '100'], 300_000))
    return {
      command: figureNamed(lines, 'salt CLI db1 test.ping'),
      call: figureNamed(lines, 'LocalClient.cmd db1 test.ping'),
    }
  } finally {
    await salt.stop()
  }
}

/** The lab's program gives minimum, p50 and maximum of single round trips. */
function figureNamed(lines: readonly Record<string, unknown>[], name: string): PeerFigure {
  const ms = lines.find(({ what }) => what === name)?.ms
  if (typeof ms === 'object' && ms !== null && 'min' in ms && 'p50' in ms && 'max' in ms)
    return { min: Number(ms.min), median: Number(ms.p50), max: Number(ms.max) }
  throw new Error(`b_ping.py printed no ${name}`)
}
