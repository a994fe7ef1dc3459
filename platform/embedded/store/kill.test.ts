// What was acknowledged survives kill -9: a process that publishes and claims is killed while it works.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { get } from '../../../core/value/index.ts'
import { openEmbeddedStore } from './embedded-store.ts'

/** Characters of a text that is kept apart from its record. */
const LARGE = 300_000

/** Publishes and settles from many sides at once, and says on stdout what was acknowledged, a line each. */
const WORK = `
const { openEmbeddedStore } = await import(process.argv[1])
const store = await openEmbeddedStore({ dataDir: process.argv[2], pkiDir: process.argv[3] })
let nth = 0
const work = async () => {
  for (;;) {
    const event = { id: store.clock.eventId(), tag: 'salt/kill', data: { text: 'x'.repeat(nth++ % 100 === 0 ? ${LARGE} : 200) }, source: 'custom' }
    await store.bus.publish([event])
    process.stdout.write('event ' + event.id + '\\n')
    const now = store.clock.now()
    const key = event.id + '/0'
    const [claim] = await store.ledger.claim([{ key, jid: store.clock.jid() }], { owner: store.owner, now, until: now + 1e9 })
    process.stdout.write('claim ' + event.id + ' ' + claim.jid + '\\n')
    await store.ledger.write([{ key, generation: 1, at: now, change: { kind: 'end', ending: { state: 'done' } } }])
    process.stdout.write('end ' + event.id + '\\n')
  }
}
await Promise.all(Array.from({ length: 20 }, work))
`

describe('a killed process', () => {
  let directory: string
  let child: ChildProcess | undefined

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'brine-kill-'))
  })
  afterEach(() => {
    child?.kill('SIGKILL')
    rmSync(directory, { recursive: true })
  })

  it('lost nothing that it had acknowledged', async () => {
    const options = { dataDir: join(directory, 'data'), pkiDir: join(directory, 'pki') }
    const lines: string[] = []
    const source = new URL('./embedded-store.ts', import.meta.url).href
    const started = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', WORK, source, options.dataDir, options.pkiDir],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    child = started
    const output = createInterface({ input: started.stdout })
    for await (const line of output) {
      lines.push(line)
      if (lines.length === 3000) started.kill('SIGKILL')
    }
    if (started.exitCode === null && started.signalCode === null) await once(started, 'exit')
    expect(started.signalCode).toBe('SIGKILL')

    const store = await openEmbeddedStore(options)
    try {
      for (const line of lines) {
        const [what, id = '', jid] = line.split(' ')
        if (what === 'event') expect((await store.log.find(id))?.event.id).toBe(id)
        const [entry] = await store.ledger.entries(id)
        if (what === 'claim') expect(entry?.jid).toBe(jid)
        if (what === 'end') expect(entry?.ending).toEqual({ state: 'done' })
      }
      const { events } = await store.log.read('oldest', 100_000)
      expect(events.filter(({ event }) => String(get(event.data, 'text')).length === LARGE).length).toBeGreaterThan(5)
      const received: string[] = []
      while (received.length < events.length) {
        const batch = await store.queue.receive(1000, AbortSignal.timeout(5000))
        received.push(...batch.map(({ event }) => event.id))
      }
      expect(received.sort()).toEqual(events.map(({ event }) => event.id).sort())
    } finally {
      await store.close()
    }
  })
})
