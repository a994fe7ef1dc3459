// A minion whose only way to its master is a proxy: the packed agent, HTTPS and the doorbell in tunnels.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { FakeProxy } from '../../agent/fake-proxy.ts'
import { createLab, type Lab } from './lab.ts'
import { waitFor } from './wait.ts'

let lab: Lab
let proxy: FakeProxy
let port: number
beforeAll(async () => {
  lab = await createLab({ tls: true, master: 'auto_accept: True\nid: https://brine.test\n' })
  await lab.startMaster()
  port = Number(/port: (\d+)/.exec(readFileSync(join(lab.etc, 'master'), 'utf8'))?.[1])
}, 60_000)
afterAll(() => lab.close())
beforeEach(async () => {
  proxy = await FakeProxy.start()
  proxy.login = 'fleet:pa:ss'
  proxy.names.set('brine.test', port)
})
afterEach(() => proxy.stop())

/** Only the proxy knows where `brine.test` is. */
const environment = { BRINE_MASTER: 'https://brine.test', BRINE_MASTER_ID: 'https://brine.test' }

test('a minion joins through it and runs jobs, its doorbell included', async () => {
  const minion = lab.startMinion('behind', proxy.config, { ...environment, BRINE_LOG_LEVEL: 'debug' })
  await lab.waitForEvent({ tag: 'salt/minion/behind/start' })
  const { stdout } = await lab.run('brine', ['--out=json', '--static', 'behind', 'test.ping'])
  expect(JSON.parse(stdout)).toEqual({ behind: true })
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT brine.test:443']))
  expect(proxy.asked.length).toBeGreaterThan(1)
  expect(minion.stderr()).not.toContain('No doorbell')
  const call = await lab.run('brine-call', ['--out=json', 'test.echo', 'x'], {
    env: { ...lab.minionEnv('behind'), ...environment },
  })
  expect([call.exit, JSON.parse(call.stdout)]).toEqual([0, { local: 'x' }])
  expect(await lab.stopMinion('behind')).toBe(0)
})

test('a minion without the login says what the proxy wants', async () => {
  const login = proxy.login
  proxy.login = undefined
  const minion = lab.startMinion('stranger', proxy.config, environment)
  proxy.login = login
  const said = 'It wants a login: set proxy_username and proxy_password.'
  await waitFor('the refusal', () => (minion.stderr().includes(said) ? true : undefined))
  await lab.stopMinion('stranger')
})

test.each([
  ['a master of no_proxy', 'https://0.0.0.0', 'no_proxy: [0.0.0.0]\n'],
  ['a master on this machine', 'https://127.0.0.1', ''],
])('%s is asked straight', async (what, url, more) => {
  const id = what.replaceAll(' ', '-')
  lab.startMinion(id, `${proxy.config}${more}`, { ...environment, BRINE_MASTER: `${url}:${port}` })
  await lab.waitForEvent({ tag: `salt/minion/${id}/start` })
  expect(proxy.asked).toEqual([])
  await lab.stopMinion(id)
})
