// What the minion sends to a fake master, and what of it is on its own bus.
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useLab } from './fake-lab.ts'
import { until } from './fake-setup.ts'
import { localBusAddress } from './local-bus/address.ts'
import { connectLocalBus } from './local-bus/client.ts'

const lab = useLab({ beforeEach, afterEach })

describe('what it sends', () => {
  it('keeps events and returns in order while the master is away', async () => {
    const minion = await lab.started()
    await minion.joined
    await until(() => lab.master.listening === 1)
    const address = localBusAddress(join(lab.fake.root, 'sock'), 'web1')
    const bus = await connectLocalBus(address)
    lab.master.failWith = 503
    lab.master.publish({ fun: 'event.send', arg: ['app/one', { n: 1 }] })
    lab.master.failWith = 0
    await until(() => lab.master.events.some(({ tag }) => tag === 'app/one'))
    await until(() => lab.master.returns.length === 1)
    bus.close()
    const order = lab.master.happenings
      .filter(({ what }) => what === 'event' || what === 'return')
      .map(({ detail }) => detail)
    expect(order.indexOf('app/one')).toBeLessThan(order.indexOf(lab.master.returns[0]?.jid ?? ''))
  })

  it('sends event.send with the job’s data, and shows it on its own bus', async () => {
    const minion = await lab.started()
    await minion.joined
    const bus = await connectLocalBus(localBusAddress(join(lab.fake.root, 'sock'), 'web1'))
    const seen = await bus.subscribe()
    const first = seen.next()
    const jid = lab.master.publish({ fun: 'event.send', arg: ['lab/from/cli', { a: 1 }], tgt: 'web1' })
    await until(() => lab.master.returns.length === 1)
    const data = {
      id: 'web1',
      cmd: '_minion_event',
      pretag: null,
      data: {
        __pub_fun: 'event.send',
        __pub_arg: ['lab/from/cli', { a: 1 }],
        __pub_tgt: 'web1',
        __pub_jid: jid,
        __pub_ret: '',
        __pub_tgt_type: 'glob',
        __pub_user: 'root',
        a: 1,
      },
      tag: 'lab/from/cli',
    }
    expect(lab.master.events.at(-1)).toMatchObject({ tag: 'lab/from/cli', data })
    expect((await first).value).toEqual({ tag: 'lab/from/cli', data: { ...data, _stamp: expect.any(String) } })
    bus.close()
  })

  it('keeps event.fire on its own bus', async () => {
    const minion = await lab.started()
    await minion.joined
    const before = lab.master.events.length
    const bus = await connectLocalBus(localBusAddress(join(lab.fake.root, 'sock'), 'web1'))
    const first = (await bus.subscribe()).next()
    lab.master.publish({ fun: 'event.fire', arg: [{ data: 'here' }, 'custom/x'] })
    expect((await first).value).toMatchObject({ tag: 'custom/x', data: { data: 'here' } })
    await until(() => lab.master.returns.length === 1)
    expect(lab.master.returns[0]?.return).toBe(true)
    expect(lab.master.events.length).toBe(before)
    bus.close()
  })

  it('goes on with another token when the master forgot the first', async () => {
    const minion = await lab.started()
    await minion.joined
    lab.master.revokeTokens()
    lab.master.publish({ fun: 'test.ping' })
    await until(() => lab.master.returns.length === 1)
  })

  it('reconnects the doorbell', async () => {
    const minion = await lab.started()
    await minion.joined
    await until(() => lab.master.listening === 1)
    lab.master.cutBell()
    await until(() => lab.master.listening === 0)
    await until(() => lab.master.listening === 1)
  })

  it('answers a highstate as Salt does without a top file', async () => {
    await (await lab.started()).joined
    const before = lab.master.happenings.length
    lab.master.publish({ fun: 'state.highstate' })
    await until(() => lab.master.returns.length === 1)
    expect(lab.master.returns[0]).toMatchObject({
      out: 'highstate',
      retcode: 2,
      success: false,
      fun_args: [],
      return: {
        'no_|-states_|-states_|-None': {
          result: false,
          comment: 'No Top file or master_tops data matches found. Please see master log for details.',
          name: 'No States',
          changes: {},
          __run_num__: 0,
        },
      },
    })
    const since = lab.master.happenings.slice(before).filter(({ what }) => what !== 'jobs')
    expect(since.map(({ what }) => what)).toEqual(['token', 'refresh', 'return'])
  })
})
