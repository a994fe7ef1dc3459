// A store that fails for a while, and one that fails for longer: retried and done, given up, redriven, discarded.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BrineError } from '../../core/error.ts'
import { isMapping, type Mapping, parseJson, type Value } from '../../core/value/index.ts'
import { waitFor } from '../system/wait.ts'
import { expectShown } from './cookbook.ts'
import { type EmbeddedStage, embeddedStage } from './embedded.ts'

const CONFIG = `reactor:
  - 'shop/order/*/paid':
    - /srv/reactor/ship.sls
`
const SHIP = `pack:
  local.test.echo:
    - tgt: web1
    - arg:
      - pack {{ data['order'] }}

bill:
  runner.event.send:
    - args:
        tag: shop/order/{{ data['order'] }}/billed
    - require:
      - local: pack
`

let stage: EmbeddedStage
/** How often the mailbox is still to fail. */
let failing = 0

beforeAll(async () => {
  stage = await embeddedStage(
    CONFIG,
    { 'srv/reactor/ship.sls': SHIP },
    { reactorRetry: { tries: 3, base: 20_000, cap: 50_000 } },
  )
  const { mailbox } = stage.embedded.store
  const put = mailbox.put.bind(mailbox)
  mailbox.put = async (minions, entry) => {
    if (failing > 0) {
      failing--
      throw new BrineError('The mailboxes cannot be written just now.', { code: 'busy' })
    }
    await put(minions, entry)
  }
  await stage.accept('web1')
}, 180_000)
afterEach(() => {
  failing = 0
})
afterAll(() => stage.close())

async function json(...args: string[]): Promise<Value> {
  const { stdout, exit } = await stage.run(...args, '--out', 'json')
  expect(exit).toBe(0)
  return parseJson(stdout)
}

async function fire(order: number): Promise<string> {
  const [event] = await stage.embedded.master.fire({ tag: `shop/order/${order}/paid`, data: { order } })
  return event?.id ?? ''
}

/** Waits until the reactions to an event stand as wanted. */
async function standing(event: string, ...states: string[]): Promise<void> {
  await waitFor(`the reactions to be ${states}`, async () => {
    const entries = await stage.embedded.store.ledger.entries(event)
    return entries.map(({ state }) => state).join() === states.join() ? true : undefined
  })
}

async function shows(name: string, line: string, output: string): Promise<void> {
  expectShown(name, line, output, stage.root)
}

async function dead(count: number): Promise<void> {
  await waitFor(`${count} dead letters`, async () =>
    (await stage.embedded.store.queue.dead()).length === count ? true : undefined,
  )
}

describe('dead letters', { timeout: 180_000 }, () => {
  it('retried and done', async () => {
    failing = 2
    const event = await fire(21)
    await standing(event, 'done', 'done')
    const { stdout, exit } = await stage.run('reactor.explain', event)
    expect(exit).toBe(0)
    await shows('explain-retried', 'brine-run reactor.explain shop/order/21/paid', stdout)
    const trace = await stage.run('event.trace', event)
    await shows('trace-retried', 'brine-run event.trace shop/order/21/paid', trace.stdout)
    expect(await json('reactor.explain', event)).toMatchObject({
      files: [
        {
          reactions: [
            { id: 'pack', state: 'done', failures: [expect.stringContaining('cannot be written'), expect.anything()] },
            { id: 'bill', state: 'done', requisites: ['require of pack'] },
          ],
        },
      ],
    })
    expect(await json('reactor.failed')).toEqual([])
  })

  it('given up, listed with payload and reason, redriven', async () => {
    failing = 3
    const event = await fire(22)
    await dead(1)
    await shows('failed', 'brine-run reactor.failed', (await stage.run('reactor.failed')).stdout)
    expect(await json('reactor.failed')).toMatchObject([
      {
        event,
        tag: 'shop/order/22/paid',
        reason: expect.stringContaining('cannot be written just now'),
        data: { order: 22 },
        reactions: [
          { id: 'pack', state: 'failed', redrivable: true },
          { id: 'bill', state: 'skipped', redrivable: true },
        ],
      },
    ])
    expect(await json('reactor.explain', event)).toMatchObject({
      summary: '2 reactions: 1 failed, 1 skipped. It is a dead letter: brine-run reactor.redrive tries it again.',
      dead: { reason: expect.stringContaining('pack') },
    })
    const redriven = await stage.run('reactor.redrive', event)
    expect(redriven.exit).toBe(0)
    await shows('redrive', `brine-run reactor.redrive ${event}`, redriven.stdout)
    await standing(event, 'done', 'done')
    await dead(0)
    // What ended well is not run again by a second redrive: there is no letter to redrive.
    const again = await stage.run('reactor.redrive', event)
    expect([again.exit, again.stdout]).toEqual([1, expect.stringContaining('is no dead letter')])
    const jobs = (await stage.embedded.store.jobs.list({ limit: 100 })).filter(({ origin }) => origin === `${event}/0`)
    expect(jobs).toHaveLength(1)
  })

  it('all at once, by --all and by --since, or discarded', async () => {
    failing = 9
    const events = [await fire(23), await fire(24), await fire(25)]
    await dead(3)
    expect(keysOf(await json('reactor.discard', String(events[0])), 'discarded')).toEqual([events[0]])
    await dead(2)
    const later = await stage.run('reactor.redrive', '--since', '2099-01-01')
    expect(later.stdout).toContain('redriven')
    expect((await stage.embedded.store.queue.dead()).length).toBe(2)
    expect(keysOf(await json('reactor.redrive', '--all'), 'redriven')).toEqual(events.slice(1).sort())
    for (const event of events.slice(1)) await standing(event, 'done', 'done')
    // Discarded, it stays failed, and is explained so.
    expect(await json('reactor.explain', String(events[0]))).toMatchObject({
      summary: '2 reactions: 1 failed, 1 skipped.',
    })
  })

  it('which ones has to be said', async () => {
    for (const fun of ['reactor.redrive', 'reactor.discard']) {
      const { exit, stdout } = await stage.run(fun)
      expect([exit, stdout]).toEqual([1, expect.stringContaining('Say which')])
    }
  })
})

function keysOf(value: Value, key: string): string[] {
  const map = isMapping(value) ? value[key] : undefined
  return map !== undefined && isMapping(map) ? Object.keys(map as Mapping).sort() : []
}
