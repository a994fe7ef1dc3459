// What is delivered, and what is not: dead letters and their redrive, replay, and events that no reactor wants.
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'
import type { Value } from '../../../core/value/index.ts'
import { encodeRecord } from '../../../core/value/record-text.ts'
import { variables } from '../../../platform/aws/layout/index.ts'
import { hashOf } from '../../../platform/aws/store/payloads.ts'
import { waitFor } from '../../system/wait.ts'
import { environmentOf, storeOf } from '../inside.ts'
import { probeBus } from '../probe-bus.ts'
import { emulatorClients } from '../resources.ts'
import { rulesOf } from '../rules.ts'
import type { AwsWorld } from '../world.ts'

const events = new EventBridgeClient(emulatorClients())
const queues = new SQSClient(emulatorClients())

/** How many events nobody wants are sent. */
const unwanted = 10_000

/** Their minion, `web2`, joins in the first. */
export function deliveryStories(world: () => AwsWorld): void {
  describe('delivery', { timeout: 360_000 }, () => {
    it('takes a minion for what follows', async () => {
      const { startMinion, waitForEvent, connection } = world()
      startMinion('web2')
      await waitForEvent({ tag: 'salt/auth', has: { id: 'web2', act: 'pend' } })
      await connection.keys({ act: 'accept', match: 'web2' })
      await waitForEvent({ tag: 'salt/minion/web2/start' })
    })

    it('keeps what cannot be read as a dead letter, with its reason, and a redrive reacts to it', async () => {
      const { stack, connection, waitForEvent, mark } = world()
      const store = await storeOf(stack)
      const deadQueue = (await environmentOf(stack))[variables.reactorDeadQueue] ?? ''
      const text = Buffer.from(encodeRecord({ to: 'web2', name: 'again' }))
      const id = store.clock.eventId()
      const detail = { tag: 'e2e/greet', id, at: store.clock.now(), nth: 0, claim: hashOf(text) }
      const entry = {
        EventBusName: stack.outputs.BusName,
        Source: 'brine.master',
        DetailType: 'e2e/greet',
        Detail: JSON.stringify(detail),
      }
      await events.send(new PutEventsCommand({ Entries: [entry] }))
      // The payload comes back: only now the letter can be read, and told.
      const run = (fun: string, kwarg = {}) => connection.run({ client: 'runner', fun, kwarg })
      await waitFor('a dead letter', async () => ((await depthOf(deadQueue)) > 0 ? true : undefined))
      await store.payloads.store(text)
      const failed = await run('reactor.failed')
      expect(JSON.stringify(failed.return)).toContain('is not in the bucket any more')
      expect(JSON.stringify(failed.return)).toContain(id)
      const from = mark()
      expect(await run('reactor.redrive', { event: id })).toMatchObject({ success: true })
      await waitForEvent({ tag: 'salt/job/*/ret/web2', has: { return: 'hello again' }, from })
      expect((await run('reactor.failed')).return).toEqual([])
    })

    it('replays what nothing reacted to, once an entry wants it', async () => {
      const { connection, waitForEvent, mark } = world()
      const run = (fun: string, arg: Value[], kwarg = {}) => connection.run({ client: 'runner', fun, arg, kwarg })
      await connection.fire('e2e/early/1', { to: 'web2', name: 'late' })
      await waitForEvent({ tag: 'e2e/early/1' })
      await run('reactor.add', ['e2e/early/*', ['/srv/reactor/greet.sls']])
      const added = mark()
      await waitFor('the entry to be in force', async () => {
        await connection.fire('e2e/early/probe', { to: 'web2', name: 'probe' })
        const wanted = { tag: 'salt/job/*/ret/web2', has: { return: 'hello probe' }, from: added }
        return waitForEvent(wanted, 2_000).catch(() => undefined)
      })
      const from = mark()
      const replayed = (await run('event.replay', [], { tag: 'e2e/early/1' })).return
      expect(JSON.stringify(replayed)).toContain('e2e/early/1')
      await waitForEvent({ tag: 'salt/job/*/ret/web2', has: { return: 'hello late' }, from })
      await run('reactor.delete', ['e2e/early/*'])
    })

    it(`puts none of ${unwanted} events on the reactor's queue whose tags begin as globs do and then differ`, async () => {
      const { stack } = world()
      const store = await storeOf(stack)
      const rules = (await rulesOf(stack.outputs.BusName ?? '')).filter(({ queue }) => /ReactorQueue/.test(queue))
      expect(rules.length).toBeGreaterThan(0)
      // The deployed rules on a bus of their own: the log would take all of these events, and the time for it.
      const probe = await probeBus(`${stack.name}-probe`, rules)
      try {
        const send = (tags: readonly string[]) =>
          probe.send(tags.map((tag) => ({ id: store.clock.eventId(), tag, data: {}, source: 'master' })))
        await send(Array.from({ length: unwanted }, (_, n) => `${prefixes[n % prefixes.length]}${n}/x`))
        expect(await depthOf(probe.queueUrl)).toBe(0)
        await send(['e2e/nothing-yet', 'e2e/chain/2', 'salt/cloud/web1/destroyed'])
        await waitFor('those that are wanted', async () => ((await depthOf(probe.queueUrl)) === 2 ? true : undefined))
      } finally {
        await probe.remove()
      }
    }, 600_000)
  })
}

/** The beginnings of the suite's globs, each whole or up to its first star. */
const prefixes = [
  'e2e/greet',
  'e2e/from-minion',
  'e2e/run',
  'e2e/chain/1',
  'e2e/chain/2',
  'e2e/l',
  'e2e/broken',
  'salt/auth',
  'salt/cloud/',
]

async function depthOf(QueueUrl: string): Promise<number> {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const
  const { Attributes = {} } = await queues.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }))
  return names.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0)
}
