// ARTICLES.md, H: reactors for a fleet. Each test is a step, named by its number.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject } from '../golden/mask.ts'
import { waitFor } from '../system/wait.ts'
import { event, JID, type Stage, setStage, type Terminal } from './stage.ts'

let stage: Stage
let W: Terminal

const REACTOR_CONF = `reactor:
  - 'salt/minion/*/start':
    - /srv/reactor/minion_start.sls
  - 'salt/auth':
    - /srv/reactor/auth.sls
  - 'slow/*':
    - /srv/reactor/slow.sls
`
const MINION_START = `# When a new minion comes online, automatically apply its highstate
apply_highstate:
  local.state.highstate:
    - tgt: {{ data['id'] }}
`
const AUTH = `{% if data['act'] == 'pend' and data['id'].startswith('web-asg-') %}
accept_minion:
  wheel.key.accept:
    - match: {{ data['id'] }}

apply_state:
  local.state.highstate:
    - tgt: {{ data['id'] }}
    - require:
      - wheel: accept_minion
{% endif %}
`
const SLOW = `take_your_time:
  runner.slow.hold:
    - args:
      - until: @LAB@/enough
`
/** Takes as long as there is no such file. */
const SLOW_RUNNER = `import { existsSync } from 'node:fs'
export async function hold({ until }) {
  while (!existsSync(until)) await new Promise((resolve) => setTimeout(resolve, 50))
  return 'held'
}
hold.params = { until: '' }
`

beforeAll(async () => {
  stage = await setStage({ master: 'pend_interval: 1\nrunner_dirs:\n  - @LAB@/srv/runners\n' })
  await stage.stopMaster()
  stage.write('etc/brine/master.d/reactor.conf', REACTOR_CONF)
  stage.write('srv/reactor/minion_start.sls', MINION_START)
  stage.write('srv/reactor/auth.sls', AUTH)
  stage.write('srv/reactor/slow.sls', SLOW)
  stage.write('srv/runners/slow.mjs', SLOW_RUNNER)
  await stage.startMaster()
  W = await stage.terminal()
}, 180_000)
afterAll(() => stage.close())

/** How many highstates a minion has returned, as the terminal shows. */
function highstates(id: string, from: number): number {
  return W.events(from).filter(
    ({ tag, data }) => tag.endsWith(`/ret/${id}`) && isObject(data) && data.fun === 'state.highstate',
  ).length
}

describe('a fleet', { timeout: 180_000 }, () => {
  it('55: web-asg-7 is accepted by the reactor and gets its highstate', async () => {
    const from = W.mark()
    const id = 'web-asg-7'
    stage.startMinion(id)
    const asked = event('salt/auth', { act: 'pend', id, result: true })
    const accepted = event('salt/key', { act: 'accept', id, result: true })
    const job = event(`salt/job/${JID}/new`, { fun: 'state.highstate', arg: [], jid: JID, tgt: id })
    const started = event(`salt/minion/${id}/start`, { id })
    const ret = event(`salt/job/${JID}/ret/${id}`, { fun: 'state.highstate', fun_args: [], jid: JID, id })
    // An accepted minion starts while the reaction goes on to its second chunk.
    await W.shows([asked, accepted, job, ret], from)
    await W.shows([asked, accepted, started, ret], from)
    // Its start leads to a highstate as well.
    await waitFor('both highstates', () => (highstates(id, from) >= 2 ? true : undefined))
  })

  it('56: db2 stays pending until it is accepted by hand', async () => {
    const from = W.mark()
    const id = 'db2'
    stage.startMinion(id)
    const pend = event('salt/auth', { act: 'pend', id, result: true })
    await W.shows([pend, pend], from)
    expect((await stage.shell('brine-key -l un')).stdout).toBe('Unaccepted Keys:\ndb2\n')
    expect(W.events(from).filter(({ tag }) => tag === 'salt/key')).toEqual([])
    await stage.shell('brine-key -a db2', { stdin: 'y\n' })
    await W.shows(
      [
        event('salt/key', { act: 'accept', id, result: true }),
        event(`salt/minion/${id}/start`, { id }),
        event(`salt/job/${JID}/ret/${id}`, { fun: 'state.highstate', fun_args: [], jid: JID, id }),
      ],
      from,
    )
  })

  it('57: auth.sls yields nothing for act accept and for a rejected key', async () => {
    const from = W.mark()
    await stage.shell("brine-call event.send 'step/57'", { at: 'db2' })
    await W.shows([event('salt/auth', { act: 'accept', id: 'db2', result: true })], from)
    await stage.stopMinion('db2')
    await stage.shell('brine-key -y -d db2')
    stage.startMinion('db2')
    await W.shows([event('salt/auth', { act: 'pend', id: 'db2' })], from)
    await stage.shell('brine-key -y -r db2')
    await W.shows([event('salt/auth', { act: 'reject', id: 'db2', result: false })], from)
    await stage.stopMinion('db2')
    // What follows shows that the reactor has worked through all of it.
    await stage.shell("brine-call event.send 'step/57/end'", { at: 'web-asg-7' })
    await W.shows([event('step/57/end', { id: 'web-asg-7' })], from)
    const fired = W.events(from)
    expect(fired.filter(({ data }) => isObject(data) && data.user === 'Reactor')).toEqual([])
    expect(fired.filter(({ tag }) => tag.startsWith('brine/'))).toEqual([])
  })

  it('60: highstate with --batch 1, one minion at a time', async () => {
    await stage.shell('brine-key -y -a db2 --include-rejected')
    const before = W.mark()
    await stage.join('db2')
    const ret = { fun: 'state.highstate', fun_args: [], jid: JID, id: 'db2' }
    await W.shows([event('salt/minion/db2/start', { id: 'db2' }), event(`salt/job/${JID}/ret/db2`, ret)], before)
    const from = W.mark()
    const { stdout } = await stage.shell("brine '*' state.highstate --batch 1")
    expect(stdout).toContain('Executing run on')
    for (const id of ['db2', 'web-asg-7'])
      await waitFor(`the return of ${id}`, () => (highstates(id, from) > 0 ? true : undefined))
    const jobs = W.events(from).filter(
      ({ tag, data }) => tag.endsWith('/new') && isObject(data) && data.fun === 'state.highstate',
    )
    expect(jobs.flatMap(({ data }) => (isObject(data) ? data.minions : null)).sort()).toEqual(['db2', 'web-asg-7'])
    expect(jobs).toHaveLength(2)
    const [first, second] = jobs.map((job) => W.events(from).findIndex(({ tag }) => tag === job.tag))
    const firstReturn = W.events(from).findIndex(
      ({ tag, data }) => tag.includes('/ret/') && isObject(data) && data.fun === 'state.highstate',
    )
    expect(first).toBeLessThan(firstReturn)
    expect(firstReturn).toBeLessThan(second ?? -1)
  })

  it('61: event.send returns at once, whatever the reaction takes', async () => {
    const from = W.mark()
    // The reaction ends no sooner than the file is there: whoever waited for it would wait for ever.
    const { exit } = await stage.shell("brine-call event.send 'slow/reaction'", { at: 'web-asg-7' })
    expect(exit).toBe(0)
    const until = `${stage.root}/enough`
    const run = { fun: 'runner.slow.hold', fun_args: [{ until }], jid: JID }
    await W.shows([event('slow/reaction', { id: 'web-asg-7' }), event(`salt/run/${JID}/new`, run)], from)
    expect(W.events(from).some(({ tag, data }) => tag.endsWith('/ret') && isObject(data) && data.fun === run.fun)).toBe(
      false,
    )
    stage.write('enough', '')
    await W.shows([event(`salt/run/${JID}/ret`, { ...run, success: true, return: 'held' })], from)
  })
})
