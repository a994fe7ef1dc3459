// `bench reactor`: how many events a second go all the way: fired durably, matched, rendered, planned, claimed, run, recorded.
//
// Each event leads to one runner reaction with its ledger entry and its two events. Salt's own figure (b_reactor.py) is
// for events held in memory alone.
import { startBenchLab } from '../bench-lab.ts'
import { figureOf, type PeerFigure, rowOf } from '../figure.ts'
import type { Measure } from '../run.ts'
import { jsonLines, startSaltLab } from '../salt-lab.ts'
import { say } from '../talk.ts'

const EVENTS = 20_000
const BATCH = 500
const AT_ONCE = 4
const TARGET = 100

/** Events a second, fired until done. */
export const measure: Measure = async ({ peer, runs, size = EVENTS }) => {
  const rates: number[] = []
  const acknowledged: number[] = []
  for (let run = 0; run < Math.min(runs, 5); run++) {
    const one = await runOnce(size, run)
    say(`run ${run + 1}: ${one.rate.toFixed(0)} events/s, acknowledged at ${one.acknowledged.toFixed(0)}/s`)
    rates.push(one.rate)
    acknowledged.push(one.acknowledged)
  }
  const salt: PeerFigure = peer ? await measureSalt() : { recorded: 100, from: 'salt-lab on the same kind of machine' }
  return [
    rowOf({
      what: `${size} events, each one runner reaction`,
      unit: 'events/s',
      better: 'higher',
      brine: rates,
      peer: salt,
      target: TARGET,
    }),
    rowOf({ what: 'fired and durable', unit: 'events/s', better: 'higher', brine: acknowledged }),
  ]
}

/** A fresh master for each run, warmed by a few hundred events. */
async function runOnce(size: number, run: number): Promise<{ rate: number; acknowledged: number }> {
  const bench = await startBenchLab()
  try {
    let done = 0
    let finish: () => void = () => undefined
    let last = performance.now()
    let goal = 500
    const stop = await bench.watch('salt/run/*/ret', () => {
      done++
      last = performance.now()
      if (done >= goal) finish()
    })
    const through = async (count: number, base: number): Promise<{ begin: number; fired: number; end: number }> => {
      done = 0
      goal = count
      const finished = new Promise<void>((resolve, reject) => {
        finish = resolve
        const timer = setInterval(() => {
          if (performance.now() - last > 30_000)
            reject(new Error(`${done} of ${count} events were reacted to, then nothing for 30 s`))
          if (done >= count) clearInterval(timer)
        }, 1000)
      })
      const begin = performance.now()
      last = begin
      let next = 0
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (next < count) {
            const from = next
            next += BATCH
            const length = Math.min(BATCH, count - from)
            await bench.fire(
              Array.from({ length }, (_, index) => ({ tag: 'lab/bench/runner', data: { n: base + from + index } })),
            )
          }
        }),
      )
      const fired = performance.now()
      await finished
      return { begin, fired, end: last }
    }
    await through(500, run * 1_000_000 + 900_000)
    const { begin, fired, end } = await through(size, run * 1_000_000)
    stop()
    return { rate: (size / (end - begin)) * 1000, acknowledged: (size / (fired - begin)) * 1000 }
  } finally {
    await bench.close()
  }
}

async function measureSalt(): Promise<PeerFigure> {
  const salt = await startSaltLab(['master'])
  try {
    say('Salt: 3 runs of 2000 events')
    const lines = jsonLines(await salt.python('b_reactor.py', ['2000', 'match', '3'], 400_000))
    return figureOf(
      lines.flatMap(({ N, reacted_ret, through_ev_s }) =>
        reacted_ret === N && typeof through_ev_s === 'number' ? [through_ev_s] : [],
      ),
    )
  } finally {
    await salt.stop()
  }
}
