// ARTICLES.md, 45, 46 and 50–53: orchestrations by hand, by a reactor and by REST, with the files of examples/orchestration.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../system/wait.ts'
import { readIfThere, type Stage, setStage, type Terminal } from './stage.ts'

const example = (path: string): string =>
  readFileSync(new URL(`../../examples/orchestration/srv/${path}`, import.meta.url), 'utf8')

let stage: Stage
let W: Terminal
const log = (): string[] => readIfThere(join(stage.root, 'deploy.log')).split('\n').filter(Boolean)

/** A program on every minion's PATH that writes what it was called with. */
function program(name: string, more = ''): void {
  const path = join(stage.root, 'bin', name)
  writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> '${stage.root}/deploy.log'\n${more}`)
  chmodSync(path, 0o755)
}

beforeAll(async () => {
  stage = await setStage({
    master: `reactor:
  - foo:
    - /srv/reactor/deploy_app.sls
sharedsecret: s3cret
external_auth: {sharedsecret: {me: ['.*', '@runner']}}
netapi_enable_clients: [runner, runner_async]
`,
  })
  for (const path of ['salt/app/deploy.sls', 'salt/orchestrate/deploy_app.sls', 'reactor/deploy_app.sls'])
    stage.write(`srv/${path}`, example(path))
  // The smoke test's place is the stage's, not the machine's.
  stage.write(
    'srv/salt/orch/deploy.sls',
    example('salt/orch/deploy.sls').replace('/opt/app/bin/', `${stage.root}/bin/`),
  )
  for (const name of ['haproxy-disable', 'haproxy-enable', 'deploy-app', 'smoke-test.sh']) program(name)
  W = await stage.terminal()
  stage.startMinion('lb01', 'grains:\n  role: loadbalancer\n')
  await stage.join('web01', 'web02')
  await waitFor('lb01', async () => {
    await stage.shell("brine-key -y -a 'lb01'")
    return (await stage.shell("brine 'lb01' test.ping --out=txt")).stdout.includes('lb01: True') ? true : undefined
  })
}, 180_000)
afterAll(() => stage.close())
beforeEach(() => writeFileSync(join(stage.root, 'deploy.log'), ''))

const DEPLOYED = ['haproxy-disable backend web01', 'deploy-app 1.4.2', 'smoke-test.sh ', 'haproxy-enable backend web01']

describe('orchestration', { timeout: 180_000 }, () => {
  it('50: drain, deploy, smoke test, add back', async () => {
    const { exit, stdout } = await stage.shell('brine-run state.orchestrate orch.deploy')
    expect(log()).toEqual(DEPLOYED)
    expect(stdout).toMatch(/Succeeded: 4 \(changed=4\)\nFailed: {4}0/)
    expect(exit).toBe(0)
    const [jid] = Object.keys(JSON.parse((await stage.shell('brine-run orch.list --out=json')).stdout) as object)
    const shown = await stage.shell(`brine-run orch.show ${jid}`)
    expect(shown.stdout).toContain('4 of 4 steps')
    expect(shown.stdout).toContain('after: require run_smoke_tests')
    const followed = await stage.shell(`brine-run orch.follow ${jid}`)
    expect([followed.exit, followed.stdout]).toEqual([0, stdout])
  })

  it('51: a smoke test that fails leaves web01 out', async () => {
    program('smoke-test.sh', 'exit 1\n')
    const { exit, stdout } = await stage.shell('brine-run state.orchestrate orch.deploy')
    expect(log()).toEqual(DEPLOYED.slice(0, 3))
    expect(stdout).toContain('Comment: One or more requisite failed: orch.deploy.run_smoke_tests')
    expect(stdout).toMatch(/Failed: {4}2/)
    expect(exit).toBe(1)
    program('smoke-test.sh')
  })

  it('52: nobody is the balancer', async () => {
    await stage.shell("brine 'lb01' grains.setval role none")
    await waitFor('the grain', async () =>
      (await stage.shell("brine -G 'role:loadbalancer' test.ping")).exit === 2 ? true : undefined,
    )
    const { exit, stdout } = await stage.shell('brine-run state.orchestrate orch.deploy')
    expect(stdout).toContain('Comment: No minions responded')
    expect(stdout.match(/One or more requisite failed/g)).toHaveLength(3)
    expect(exit).toBe(1)
    expect(log()).toEqual([])
    await stage.shell("brine 'lb01' grains.setval role loadbalancer")
    await waitFor('the grain', async () =>
      (await stage.shell("brine -G 'role:loadbalancer' test.ping")).exit === 0 ? true : undefined,
    )
  })

  it('53: the same with -l debug leaves stdout as it is', async () => {
    const { exit, stdout } = await stage.shell('brine-run state.orchestrate orch.deploy -l debug')
    expect(log()).toEqual(DEPLOYED)
    expect(stdout).toMatch(/^\S+_master:\n----------\n {10}ID: remove_from_lb/)
    expect(exit).toBe(0)
  })

  it('45: a reactor forwards the event', async () => {
    await stage.shell('brine-call event.send foo bar=baz', { at: 'web01' })
    await waitFor('the end', () => (W.text().includes('foo with baz') ? true : undefined))
    const begun = W.events().find(
      ({ data }) =>
        JSON.stringify(data).includes('"runner.state.orchestrate"') && JSON.stringify(data).includes('Reactor'),
    )
    expect(JSON.stringify(begun?.data)).toContain('"event_tag":"foo"')
  })

  it('46: the same run by hand', async () => {
    const pillar = `'{"event_tag": "foo", "event_data": {"bar": "baz"}}'`
    const { exit, stdout } = await stage.shell(
      `brine-run state.orchestrate mods=orchestrate.deploy_app pillar=${pillar}`,
    )
    expect(stdout).toContain('Comment: foo with baz')
    expect(exit).toBe(0)
  })

  it('the same by REST', async () => {
    const port = /^ {2}port: (\d+)/m.exec(readFileSync(join(stage.root, 'etc/brine/master'), 'utf8'))?.[1]
    const body = JSON.stringify([
      {
        username: 'me',
        password: 's3cret',
        eauth: 'sharedsecret',
        client: 'runner',
        fun: 'state.orchestrate',
        mods: 'orch.deploy',
      },
    ])
    const { stdout } = await stage.shell(
      `curl -sk https://127.0.0.1:${port}/run -H 'Content-Type: application/json' -d '${body}'`,
    )
    const answer = JSON.parse(stdout) as { return: [{ retcode: number; outputter: string }] }
    expect(answer.return[0]).toMatchObject({ outputter: 'highstate', retcode: 0 })
    expect(log()).toEqual(DEPLOYED)
  })

  it('goes on where it was when the master is killed between two steps', async () => {
    program('deploy-app', 'sleep 2\n')
    const started = stage.shellStart('orch', 'brine-run state.orchestrate orch.deploy')
    await waitFor('the deployment', () => (log().includes('deploy-app 1.4.2') ? true : undefined))
    await stage.stopMaster('SIGKILL')
    await stage.startMaster()
    await waitFor('its end', () => (started.stdout().includes('Total run time') ? true : undefined), 120_000)
    expect(started.stdout()).toMatch(/Succeeded: 4 \(changed=4\)\nFailed: {4}0/)
    expect(log()).toEqual(DEPLOYED)
    program('deploy-app')
  })
})
