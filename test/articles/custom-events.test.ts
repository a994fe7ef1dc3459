// ARTICLES.md, B: custom events. Each test is a step, named by its number.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject, type Json, type StreamEvent } from '../golden/mask.ts'
import { event, JID, JID2, type Stage, setStage, type Terminal } from './stage.ts'

let stage: Stage
let W: Terminal

beforeAll(async () => {
  stage = await setStage({ master: 'auto_accept: True\n' })
  W = await stage.terminal()
  await stage.join('ubuntuAsus', 'minionname', 'web01')
}, 180_000)
afterAll(() => stage.close())

const call = (line: string) => stage.shell(line, { at: 'ubuntuAsus' })

/** What event.send from a minion leads to, as the articles print it. */
function sent(tag: string, data: { readonly [key: string]: Json }, arg: readonly Json[]): StreamEvent[] {
  const id = 'ubuntuAsus'
  const from = { __pub_fun: 'event.send', __pub_jid: JID, __pub_pid: 85669, __pub_tgt: 'salt-call' }
  const ret = {
    arg,
    cmd: '_return',
    fun: 'event.send',
    fun_args: arg,
    id,
    jid: JID2,
    retcode: 0,
    return: true,
    tgt: id,
    tgt_type: 'glob',
  }
  return [
    event('salt/auth', { act: 'accept', id, result: true }),
    event(`minion/refresh/${id}`, { 'Minion data cache refresh': id }),
    event(tag, { cmd: '_minion_event', data: { ...from, ...data }, id, tag }),
    event(`salt/job/${JID2}/ret/${id}`, ret),
  ]
}

function payloadOf(tag: string, from: number): { readonly [key: string]: Json } {
  const data = W.events(from).find((seen) => seen.tag === tag)?.data
  return isObject(data) && isObject(data.data) ? data.data : {}
}

describe('custom events', { timeout: 180_000 }, () => {
  it('11: event.send with a tag alone', async () => {
    const from = W.mark()
    const { stdout, exit } = await call('brine-call event.send instar/custom/event')
    expect({ stdout, exit }).toEqual({ stdout: 'local:\n    True\n', exit: 0 })
    await W.shows(sent('instar/custom/event', {}, ['instar/custom/event']), from)
    const ret = W.events(from).find(({ tag }) => /^salt\/job\/.*\/ret\//.test(tag))
    expect(ret?.tag).not.toContain(String(payloadOf('instar/custom/event', from).__pub_jid))
  })

  it('12: event.send with JSON, which is text in arg', async () => {
    const from = W.mark()
    const json = '{"what": "something happened", "is it serious": true}'
    await call(`brine-call event.send instar/custom/event '${json}'`)
    const data = { 'is it serious': true, what: 'something happened' }
    await W.shows(sent('instar/custom/event', data, ['instar/custom/event', json]), from)
  })

  it('13: with_grains=true', async () => {
    const from = W.mark()
    await call('brine-call event.send instar/custom/event with_grains=true')
    await W.shows([event('instar/custom/event', { id: 'ubuntuAsus' })], from)
    const { grains } = payloadOf('instar/custom/event', from)
    expect(Object.keys(isObject(grains) ? grains : {}).length).toBeGreaterThan(20)
    expect(grains).toMatchObject({ id: 'ubuntuAsus', kernel: expect.any(String), os: expect.any(String) })
  })

  it("14: with_grains='[os]'", async () => {
    const from = W.mark()
    await call("brine-call event.send instar/custom/event with_grains='[os]'")
    await W.shows(sent('instar/custom/event', {}, ['instar/custom/event', 'with_grains=[os]']), from)
    const { grains } = payloadOf('instar/custom/event', from)
    expect(Object.keys(isObject(grains) ? grains : {})).toEqual(['os'])
  })

  it('15: event.send with YAML', async () => {
    const from = W.mark()
    await call(`brine-call event.send 'myco/mytag/success' '{success: True, message: "It works!"}'`)
    await W.shows([event('myco/mytag/success', { data: { message: 'It works!', success: true } })], from)
  })

  it("16: event.fire stays on the minion's bus", async () => {
    const from = W.mark()
    const local = await stage.terminal('ubuntuAsus')
    await call(`brine-call event.fire '{"data": "message to be sent in the event"}' 'tag'`)
    await local.shows([event('tag', { data: 'message to be sent in the event' })])
    await local.interrupt()
    await W.shows(
      [
        event(`salt/job/${JID}/ret/ubuntuAsus`, {
          fun: 'event.fire',
          fun_args: ['{"data": "message to be sent in the event"}', 'tag'],
          jid: JID,
          id: 'ubuntuAsus',
        }),
      ],
      from,
    )
    expect(W.events(from).map(({ tag }) => tag)).not.toContain('tag')
  })

  it('17: event.fire by a job', async () => {
    const from = W.mark()
    const local = await stage.terminal('minionname')
    await stage.shell(`brine minionname event.fire '{"data": "message for the minion"}' 'customtag/african/unladen'`)
    await local.shows([event('customtag/african/unladen', { data: 'message for the minion' })])
    await local.interrupt()
    const arg = [{ data: 'message for the minion' }, 'customtag/african/unladen']
    await W.shows(
      [
        event(`salt/job/${JID}/new`, { fun: 'event.fire', arg, jid: JID, minions: ['minionname'] }),
        event(`salt/job/${JID}/ret/minionname`, {
          fun: 'event.fire',
          fun_args: arg,
          jid: JID,
          id: 'minionname',
          return: true,
        }),
      ],
      from,
    )
  })

  it('18: event.send by a job', async () => {
    const from = W.mark()
    const { stdout } = await stage.shell(
      `brine 'web01' event.send 'myapp/deploy/complete' '{"version": "1.4.2", "status": "ok"}'`,
    )
    expect(stdout).toBe('web01:\n    True\n')
    await W.shows([event('myapp/deploy/complete', { data: { status: 'ok', version: '1.4.2' }, id: 'web01' })], from)
  })
})
