// `bench latency`: 20 events a second, from before each is fired until its reaction's result is seen on the bus.
import { startBenchLab } from '../bench-lab.ts'
import { figureOf, type PeerFigure, percentile, rowOf } from '../figure.ts'
import type { Measure } from '../run.ts'
import { jsonLines, startSaltLab } from '../salt-lab.ts'
import { say } from '../talk.ts'

const EVENTS = 400
const A_SECOND = 20
const TARGET = 5

/** p50 and p99 in milliseconds. */
export const measure: Measure = async ({ peer, runs, size = EVENTS }) => {
  const samples: number[][] = []
  const bench = await startBenchLab()
  try {
    await paced(bench, 100, -1)
    for (let run = 0; run < Math.min(runs, 3); run++) {
      const one = await paced(bench, size, run)
      say(`run ${run + 1}: p50 ${percentile(one, 0.5).toFixed(2)} ms, p99 ${percentile(one, 0.99).toFixed(2)} ms`)
      samples.push(one)
    }
  } finally {
    await bench.close()
  }
  const salt = peer ? await measureSalt() : undefined
  const row = (name: 'p50' | 'p99', share: number, recorded?: number) =>
    rowOf({
      what: `fire → result, ${name}`,
      unit: 'ms',
      better: 'lower',
      brine: samples.map((one) => percentile(one, share)),
      peer:
        salt?.[name] ??
        (recorded === undefined ? undefined : { recorded, from: 'salt-lab on the same kind of machine' }),
      ...(name === 'p50' ? { target: TARGET } : {}),
    })
  return [row('p50', 0.5, 10.6), row('p99', 0.99)]
}

type Bench = Awaited<ReturnType<typeof startBenchLab>>

async function paced(bench: Bench, count: number, run: number): Promise<number[]> {
  const base = (run + 1) * 1_000_000
  const sent = new Map<number, number>()
  const latencies: number[] = []
  let finish: () => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const stop = await bench.watch('salt/run/*/ret', (line) => {
    const now = performance.now()
    const n: unknown = JSON.parse(line).data?.fun_args?.[0]?.n
    const begin = typeof n === 'number' ? sent.get(n) : undefined
    if (begin === undefined) return
    latencies.push(now - begin)
    if (latencies.length === count) finish()
  })
  const begin = performance.now()
  const fires: Promise<void>[] = []
  for (let index = 0; index < count; index++) {
    const due = begin + (index * 1000) / A_SECOND
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    sent.set(base + index, performance.now())
    fires.push(bench.fire([{ tag: 'lab/bench/runner', data: { n: base + index } }]))
  }
  await Promise.all(fires)
  await Promise.race([
    finished,
    new Promise((_, reject) =>
      setTimeout(() => reject(new Error(`${latencies.length} of ${count} results came`)), 30_000).unref(),
    ),
  ])
  stop()
  return latencies
}

async function measureSalt(): Promise<{ p50: PeerFigure; p99: PeerFigure }> {
  const salt = await startSaltLab(['master'])
  try {
    say('Salt: 3 runs of 400 events at 20/s')
    const lines = jsonLines(
      await salt.python('b_reactor.py', [String(EVENTS), 'match', '3', `paced=${A_SECOND}`], 300_000),
    )
    const figures = lines.flatMap(({ lat_ret_ms }) => (isLatency(lat_ret_ms) ? [lat_ret_ms] : []))
    return { p50: figureOf(figures.map(({ p50 }) => p50)), p99: figureOf(figures.map(({ p99 }) => p99)) }
  } finally {
    await salt.stop()
  }
}

function isLatency(value: unknown): value is { p50: number; p99: number } {
  return typeof value === 'object' && value !== null && 'p50' in value && 'p99' in value
}
