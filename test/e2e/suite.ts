// One agent, one bus, one reactor, from end to end: the same for every platform.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, isMap } from '../../core/value/index.ts'
import { waitFor } from '../system/wait.ts'
import { tellsOfSteps } from './steps.ts'
import type { SeenEvent, World } from './world.ts'

/** Runs the suite in a world. Its tests go on from each other: a minion that joined in the first serves the others. */
export function endToEnd(platform: string, makeWorld: () => Promise<World>): void {
  describe(`end to end, ${platform}`, { timeout: 360_000 }, () => {
    let world: World
    beforeAll(async () => {
      world = await makeWorld()
    }, 600_000)
    afterAll(() => world?.close(), 600_000)

    const tags = (from: number): string[] => world.events.slice(from).map(({ tag }) => tag)

    /** The return of the job that a reaction led to. */
    const returnOf = async (fun: string, from: number, minion = 'web1'): Promise<SeenEvent> =>
      world.waitForEvent({ tag: `salt/job/*/ret/${minion}`, has: { fun }, from })

    it('a minion asks, waits, is accepted, and says that it started', async () => {
      world.startMinion('web1')
      await world.waitForEvent({ tag: 'salt/auth', has: { id: 'web1', act: 'pend' } })
      expect(await world.connection.keys({ act: 'list' })).toMatchObject({ lists: { minions_pre: ['web1'] } })
      expect(await world.connection.keys({ act: 'accept', match: 'web1' })).toEqual({ changed: ['web1'] })
      await world.waitForEvent({ tag: 'salt/minion/web1/start' })
      await world.waitForEvent({ tag: 'salt/auth', has: { id: 'web1', act: 'accept' } })
    })

    it('answers a ping, with the events of a job, in their order where the log keeps one', async () => {
      const from = world.events.length
      const { jid, minions } = await world.connection.publish({ tgt: '*', fun: 'test.ping' })
      expect(minions).toEqual(['web1'])
      const ret = await world.waitForEvent({ tag: `salt/job/${jid}/ret/web1`, from })
      expect(ret.data).toMatchObject({ return: true, success: true, retcode: 0, fun: 'test.ping', jid, id: 'web1' })
      const own = tags(from).filter((tag) => tag.includes(jid))
      if (world.keepsOrder)
        expect(own.indexOf(`salt/job/${jid}/new`)).toBeLessThan(own.indexOf(`salt/job/${jid}/ret/web1`))
      else await world.waitForEvent({ tag: `salt/job/${jid}/new`, from })
      expect((await world.connection.job(jid)).returns).toHaveLength(1)
    })

    it('reacts to a custom event with a job, whose return everybody sees', async () => {
      const from = world.events.length
      await world.connection.fire('e2e/greet', { to: 'web1', name: "it's: [odd" })
      const ret = await returnOf('test.echo', from)
      expect(ret.data).toMatchObject({ return: "hello it's: [odd", success: true })
    })

    it("reacts to a minion's own event, which carries its id whatever it claims", async () => {
      const from = world.events.length
      const { exit } = await world.call('web1', ['event.send', 'e2e/from-minion', '{"id": "somebody-else", "x": 1}'])
      expect(exit).toBe(0)
      const event = await world.waitForEvent({ tag: 'e2e/from-minion', from })
      expect(event.data.id).toBe('web1')
      expect((await returnOf('test.arg', from)).data).toMatchObject({ id: 'web1' })
    })

    it("refuses a minion what is the master's or another's to say", async () => {
      const from = world.events.length
      await world.call('web1', ['event.send', 'salt/minion/web2/start'])
      await world.call('web1', ['event.send', 'e2e/after'])
      await world.waitForEvent({ tag: 'e2e/after', from })
      expect(tags(from)).not.toContain('salt/minion/web2/start')
    })

    it('runs a runner for an event', async () => {
      const from = world.events.length
      await world.connection.fire('e2e/run', { n: 1 })
      const ret = await world.waitForEvent({ tag: 'salt/run/*/ret', has: { fun: 'runner.jobs.list_jobs' }, from })
      expect(ret.data).toMatchObject({ success: true })
    })

    it("runs a runner of the user's own, for a command and for an event", async () => {
      const { connection } = world
      const ran = await connection.run({ client: 'runner', fun: 'shop.restock', arg: ['shoes'], kwarg: { size: 'xl' } })
      expect(ran).toMatchObject({
        success: true,
        return: { item: 'shoes', by: 1, rest: { size: 'xl' }, host: 'string' },
      })
      const from = world.events.length
      await connection.fire('e2e/restock', { item: 'hats' })
      const has = { fun: 'runner.shop.restock', user: 'Reactor' }
      const ret = await world.waitForEvent({ tag: 'salt/run/*/ret', has, from })
      expect(ret.data).toMatchObject({ success: true, return: { item: 'hats', by: 3 } })
    })

    it('chains: what a reaction fires is reacted to, and its cause is known', async () => {
      const from = world.events.length
      await world.connection.fire('e2e/chain/1', { to: 'web1' })
      await world.waitForEvent({ tag: 'e2e/chain/2', from })
      await returnOf('test.echo', from)
    })

    it('ends a loop, and says so', async () => {
      const from = world.events.length
      await world.connection.fire('e2e/loop', { to: 'web1' })
      await world.waitForEvent({ tag: 'brine/reactor/loop', from })
      const count = tags(from).filter((tag) => tag === 'e2e/loop').length
      expect(count).toBeLessThanOrEqual(17)
    })

    it('tells of a file that does not render, and reacts with the others all the same', async () => {
      const from = world.events.length
      await world.connection.fire('e2e/broken', { to: 'web1' })
      await world.waitForEvent({ tag: 'brine/reactor/error', from })
      await returnOf('test.echo', from)
    })

    it('takes a reactor at run time, uses it, and lets it go', async () => {
      const { connection } = world
      const add = await connection.run({
        client: 'runner',
        fun: 'reactor.add',
        arg: ['e2e/live/*', ['/srv/reactor/greet.sls']],
      })
      expect(add).toMatchObject({ success: true })
      const from = world.events.length
      // The set that is in force is known everywhere within seconds.
      const ret = await waitFor('a reaction to what was added', async () => {
        await connection.fire('e2e/live/1', { to: 'web1', name: 'live' })
        return world
          .waitForEvent({ tag: 'salt/job/*/ret/web1', has: { return: 'hello live' }, from }, 2_000)
          .catch(() => undefined)
      })
      expect(ret.data).toMatchObject({ success: true })
      expect(await connection.run({ client: 'runner', fun: 'reactor.delete', arg: ['e2e/live/*'] })).toMatchObject({
        success: true,
        return: { status: true },
      })
      const list = await connection.run({ client: 'runner', fun: 'reactor.list' })
      expect(JSON.stringify(list.return)).not.toContain('e2e/live')
    })

    it('explains an event, and one that nothing reacts to', async () => {
      const { connection } = world
      const explained = await connection.run({ client: 'runner', fun: 'reactor.explain', arg: ['e2e/greet'] })
      expect(JSON.stringify(explained.return)).toContain('One reaction: done')
      const none = await connection.run({ client: 'runner', fun: 'reactor.explain', arg: ['e2e/nothing'] })
      expect(isMap(none.return ?? null) && get(none.return as never, 'summary')).toContain('No event in the log')
    })

    it('tells of the steps of an orchestration as Salt does', () => tellsOfSteps(world))

    it('sends nothing where nobody matches', async () => {
      expect(await world.connection.publish({ tgt: 'nobody*', fun: 'test.ping' })).toMatchObject({
        jid: '',
        minions: [],
      })
    })

    it('deletes a key: the minion has to ask again, as another', async () => {
      const from = world.events.length
      await world.connection.keys({ act: 'delete', match: 'web1' })
      await world.waitForEvent({ tag: 'salt/key', has: { act: 'delete', id: 'web1' }, from })
      // It learns of it when it has something to say.
      await world.call('web1', ['event.send', 'e2e/too-late'])
      await world.waitForEvent({ tag: 'salt/auth', has: { id: 'web1', act: 'pend' }, from })
      expect(tags(from)).not.toContain('e2e/too-late')
    })
  })
}
