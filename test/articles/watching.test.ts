// ARTICLES.md, A: watching the bus. Each test is a step, named by its number.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPrettyPrinted } from '../golden/transcript.ts'
import { waitFor } from '../system/wait.ts'
import { event, JID, jobEvents, type Stage, setStage, type Terminal } from './stage.ts'

let stage: Stage
let W: Terminal

beforeAll(async () => {
  stage = await setStage()
  W = await stage.terminal()
  await stage.join('ubuntuAsus', 'ubuntuMaster')
}, 180_000)
afterAll(() => stage.close())

describe('watching', { timeout: 180_000 }, () => {
  it.each(['true', 'True'])('1: state.event pretty=%s prints each event until it is interrupted', async (yes) => {
    const terminal = stage.shellStart(`step1-${yes}`, `exec brine-run state.event pretty=${yes}`)
    await waitFor('an event', async () => {
      await stage.connection().fire('step/1', { zeta: 1, alpha: { b: [1, 2], a: null } })
      return terminal.stdout().includes('step/1\t') ? true : undefined
    })
    expect(terminal.exit()).toBeUndefined()
    await terminal.stop('SIGINT')
    expect(terminal.stdout()).toMatch(
      /^step\/1\t\{\n {4}"_stamp": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}",\n {4}"alpha": \{\n {8}"a": null,/m,
    )
    expect(isPrettyPrinted(terminal.stdout())).toBe(true)
  })

  it("2: the minion's own bus", async () => {
    const terminal = await stage.terminal('ubuntuAsus')
    await stage.shell(`brine-call event.fire '{"data": "near"}' 'step/2'`, { at: 'ubuntuAsus' })
    await terminal.shows([event('step/2', { data: 'near' })])
    await terminal.interrupt()
  })

  it('3: pretty = True names its mistake', async () => {
    const { stdout, stderr } = await stage.shell('brine-run state.event pretty = True')
    expect(stdout + stderr).toContain('pretty=True')
    expect(stdout + stderr).toContain('=')
  })

  it('4: test.ping, and its events', async () => {
    const from = W.mark()
    const { stdout, exit } = await stage.shell('brine ubuntuAsus test.ping')
    expect({ stdout, exit }).toEqual({ stdout: 'ubuntuAsus:\n    True\n', exit: 0 })
    const ret = { fun_args: [], retcode: 0, return: true, success: true }
    await W.shows(jobEvents('test.ping', ['ubuntuAsus'], { ret }), from)
  })

  it('5: reboot, wait for the start event, highstate', async () => {
    const from = stage.mark()
    const typed = stage.shell(
      "brine 'ubuntuAsus' system.reboot && \\\n    brine-run state.event 'salt/minion/ubuntuAsus/start' count=1 quiet=True && \\\n    brine 'ubuntuAsus' state.highstate",
      { timeout: 120_000 },
    )
    await stage.rebooted('ubuntuAsus')
    await stage.waitForEvent({ tag: 'salt/run/*/new', has: { fun: 'runner.state.event' }, from })
    await stage.stopMinion('ubuntuAsus')
    stage.startMinion('ubuntuAsus')
    const { stdout } = await typed
    expect(stdout).toContain('No Top file or master_tops data matches found')
    expect(stdout).not.toContain('salt/minion/')
    const ran = await stage.waitForEvent({ tag: 'salt/job/*/ret/ubuntuAsus', has: { fun: 'state.highstate' }, from })
    const started = await stage.waitForEvent({ tag: 'salt/minion/ubuntuAsus/start', from })
    expect(started.index).toBeLessThan(ran.index)
  })

  it('6: the same for two minions', async () => {
    const from = stage.mark()
    const typed = stage.shell(
      "brine -L 'ubuntuAsus,ubuntuMaster' system.reboot && \\\n    brine-run state.event 'salt/minion/*/start' count=2 quiet=True && \\\n    brine -L 'ubuntuAsus,ubuntuMaster' state.highstate",
      { timeout: 120_000 },
    )
    await Promise.all([stage.rebooted('ubuntuMaster'), stage.rebooted('ubuntuAsus')])
    await stage.waitForEvent({ tag: 'salt/run/*/new', has: { fun: 'runner.state.event' }, from })
    for (const id of ['ubuntuAsus', 'ubuntuMaster']) {
      await stage.stopMinion(id)
      stage.startMinion(id)
    }
    await typed
    for (const id of ['ubuntuAsus', 'ubuntuMaster'])
      await stage.waitForEvent({ tag: `salt/job/*/ret/${id}`, has: { fun: 'state.highstate' }, from })
  })

  it('8: a minion starts, in this order', async () => {
    const id = 'test-salt-minion-1'
    await stage.join(id)
    const from = W.mark()
    await stage.stopMinion(id)
    stage.startMinion(id)
    const start = { cmd: '_minion_event', data: `Minion ${id} started at Wed Nov  8 07:52:57 2017`, id, pretag: null }
    await W.shows(
      [
        event('salt/auth', {
          act: 'accept',
          id,
          pub: '-----BEGIN PUBLIC KEY-----x-----END PUBLIC KEY-----',
          result: true,
        }),
        event(`minion/refresh/${id}`, { 'Minion data cache refresh': id }),
        event('minion_start', { ...start, tag: 'minion_start' }),
        event(`salt/minion/${id}/start`, { ...start, tag: `salt/minion/${id}/start` }),
      ],
      from,
    )
  })

  it('9: a key is accepted, rejected, deleted', async () => {
    const id = 'test-salt-minion-1'
    await stage.stopMinion(id)
    const from = W.mark()
    await stage.shell(`brine-key -y -d ${id}`)
    stage.startMinion(id)
    await W.shows(
      [event('salt/key', { act: 'delete', id, result: true }), event('salt/auth', { act: 'pend', id })],
      from,
    )
    await stage.shell(`brine-key -y -r ${id}`)
    await stage.shell(`brine-key -y -a ${id} --include-rejected`)
    await W.shows(
      [event('salt/key', { act: 'reject', id, result: true }), event('salt/key', { act: 'accept', id, result: true })],
      from,
    )
    await stage.stopMinion(id)
  })

  it('10: a runner announces itself', async () => {
    const from = W.mark()
    expect((await stage.shell('brine-run manage.up')).stdout).toContain('- ubuntuAsus')
    await W.shows([event(`salt/run/${JID}/new`, { fun: 'runner.manage.up', fun_args: [], jid: JID })], from)
  })
})
