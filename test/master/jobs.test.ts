// Jobs: published once however often, returned by whom they were sent to, and told on the bus in Salt's form.
import { afterEach, expect, test } from 'vitest'
import type { Mapping } from '../../core/value/index.ts'
import { returnerChoice } from '../../master/returners.ts'
import { masterId, type TestMaster, testMaster, testMinion } from './harness.ts'

let running: TestMaster | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

async function withMinions(...ids: string[]): Promise<TestMaster> {
  running = await testMaster({ autoAccept: true })
  for (const id of ids) await running.master.authenticate(await testMinion(id).request())
  return running
}

const job = { tgt: '*', tgtType: 'glob', fun: 'test.ping', arg: [], ret: '', user: 'root', expiresIn: 60 } as const
const minion = (id: string) => ({ kind: 'minion', id, epoch: 1 }) as const
const ret = (jid: string) => ({
  id: '01KAGK0000000000000000000A',
  jid,
  fun: 'test.ping',
  fun_args: [],
  return: true,
  retcode: 0,
  success: true,
})
const jobTags = async (test: TestMaster): Promise<string[]> =>
  (await test.events()).map(({ tag }) => tag).filter((tag) => tag !== 'salt/auth')

test('a job reaches the mailbox of each minion of its target and fires its three events', async () => {
  const started = await withMinions('db1', 'web01')
  const published = await started.master.publish(job)
  if (published.kind !== 'published') throw new Error(published.kind)
  expect(published.minions).toEqual(['db1', 'web01'])
  const { jid } = published
  expect(await jobTags(started)).toEqual([jid, `salt/job/${jid}/new`, `salt/job/${jid}/publish`])
  expect((await started.store.mailbox.fetch('db1', started.store.clock.now())).map((entry) => entry.jid)).toEqual([jid])
})

test('the returners of a job and how they are configured go to the minion, in Salt’s words', async () => {
  const started = await withMinions('db1')
  const returner = { config: 'alt', kwargs: { url: 'https://x' } }
  await started.master.publish({ ...job, ret: 'webhook', returner })
  const [entry] = await started.store.mailbox.fetch('db1', started.store.clock.now())
  const envelope = JSON.parse(Buffer.from(entry?.envelope.split('.')[1] ?? '', 'base64url').toString())
  expect(envelope).toMatchObject({ ret: 'webhook', ret_config: 'alt', ret_kwargs: { url: 'https://x' } })
})

test.each([
  [undefined, undefined, undefined],
  ['', null, undefined],
  ['alt', undefined, { config: 'alt' }],
  ['alt', { a: 1 }, { config: 'alt', kwargs: { a: 1 } }],
  [5, 'text', undefined],
])('ret_config %j and ret_kwargs %j', (config, kwargs, expected) => {
  expect(returnerChoice(config, kwargs)).toEqual(expected)
})

test('no accepted minion: no jid, no event, and never everybody', async () => {
  const started = await withMinions('db1')
  for (const tgt of ['nobody*', '']) {
    expect(await started.master.publish({ ...job, tgt })).toMatchObject({ kind: 'no-minions' })
  }
  expect(await jobTags(started)).toEqual([])
})

test('the same jid and origin twice are one job; another origin does not get the jid', async () => {
  const started = await withMinions('db1')
  const jid = started.store.clock.jid()
  const request = { ...job, jid, origin: 'event/0' }
  expect(await started.master.publish(request)).toMatchObject({ kind: 'published', jid })
  expect(await started.master.publish(request)).toMatchObject({ kind: 'published', jid })
  expect(await started.master.publish({ ...request, origin: 'event/1' })).toEqual({ kind: 'jid-taken' })
  expect(await jobTags(started)).toEqual([jid, `salt/job/${jid}/new`, `salt/job/${jid}/publish`])
  expect(await started.store.mailbox.fetch('db1', started.store.clock.now())).toHaveLength(1)
})

test('a return is told once, empties the mailbox, and only counts from whom the job was sent to', async () => {
  const started = await withMinions('db1', 'web01')
  const published = await started.master.publish({ ...job, tgt: 'db1' })
  if (published.kind !== 'published') throw new Error(published.kind)
  const { jid } = published
  const forged = await started.master.collect.returns(minion('web01'), [ret(jid)])
  expect(forged.refused[0]?.reason).toContain('was not sent to minion web01')
  for (let round = 0; round < 2; round++) {
    expect(await started.master.collect.returns(minion('db1'), [ret(jid)])).toEqual({ accepted: 1, refused: [] })
  }
  expect((await jobTags(started)).filter((tag) => tag.includes('/ret/'))).toEqual([`salt/job/${jid}/ret/db1`])
  expect(await started.store.mailbox.fetch('db1', started.store.clock.now())).toEqual([])
})

test('of a batch of returns each is judged by itself, and those accepted are told in their order', async () => {
  const started = await withMinions('db1', 'web01')
  const jids: string[] = []
  for (const tgt of ['db1', 'web01', '*']) {
    const published = await started.master.publish({ ...job, tgt })
    if (published.kind === 'published') jids.push(published.jid)
  }
  const [own = '', foreign = '', both = ''] = jids
  const batch = [both, foreign, own].map((jid) => ({ ...ret(jid), id: started.store.clock.eventId() }))
  const collected = await started.master.collect.returns(minion('db1'), batch)
  expect(collected).toMatchObject({ accepted: 2, refused: [{ id: batch[1]?.id }] })
  const told = (await jobTags(started)).filter((tag) => tag.includes('/ret/'))
  expect(told).toEqual([`salt/job/${both}/ret/db1`, `salt/job/${own}/ret/db1`])
  for (const jid of [both, own]) expect(await started.store.jobs.returns(jid)).toHaveLength(1)
  expect(await started.store.mailbox.fetch('db1', started.store.clock.now())).toEqual([])
})

test('what a minion says of itself is overwritten, and what is not its own is refused', async () => {
  const started = await withMinions('db1')
  const event = (tag: string, data: Record<string, string>) => ({ id: started.store.clock.eventId(), tag, data })
  const collected = await started.master.collect.events(minion('db1'), [
    event('my/tag', { id: 'web01', user: 'root', identity: 'x', _stamp: 'then', cmd: '_minion_event' }),
    event('salt/auth', { act: 'accept' }),
    event('salt/minion/web01/start', {}),
  ])
  expect(collected).toMatchObject({ accepted: 1 })
  expect(collected.refused).toHaveLength(2)
  const fired = (await started.events()).find(({ tag }) => tag === 'my/tag')
  expect(fired).toMatchObject({ source: 'minion', data: { id: 'db1', cmd: '_minion_event' } })
  expect(Object.keys(fired?.data ?? {}).sort()).toEqual(['_stamp', 'cmd', 'id', 'ts'])
  expect((await started.store.audit.recent(1))[0]).toMatchObject({ who: 'minion db1', what: 'event refused' })
})

test('an event sent twice is one event', async () => {
  const started = await withMinions('db1')
  const event = { id: started.store.clock.eventId(), tag: 'my/tag', data: {} }
  for (let round = 0; round < 2; round++) await started.master.collect.events(minion('db1'), [event])
  expect(await jobTags(started)).toEqual(['my/tag'])
})

test('a run on the master is looked up like a job, unless it only looked; the shape is Salt’s', async () => {
  const { master } = await withMinions()
  const run = (client: 'runner' | 'wheel', fun: string, kwarg: Mapping = {}) =>
    master.startRun({ client, fun, arg: [], kwarg, user: 'root' }).outcome
  const own = `${masterId}_master`
  const { jid } = await run('runner', 'event.send', { tag: 'a/b' })
  const accepted = await run('wheel', 'key.accept', { match: 'nobody' })
  const told = {
    fun: 'runner.event.send',
    jid,
    user: 'root',
    fun_args: [{ tag: 'a/b' }],
    return: true,
    success: true,
    _stamp: expect.any(String),
  }
  expect((await run('runner', 'jobs.lookup_jid', { jid })).return).toEqual({ [own]: told })
  const about = {
    Function: 'runner.event.send',
    Arguments: [],
    Target: own,
    'Target-type': 'list',
    User: 'root',
    StartTime: expect.any(String),
  }
  expect((await run('runner', 'jobs.list_job', { jid })).return).toEqual({
    jid,
    ...about,
    Result: { [own]: { return: told } },
  })
  await run('runner', 'manage.up')
  expect((await run('runner', 'jobs.list_jobs')).return).toEqual({
    [jid]: about,
    [accepted.jid]: expect.objectContaining({ Function: 'wheel.key.accept' }),
  })
})
