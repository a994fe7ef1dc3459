// "Why did it (not) fire?", asked of a real master for each way it can go, and answered as the cookbook shows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMapping, type Mapping, parseJson } from '../../core/value/index.ts'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'
import { expectShown, pageFile } from './cookbook.ts'

/** What the page shows is what runs here. */
const SHOWN = ['ship', 'lost', 'count'].map((name) => `srv/reactor/${name}.sls`)

const FILES: Readonly<Record<string, string>> = {
  'srv/reactor/start.sls': `greet:
  local.test.echo:
    - tgt: {{ data['id'] }}
    - arg:
      - welcome {{ data['id'] }}
`,
  'srv/reactor/returned.sls': `restock:
  local.test.ping:
    - tgt: 'warehouse*'
`,
  'srv/reactor/pallet.sls': `move:
  local.test.echo:
    - tgt: web2
    - arg:
      - move it
`,
  'srv/reactor/report.sls': `write:
  runner.report.write: []
`,
  'srv/salt/_runners/report.mjs': `export async function write() {
  await new Promise((resolve) => setTimeout(resolve, 600_000))
  return 'written'
}
write.params = {}
`,
}

let lab: Lab

beforeAll(async () => {
  lab = await createLab({ master: `auto_accept: True\n${pageFile('reactor.conf')}` })
  for (const path of SHOWN) lab.write(path, pageFile(path))
  for (const [path, text] of Object.entries(FILES)) lab.write(path, text)
  await lab.startMaster()
  for (const id of ['web1', 'web2']) lab.startMinion(id)
  for (const id of ['web1', 'web2'])
    await lab.waitForEvent({ tag: 'salt/job/*/ret/*', has: { id, return: `welcome ${id}` } })
  await lab.stopMinion('web2')
}, 180_000)
afterAll(() => lab.close())

/** Runs a command line of brine-run's as typed, and expects the cookbook to show what it prints. */
async function shows(name: string, line: string): Promise<void> {
  const [, ...args] = line.split(' ')
  const { stdout, stderr, exit } = await lab.run('brine-run', args)
  expect([exit, stderr]).toEqual([0, ''])
  expectShown(name, line, stdout, lab.root)
}

async function told(fun: string, wanted: string): Promise<Mapping> {
  const { stdout, exit } = await lab.run('brine-run', [fun, wanted, '--out', 'json'])
  expect(exit).toBe(0)
  const value = parseJson(stdout)
  if (!isMapping(value)) throw new Error(stdout)
  return value
}

/** Waits until the newest event with the tag was planned and every reaction of it ended. */
async function settled(tag: string): Promise<Mapping> {
  return waitFor(`the reactions to ${tag} to end`, async () => {
    const { return: found } = await lab
      .connection()
      .run({ client: 'runner', fun: 'reactor.explain', arg: [tag], kwarg: {} })
    if (!isMapping(found ?? null)) return undefined
    const explained = found as Mapping
    if (explained.planned === undefined) return undefined
    return reactionsOf(explained).every(({ ended }) => ended !== undefined) ? explained : undefined
  })
}

function reactionsOf(explained: Mapping): Mapping[] {
  const files = Array.isArray(explained.files) ? explained.files.filter(isMapping) : []
  return files.flatMap(({ reactions }) => (Array.isArray(reactions) ? reactions.filter(isMapping) : []))
}

function fire(tag: string, data: Mapping = {}): Promise<void> {
  return lab.connection().fire(tag, data)
}

describe('why it did, or did not, fire', { timeout: 400_000 }, () => {
  it('fired and done', async () => {
    await settled('salt/minion/web1/start')
    await shows('explain-done', 'brine-run reactor.explain salt/minion/web1/start')
    await shows('trace-done', 'brine-run event.trace salt/minion/web1/start')
    const explained = await told('reactor.explain', 'salt/minion/web1/start')
    expect(explained.summary).toBe('One reaction: done.')
    const [reaction] = reactionsOf(explained)
    expect(reaction).toMatchObject({
      id: 'greet',
      state: 'done',
      minions: { web1: { state: 'returned', return: 'welcome web1' } },
    })
    // The same by the job's id, and by the event's.
    expect((await told('reactor.explain', String(reaction?.jid))).event).toBe(explained.event)
    expect((await told('event.trace', String(explained.event))).root).toBe(explained.event)
  })

  it('a glob missed by one character', async () => {
    await fire('shop/order/17/payd', { order: 17, amount: 120 })
    await shows('explain-missed', 'brine-run reactor.explain shop/order/17/payd')
    await shows('trace-missed', 'brine-run event.trace shop/order/17/payd')
    expect(await told('event.trace', 'shop/order/17/payd')).toMatchObject({ tree: { tag: 'shop/order/17/payd' } })
    const { entries, files } = await told('reactor.explain', 'shop/order/17/payd')
    expect(files).toEqual([])
    expect(entries).toContainEqual(
      expect.objectContaining({
        glob: 'shop/order/*/paid',
        matched: false,
        mismatch: expect.objectContaining({ expected: 'paid', seen: 'payd' }),
      }),
    )
  })

  it('a Jinja condition that is false', async () => {
    await fire('shop/order/18/paid', { order: 18, amount: 20 })
    await settled('shop/order/18/paid')
    await shows('explain-condition', 'brine-run reactor.explain shop/order/18/paid')
    await shows('trace-condition', 'brine-run event.trace shop/order/18/paid')
    expect(await told('reactor.explain', 'shop/order/18/paid')).toMatchObject({ files: [{ outcome: 'nothing' }] })
  })

  it('an undefined variable', async () => {
    await fire('shop/order/19/lost', { order: 19 })
    await settled('shop/order/19/lost')
    await shows('explain-undefined', 'brine-run reactor.explain shop/order/19/lost')
    await shows('trace-undefined', 'brine-run event.trace shop/order/19/lost')
    expect(await told('reactor.explain', 'shop/order/19/lost')).toMatchObject({
      files: [{ outcome: 'error', error: { code: 'template' } }],
    })
  })

  it('a target that nobody matches', async () => {
    await fire('shop/order/20/returned', { order: 20 })
    await settled('shop/order/20/returned')
    await shows('explain-nobody', 'brine-run reactor.explain shop/order/20/returned')
    await shows('trace-nobody', 'brine-run event.trace shop/order/20/returned')
    expect(reactionsOf(await told('reactor.explain', 'shop/order/20/returned'))).toMatchObject([
      { state: 'done', success: false, minions: {} },
    ])
  })

  it('a minion that is away, its job waiting', async () => {
    await fire('shop/pallet/3')
    await settled('shop/pallet/3')
    await waitFor(
      'web2 to be away',
      async () => {
        const [reaction] = reactionsOf(await settled('shop/pallet/3'))
        const minions = reaction?.minions
        const web2 = minions !== undefined && isMapping(minions) ? minions.web2 : undefined
        return web2 !== undefined && isMapping(web2) && web2.connected === false ? true : undefined
      },
      180_000,
    )
    await shows('explain-away', 'brine-run reactor.explain shop/pallet/3')
    expect(reactionsOf(await told('reactor.explain', 'shop/pallet/3'))).toMatchObject([
      { minions: { web2: { state: 'waiting' } } },
    ])
    lab.startMinion('web2')
    await lab.waitForEvent({ tag: 'salt/job/*/ret/web2', has: { return: 'move it' } })
    await shows('trace-away', 'brine-run event.trace shop/pallet/3')
  })

  it('refused as a loop', async () => {
    await fire('shop/count')
    await lab.waitForEvent({ tag: 'brine/reactor/loop' })
    await settled('shop/count')
    await shows('explain-loop', 'brine-run reactor.explain shop/count')
    await shows('trace-loop', 'brine-run event.trace shop/count')
    const refused = await told('reactor.explain', 'shop/count')
    expect(refused).toMatchObject({
      files: [{ outcome: 'refused', error: { code: 'loop-repeat' } }],
      cause: { depth: 3 },
    })
    expect(await told('event.trace', 'shop/count')).toMatchObject({
      asked: refused.event,
      tree: { tag: 'shop/count', reactions: [{ events: [{ tag: 'shop/count' }] }] },
    })
  })

  it('interrupted', async () => {
    const from = lab.mark()
    await fire('shop/report')
    await lab.waitForEvent({ tag: 'salt/run/*/new', has: { fun: 'runner.report.write' }, from })
    await lab.stopMaster('SIGKILL')
    await lab.startMaster()
    await lab.waitForEvent({ tag: 'brine/reactor/error', has: { tag: 'shop/report' }, from })
    await settled('shop/report')
    await shows('explain-interrupted', 'brine-run reactor.explain shop/report')
    await shows('trace-interrupted', 'brine-run event.trace shop/report')
    expect(await told('event.trace', 'shop/report')).toMatchObject({ tree: { reactions: [{ state: 'interrupted' }] } })
    expect(reactionsOf(await told('reactor.explain', 'shop/report'))).toMatchObject([{ state: 'interrupted' }])
  })

  it('nothing with that tag, and no such event', async () => {
    await shows('explain-never', 'brine-run reactor.explain shop/order/17/lots')
    const { stdout, exit } = await lab.run('brine-run', ['reactor.explain', '01KC3VZ8Y2Q5B7N9M4X6T1R0WA'])
    expect([exit, stdout]).toEqual([
      1,
      expect.stringContaining('There is no event 01KC3VZ8Y2Q5B7N9M4X6T1R0WA in the log.'),
    ])
  })
})
