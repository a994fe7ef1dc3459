// The master and minion that a benchmark measures, as real processes, with Salt's lab runner in our form.
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport, type Transport } from '../client/transport.ts'
import type { Value } from '../core/value/index.ts'
import { createLab, type Lab } from '../test/system/lab.ts'
import { waitFor } from '../test/system/wait.ts'
import { say } from './talk.ts'

/** Salt's `bench_runner.sls`, as it stands. */
const BENCH_RUNNER = `bench:
  runner.lab.noop:
    - args:
      - n: {{ data['data']['n'] if 'data' in data else data['n'] }}
`

/** A lab with open ways to its master. */
export interface BenchLab {
  readonly lab: Lab
  /** Fires events; resolves when they are durable. */
  fire(events: readonly { readonly tag: string; readonly data: { readonly [key: string]: Value } }[]): Promise<void>
  /** Calls back for each event whose tag matches, as it is read; resolves once nothing later can be missed. */
  watch(tag: string, onEvent: (line: string) => void): Promise<() => void>
  close(): Promise<void>
}

/** Starts a master with the benchmark's reaction and, where they are asked for, minions that have joined. */
export async function startBenchLab(minions: readonly string[] = []): Promise<BenchLab> {
  const lab = await createLab({
    follow: false,
    master:
      "auto_accept: True\nrunner_dirs:\n  - @LAB@/srv/runners\nreactor:\n  - 'lab/bench/runner':\n    - @LAB@/srv/reactor/bench_runner.sls\n",
  })
  lab.write('srv/reactor/bench_runner.sls', BENCH_RUNNER)
  mkdirSync(join(lab.root, 'srv/runners'))
  copyFileSync(join(import.meta.dirname, '../test/golden/lab.mjs'), join(lab.root, 'srv/runners/lab.mjs'))
  await lab.startMaster()
  for (const id of minions) lab.startMinion(id)
  if (minions.length > 0)
    await waitFor('the minions to answer', async () => {
      const { stdout } = await lab.run('brine', ['--out=json', '--static', '*', 'test.ping'])
      return stdout.split('true').length - 1 >= minions.length ? true : undefined
    })
  const transport: Transport = createTransport({ kind: 'socket', path: lab.socket() })
  const stop = new AbortController()
  return {
    lab,
    async fire(events) {
      await transport.post('/v1/fire', { events: [...events] })
    },
    async watch(tag, onEvent) {
      const mine = new AbortController()
      const signal = AbortSignal.any([mine.signal, stop.signal])
      const lines = await transport.lines(`/v1/events?since=now&tag=${encodeURIComponent(tag)}`, signal)
      void (async () => {
        try {
          for await (const line of lines) if (!line.startsWith('{"start"')) onEvent(line)
        } catch (error) {
          if (!signal.aborted) say(`the stream was cut: ${error instanceof Error ? error.message : error}`)
        }
      })()
      return () => mine.abort()
    },
    async close() {
      stop.abort()
      transport.close()
      await lab.close()
    },
  }
}
