// Orchestrations on a real store: steps in order and side by side, failures that halt, and what each kind of step returns.
import { afterEach, describe, expect, it } from 'vitest'
import { get, isMap, type Mapping, type Value } from '../../core/value/index.ts'
import { type Answering, type OrchestrationStage, orchestrationStage } from './orchestration-stage.ts'

let stage: OrchestrationStage
afterEach(() => stage.close())

const DEPLOY = `
remove_from_lb:
  salt.function:
    - name: cmd.run
    - tgt: 'lb*'
    - arg:
      - haproxy-disable backend web01
deploy_app:
  salt.state:
    - tgt: web01
    - sls:
      - app.deploy
    - require:
      - salt: remove_from_lb
run_smoke_tests:
  salt.function:
    - name: cmd.run
    - tgt: web01
    - arg:
      - /opt/app/bin/smoke-test.sh
    - require:
      - salt: deploy_app
add_to_lb:
  salt.function:
    - name: cmd.run
    - tgt: 'lb*'
    - arg:
      - haproxy-enable backend web01
    - require:
      - salt: run_smoke_tests
`

const state = (result: boolean, changes: Mapping = { a: 'b' }): Value => ({
  'test_|-x_|-x_|-nop': { result, changes, comment: '', name: 'x', __run_num__: 0, __id__: 'x', __sls__: 'app' },
})

const well: Answering = (_, { fun }) =>
  fun === 'state.sls' ? { return: state(true), out: 'highstate' } : { return: `${fun} ok` }

/** Of each step by id: result and comment. */
function told(outcome: Value): Record<string, [Value, Value]> {
  const data = isMap(outcome) ? (get(outcome, 'data') ?? null) : null
  const results = isMap(data) ? (get(data, 'vm_master') ?? null) : null
  const steps = Object.entries(results as Record<string, Mapping>)
  return Object.fromEntries(
    steps.map(([tag, step]) => [tag.split('_|-')[1], [step.result ?? null, step.comment ?? null]]),
  )
}

describe('the deployment of the article', () => {
  it('runs drain, deploy, smoke test and add back in this order', async () => {
    stage = await orchestrationStage(['lb01', 'web01'], { 'orch/deploy.sls': DEPLOY }, well)
    const outcome = await stage.orchestrate({ mods: 'orch.deploy' })
    expect(stage.ran).toEqual([
      'lb01 cmd.run haproxy-disable backend web01',
      'web01 state.sls app.deploy',
      'web01 cmd.run /opt/app/bin/smoke-test.sh',
      'lb01 cmd.run haproxy-enable backend web01',
    ])
    expect(outcome).toMatchObject({ success: true, return: { outputter: 'highstate', retcode: 0 } })
    expect(told(outcome.return)).toEqual({
      remove_from_lb: [true, 'Function ran successfully. Function cmd.run ran on lb01.'],
      deploy_app: [true, 'States ran successfully. Updating web01.'],
      run_smoke_tests: [true, 'Function ran successfully. Function cmd.run ran on web01.'],
      add_to_lb: [true, 'Function ran successfully. Function cmd.run ran on lb01.'],
    })
    const tags = (await stage.events()).map(({ tag }) => tag.replaceAll(outcome.jid, 'JID'))
    expect(tags.filter((tag) => tag.startsWith('salt/run/'))).toEqual([
      'salt/run/JID/new',
      ...Array.from({ length: 4 }, () => 'salt/run/JID/args'),
      'salt/run/JID/ret',
    ])
  })

  it('runs for a reactor under the name of the daemon, and tells of its steps under a jid of their own', async () => {
    stage = await orchestrationStage(['lb01', 'web01'], { 'orch/deploy.sls': DEPLOY }, well)
    const outcome = await stage.orchestrate({ mods: 'orch.deploy' }, 'Reactor')
    const events = await stage.events()
    const users = (pattern: RegExp) =>
      new Set(events.filter(({ tag }) => pattern.test(tag)).map(({ data }) => get(data, 'user')))
    expect(users(/^salt\/job\/.*\/new$/)).toEqual(new Set(['root']))
    expect(users(/^salt\/run\/.*\/(new|ret)$/)).toEqual(new Set(['Reactor']))
    const told = new Set(events.flatMap(({ tag }) => /^salt\/run\/(\d+)\/args$/.exec(tag)?.[1] ?? []))
    expect(told.size).toBe(1)
    expect(told.has(outcome.jid)).toBe(false)
  })

  it('leaves the balancer alone when the smoke test fails', async () => {
    const smoke: Answering = (minion, job) =>
      job.arg[0] === '/opt/app/bin/smoke-test.sh' ? { return: 'broken', retcode: 1 } : well(minion, job)
    stage = await orchestrationStage(['lb01', 'web01'], { 'orch/deploy.sls': DEPLOY }, smoke)
    const outcome = await stage.orchestrate({ mods: 'orch.deploy' })
    expect(outcome).toMatchObject({ success: false, return: { retcode: 1 } })
    expect(told(outcome.return)).toMatchObject({
      run_smoke_tests: [false, 'Running function cmd.run failed on minions: web01 Function cmd.run ran on web01.'],
      add_to_lb: [false, 'One or more requisite failed: orch.deploy.run_smoke_tests'],
    })
    expect(stage.ran.filter((line) => line.includes('enable'))).toEqual([])
  })

  it('stops where nobody is the balancer, and tells who did not return', async () => {
    stage = await orchestrationStage(['web01'], { 'orch/deploy.sls': DEPLOY }, well)
    const outcome = await stage.orchestrate({ mods: 'orch.deploy' })
    expect(told(outcome.return)).toEqual({
      remove_from_lb: [false, 'No minions responded'],
      deploy_app: [false, 'One or more requisite failed: orch.deploy.remove_from_lb'],
      run_smoke_tests: [false, 'One or more requisite failed: orch.deploy.deploy_app'],
      add_to_lb: [false, 'One or more requisite failed: orch.deploy.run_smoke_tests'],
    })
    await stage.close()
    stage = await orchestrationStage(['lb01', 'web01'], { 'orch/deploy.sls': DEPLOY }, (minion, job) =>
      minion === 'web01' ? undefined : well(minion, job),
    )
    const silent = await stage.orchestrate({ mods: 'orch.deploy' })
    expect(told(silent.return).deploy_app).toEqual([
      false,
      'Run failed on minions: web01\nMinion web01 did not return a state result.',
    ])
  })
})

const STEPS: readonly (readonly [string, string, Mapping, Record<string, [Value, Value | RegExp]>])[] = [
  [
    'a runner and a wheel function',
    'r:\n  salt.runner:\n    - name: manage.up\nw:\n  salt.wheel:\n    - name: key.list_all\n',
    {},
    { r: [true, "Runner function 'manage.up' executed."], w: [true, "Wheel function 'key.list_all' executed."] },
  ],
  [
    'a runner that does not exist',
    'r:\n  salt.runner:\n    - name: no.such\n',
    {},
    { r: [false, "Runner function 'no.such' failed."] },
  ],
  [
    'test mode',
    'f:\n  salt.function:\n    - name: test.ping\n    - tgt: m1\nr:\n  salt.runner:\n    - name: manage.up\n',
    { test: true },
    {
      f: [null, 'Function test.ping would be executed on target m1'],
      r: [null, "Runner function 'manage.up' would be executed."],
    },
  ],
  [
    'a state that minions have and orchestrations do not',
    'x:\n  file.managed:\n    - name: /tmp/x\n',
    {},
    { x: [false, /State 'file.managed' was not found in SLS 'orch'\nReason: 'file.managed' is not available in an/] },
  ],
  [
    'no sls and no highstate',
    'x:\n  salt.state:\n    - tgt: m1\n',
    {},
    { x: [false, 'No highstate or sls specified, no execution made'] },
  ],
  [
    'parallel runners',
    'p:\n  salt.parallel_runners:\n    - runners:\n        a:\n          - name: manage.up\n        b:\n          - name: test.no\n',
    {},
    { p: [false, 'Runner b failed.'] },
  ],
  [
    'an event nobody fires',
    'e:\n  salt.wait_for_event:\n    - name: app/ready/*\n    - id_list: [m1]\n    - timeout: 0.2\n',
    {},
    { e: [false, 'Timeout value reached.'] },
  ],
  [
    'an onfail step',
    'a:\n  test.fail_without_changes: []\nb:\n  test.succeed_without_changes:\n    - onfail:\n      - test: a\nc:\n  test.nop:\n    - require:\n      - test: a\n',
    {},
    { a: [false, 'Failure!'], b: [true, 'Success!'], c: [false, 'One or more requisite failed: orch.a'] },
  ],
  [
    'a command to check',
    'a:\n  test.nop:\n    - onlyif: test -f /tmp/x\n',
    {},
    { a: [false, /onlyif asks a machine/] },
  ],
  [
    'pillar of the call',
    '{% if pillar.version == "1.4.2" %}v:\n  test.nop: []\n{% endif %}',
    { pillar: { version: '1.4.2' } },
    { v: [true, 'Success!'] },
  ],
  [
    'failing minions that may',
    's:\n  salt.state:\n    - tgt: m*\n    - sls: bad\n    - fail_minions: [m1, m2]\n',
    {},
    { s: [true, 'States ran successfully. Updating m1, m2.'] },
  ],
  [
    'as many failures as are allowed',
    's:\n  salt.state:\n    - tgt: m*\n    - sls: bad\n    - allow_fail: 1\n',
    {},
    { s: [false, 'Run failed on minions: m1, m2'] },
  ],
]

describe('steps', () => {
  it.each(STEPS)('%s', async (_, sls, kwarg, expected) => {
    stage = await orchestrationStage(['m1', 'm2'], { 'orch.sls': sls }, (__, { arg }) =>
      arg[0] === 'bad' ? { return: state(false, { x: 1 }) } : { return: true },
    )
    const outcome = await stage.orchestrate({ mods: 'orch', ...kwarg })
    const found = told(outcome.return)
    expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort())
    for (const [id, [result, comment]] of Object.entries(expected)) {
      expect(found[id]?.[0]).toBe(result)
      if (comment instanceof RegExp) expect(found[id]?.[1]).toMatch(comment)
      else expect(found[id]?.[1]).toBe(comment)
    }
  })

  it('waits for an event of each id', async () => {
    const sls =
      'e:\n  salt.wait_for_event:\n    - name: salt/minion/*/start\n    - id_list: [m1, m2]\n    - timeout: 20\n'
    stage = await orchestrationStage(['m1'], { 'orch.sls': sls }, well)
    let over = false
    const outcome = stage.orchestrate({ mods: 'orch' }).finally(() => {
      over = true
    })
    const fire = stage.master().fire
    // Only what comes after the step has begun is heard.
    while (!over) {
      await fire({ tag: 'salt/minion/m3/start', data: { id: 'm3' } })
      await fire({ tag: 'salt/minion/m1/start', data: { id: 'm1' } })
      await fire({ tag: 'salt/minion/m2/start', data: { data: { id: 'm2' } } })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const { return: returned } = await outcome
    expect(told(returned).e).toEqual([true, expect.stringMatching(/^All events seen in [\d.]+ seconds\.$/)])
  })

  it('goes through a batch one by one, and ends it where a minion fails', async () => {
    const sls =
      's:\n  salt.function:\n    - name: cmd.run\n    - tgt: "m*"\n    - arg: [x]\n    - batch: 1\n    - failhard: True\n'
    stage = await orchestrationStage(['m1', 'm2', 'm3'], { 'orch.sls': sls }, (minion) => ({
      return: 'x',
      retcode: minion === 'm2' ? 1 : 0,
    }))
    await stage.orchestrate({ mods: 'orch' })
    expect(stage.ran).toEqual(['m1 cmd.run x', 'm2 cmd.run x'])
  })

  it('takes as many of the target as a subset says', async () => {
    const sls = 's:\n  salt.function:\n    - name: test.ping\n    - tgt: "m*"\n    - subset: 2\n'
    stage = await orchestrationStage(['m1', 'm2', 'm3'], { 'orch.sls': sls }, well)
    await stage.orchestrate({ mods: 'orch' })
    expect(new Set(stage.ran).size).toBe(2)
  })

  it('waits for whoever says that he still runs the job', async () => {
    let asked = 0
    const sls = 's:\n  salt.function:\n    - name: cmd.run\n    - tgt: m1\n    - arg: [slow]\n'
    stage = await orchestrationStage(['m1'], { 'orch.sls': sls }, (_, { fun }) => {
      if (fun !== 'saltutil.find_job') return undefined
      asked++
      return { return: asked < 3 ? { jid: 'x' } : {} }
    })
    const outcome = await stage.orchestrate({ mods: 'orch' })
    expect(asked).toBe(3)
    expect(told(outcome.return).s).toEqual([false, 'No minions responded'])
  })

  it('runs what names no requisite in order, and branches side by side', async () => {
    const plain = ['a', 'b', 'c'].map(
      (id) => `${id}:\n  salt.function:\n    - name: cmd.run\n    - tgt: m1\n    - arg: [${id}]\n`,
    )
    stage = await orchestrationStage(['m1'], { 'orch.sls': plain.join('') }, well)
    await stage.orchestrate({ mods: 'orch' })
    expect(stage.ran).toEqual(['m1 cmd.run a', 'm1 cmd.run b', 'm1 cmd.run c'])
    await stage.close()

    const branches = `
left:
  salt.wait_for_event:
    - name: go/right
    - id_list: [x]
    - timeout: 20
right:
  salt.runner:
    - name: event.send
    - tag: go/right
    - data: {id: x}
end:
  test.nop:
    - require:
      - salt: left
`
    stage = await orchestrationStage(['m1'], { 'orch.sls': branches }, well)
    const outcome = await stage.orchestrate({ mods: 'orch' })
    expect(told(outcome.return).end).toEqual([true, 'Success!'])
  })

  it('says what is wrong with a file', async () => {
    stage = await orchestrationStage(
      ['m1'],
      { 'orch.sls': 'a:\n  test.nop:\n    - require:\n      - test: nobody\n' },
      well,
    )
    const broken = await stage.orchestrate({ mods: 'orch' })
    expect(broken).toMatchObject({ success: false })
    expect(JSON.stringify(broken.return)).toContain('Referenced state does not exist')
    const missing = await stage.orchestrate({ mods: 'nowhere' })
    expect(missing.return).toEqual({
      data: { vm_master: ["No matching sls found for 'nowhere' in env 'base'"] },
      outputter: 'highstate',
      retcode: 1,
    })
  })
})

describe('watching and changing', () => {
  const TWO = `
first:
  salt.function:
    - name: cmd.run
    - tgt: m1
    - arg: [one]
second:
  salt.function:
    - name: cmd.run
    - tgt: m1
    - arg: [two]
    - require:
      - salt: first
`
  const run = async (fun: string, arg: readonly Value[]): Promise<Value> =>
    (await stage.master().startRun({ client: 'runner', fun, arg, kwarg: {}, user: 'root' }).outcome).return

  /** The return of the first step's job comes. */
  const finishFirst = async (): Promise<void> => {
    const jobs = await stage.store.jobs.list({ limit: 100 })
    const jid = jobs.find(({ fun }) => fun === 'cmd.run')?.jid ?? ''
    const ret = { id: stage.store.clock.eventId(), jid, fun: 'cmd.run', fun_args: ['one'], return: 'x', retcode: 0 }
    await stage.master().collect.returns({ kind: 'minion', id: 'm1', epoch: 1 }, [ret])
  }

  it('shows the steps, pauses one, and lets it go on', async () => {
    let isHeld = true
    stage = await orchestrationStage(['m1'], { 'orch.sls': TWO }, (_, { fun, arg }) => {
      if (fun === 'saltutil.find_job') return { return: { jid: 'x' } }
      return isHeld && arg[0] === 'one' ? undefined : { return: 'x' }
    })
    const jid = stage.store.clock.jid()
    const call = { client: 'runner', fun: 'state.orch', arg: ['orch'], kwarg: {}, user: 'root', jid } as const
    const running = stage.master().startRun(call)
    await expect.poll(() => stage.ran).toEqual(['m1 cmd.run one'])
    expect(await run('state.pause', [jid, 'second'])).toBe(true)
    isHeld = false
    await finishFirst()
    await expect.poll(async () => JSON.stringify(await run('orch.show', [jid]))).toContain('"state":"paused"')
    expect(stage.ran).toEqual(['m1 cmd.run one'])
    expect(await run('orch.resume', [jid])).toBe(true)
    expect((await running.outcome).success).toBe(true)
    expect(await run('orch.list', [])).toMatchObject({
      [jid]: { mods: 'orch', status: 'done', steps: 2, ended: 2, failed: 0 },
    })
    expect(await run('orch.cancel', [jid])).toBe(false)
    expect(await run('orch.follow', [jid])).toMatchObject({ outputter: 'highstate', retcode: 0 })
  })

  it('cancels what has not begun', async () => {
    stage = await orchestrationStage(['m1'], { 'orch.sls': TWO }, (_, { fun }) =>
      fun === 'saltutil.find_job' ? { return: { jid: 'x' } } : undefined,
    )
    const jid = stage.store.clock.jid()
    stage.master().startRun({ client: 'runner', fun: 'state.orch', arg: ['orch'], kwarg: {}, user: 'root', jid })
    await expect.poll(() => stage.ran).toEqual(['m1 cmd.run one'])
    expect(await run('orch.cancel', [jid])).toBe(true)
    await finishFirst()
    await expect.poll(async () => JSON.stringify(await run('orch.list', []))).toContain('"status":"canceled"')
    expect(stage.ran).toEqual(['m1 cmd.run one'])
    expect(await run('orch.show', ['20990101000000000000'])).toContain('There is no orchestration 20990101000000000000')
  })
})
