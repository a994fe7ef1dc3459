// `bench minion`: resident memory, start to start event, and what is installed.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { programPath, ROOT } from '../../test/system/built.ts'
import { runProgram, startProgram } from '../../test/system/process.ts'
import { type BenchLab, startBenchLab } from '../bench-lab.ts'
import { type PeerFigure, rowOf } from '../figure.ts'
import type { Measure } from '../run.ts'
import { startSaltLab } from '../salt-lab.ts'
import { say } from '../talk.ts'

const MEMORY_TARGET = 2
const START_TARGET = 3
/** The most bytes that the agent may have. */
const SIZE_TARGET = 1024 * 1024
/** Milliseconds from the start event until a minion is at rest. */
const settling = 3000

/** MiB resident 3 s after the start event, seconds from start to start event, bytes of the one file. */
export const measure: Measure = async ({ peer, runs }) => {
  const memory: number[] = []
  const starts: number[] = []
  const bare: number[] = []
  const floors: number[] = []
  const bench = await startBenchLab()
  try {
    // The first start makes a key, and what the engine keeps of the code: the others are what a restart takes.
    const first = bench.lab.startMinion('bench')
    await new Promise((resolve) => setTimeout(resolve, settling))
    await first.stop()
    await startOnce(bench)
    for (let run = 1; run <= runs; run++) {
      const { seconds, mebibytes } = await startOnce(bench)
      starts.push(seconds)
      memory.push(mebibytes)
      bare.push(await bareNode())
      floors.push((await runProgram(process.execPath, ['-e', '0'])).milliseconds / 1000)
      say(`run ${run}: ${mebibytes.toFixed(1)} MiB, ${seconds.toFixed(3)} s`)
    }
  } finally {
    await bench.close()
  }
  const salt = peer ? await measureSalt(runs) : undefined
  const from = 'salt-lab on the same kind of machine'
  return [
    rowOf({
      what: 'a minion, resident',
      unit: 'MiB',
      better: 'lower',
      brine: memory,
      peer: salt?.memory ?? { recorded: 120, from },
      floor: bare,
      target: MEMORY_TARGET,
    }),
    rowOf({
      what: 'a minion, from its start to its start event',
      unit: 's',
      better: 'lower',
      brine: starts,
      peer: salt?.start ?? { recorded: 0.69, from },
      floor: floors,
      target: START_TARGET,
    }),
    rowOf({
      what: 'the agent, one file',
      unit: 'bytes',
      better: 'lower',
      brine: [statSync(programPath('brine-minion')).size],
      peer: { recorded: SIZE_TARGET, from: 'the most it may have' },
      target: 1,
    }),
  ]
}

/** Starts it as its package does. The event is timed where it arrives, not when somebody looks. */
async function startOnce(bench: BenchLab): Promise<{ seconds: number; mebibytes: number }> {
  let arrive: (at: number) => void = () => undefined
  const arrived = new Promise<number>((resolve) => {
    arrive = resolve
  })
  const unwatch = await bench.watch('salt/minion/bench/start', () => arrive(performance.now()))
  const env = {
    ...bench.lab.minionEnv('bench'),
    BRINE_NODE: process.execPath,
    BRINE_LIB: join(ROOT, 'dist'),
    BRINE_AGENT_DIR: join(bench.lab.root, 'agent'),
  }
  const begin = performance.now()
  const minion = startProgram('sh', [join(ROOT, 'packaging/brine-minion.sh')], join(bench.lab.root, 'logs/bench'), {
    env,
  })
  const seconds = ((await arrived) - begin) / 1000
  unwatch()
  await new Promise((resolve) => setTimeout(resolve, settling))
  const mebibytes = resident(minion.pid)
  await minion.stop()
  return { seconds, mebibytes }
}

/** MiB of a process and its children, as the kernel counts them. */
function resident(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean)
  return Number(kilobytes) / 1024 + children.reduce((sum, child) => sum + resident(Number(child)), 0)
}

/** MiB of a Node process that does nothing. */
async function bareNode(): Promise<number> {
  const script = "setTimeout(()=>process.stdout.write(require('fs').readFileSync('/proc/self/status','utf8')),300)"
  const { stdout } = await runProgram(process.execPath, ['-e', script])
  return Number(/^VmRSS:\s+(\d+)/m.exec(stdout)?.[1] ?? 0) / 1024
}

async function measureSalt(runs: number): Promise<{ memory: PeerFigure; start: PeerFigure }> {
  const salt = await startSaltLab(['master', 'minion1', 'minion2'])
  try {
    say(`Salt: ${runs} starts`)
    const text = await salt.python('b_mem_start.py', [String(runs)], 300_000)
    const resident = /^minion2 .*"rss_mib": ([\d.]+)/m.exec(text)?.[1]
    const [, min, median, max] = /"min": ([\d.]+), "median": ([\d.]+), "max": ([\d.]+)/.exec(text) ?? []
    if (resident === undefined || median === undefined) throw new Error(`b_mem_start.py printed no figures:\n${text}`)
    const mebibytes = Number(resident)
    return {
      memory: { min: mebibytes, median: mebibytes, max: mebibytes },
      start: { min: Number(min), median: Number(median), max: Number(max) },
    }
  } finally {
    await salt.stop()
  }
}
