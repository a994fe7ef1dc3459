// pepper, as PyPI has it: its command and its library, against a master with minions.
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, runProgram } from '../system/process.ts'
import { type ApiLab, startApiLab } from './api-lab.ts'

const venv = process.env.BRINE_PEPPER ?? join(tmpdir(), 'brine-pepper-0.7')

/** Why there is no pepper; undefined where there is one now. */
async function missing(): Promise<string | undefined> {
  if (existsSync(join(venv, 'bin/pepper'))) return undefined
  const made = await runProgram('python3', ['-m', 'venv', venv], { timeout: 60_000 }).catch(() => undefined)
  if (made?.exit !== 0) return 'python3 cannot make a virtual environment'
  const pip = ['install', '-q', '--disable-pip-version-check', 'salt-pepper>=0.7.6']
  const installed = await runProgram(join(venv, 'bin/pip'), pip, { timeout: 90_000 })
  return installed.exit === 0 ? undefined : `PyPI cannot be reached: ${installed.stderr.split('\n').at(-2)}`
}

const absent = await missing()
if (absent !== undefined) console.log(`pepper: ${absent}; 11 tests skipped`)

describe.skipIf(absent !== undefined)('pepper', () => {
  let stage: ApiLab
  beforeAll(async () => {
    stage = await startApiLab(['db1', 'web-asg-1'])
  }, 180_000)
  afterAll(() => stage.lab.close())

  const environment = () => ({
    SALTAPI_URL: `http://127.0.0.1:${stage.port}`,
    SALTAPI_USER: 'saltdev',
    SALTAPI_PASS: 'brine-lab-secret',
    SALTAPI_EAUTH: 'sharedsecret',
    HOME: stage.lab.root,
  })
  const pepper = (...words: string[]): Promise<Ended> =>
    runProgram(join(venv, 'bin/pepper'), words, { cwd: stage.lab.root, env: environment(), timeout: 100_000 })
  const python = async (program: string): Promise<unknown> => {
    const text = `import json, os\nfrom pepper import Pepper\napi = Pepper(os.environ['SALTAPI_URL'])\n${program}`
    const { stdout, stderr } = await runProgram(join(venv, 'bin/python'), ['-c', text], { env: environment() })
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout)
  }
  const loggedIn = "auth = api.login('saltdev', 'brine-lab-secret', 'sharedsecret')\n"

  const ping = { ret: true, retcode: 0 }
  it.each([
    [['db1', 'test.ping'], { return: [{ db1: ping }] }],
    [['-L', 'db1,web-asg-1', 'test.ping'], { return: [{ db1: ping, 'web-asg-1': ping }] }],
    [['-C', 'web* or L@db1', 'test.ping'], { return: [{ db1: ping, 'web-asg-1': ping }] }],
    [['db1', 'test.echo', 'two words'], { return: [{ db1: { ret: 'two words' } }] }],
    [['--client=local_async', 'db1', 'test.ping'], { return: [{ minions: ['db1'] }] }],
    [['--client=runner', 'manage.up'], { return: [{ data: { return: ['db1', 'web-asg-1'], success: true } }] }],
    [['--client=wheel', 'key.list_all'], { return: [{ data: { return: { minions: ['db1', 'web-asg-1'] } } }] }],
  ] as const)('%j', async (words, expected) => {
    const { stdout, stderr, exit } = await pepper(...words)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject(expected)
  })

  it('tells keywords from words', async () => {
    const { stdout } = await pepper('db1', 'test.arg', 'one', 'k=v')
    expect(JSON.parse(stdout)).toMatchObject({ return: [{ db1: { ret: { args: ['one'], kwargs: { k: 'v' } } } }] })
  })

  it('says what is wrong', async () => {
    const env = { ...environment(), SALTAPI_PASS: 'wrong' }
    const { exit, stdout, stderr } = await runProgram(join(venv, 'bin/pepper'), ['db1', 'test.ping'], { env })
    expect(exit).not.toBe(0)
    expect(stdout + stderr).toMatch(/Authentication denied/i)
  })

  it('its library logs in and runs local, runner and wheel calls', async () => {
    const program = `${loggedIn}print(json.dumps({
  'user': auth['user'],
  'local': api.local('db1', 'test.ping'),
  'low': api.low([{'client': 'local', 'tgt': 'db1', 'fun': 'test.echo', 'arg': ['x']}]),
  'async': api.local_async('*', 'test.ping'),
  'runner': api.runner('manage.up'),
  'wheel': api.wheel('key.list_all'),
}))`
    expect(await python(program)).toMatchObject({
      user: 'saltdev',
      local: { return: [{ db1: true }] },
      low: { return: [{ db1: 'x' }] },
      async: { return: [{ minions: ['db1', 'web-asg-1'] }] },
      runner: { return: [['db1', 'web-asg-1']] },
      wheel: { return: [{ data: { return: { minions: ['db1', 'web-asg-1'] }, success: true } }] },
    })
  })

  it('its library reads the event stream', async () => {
    const program = `${loggedIn}import urllib.request
request = urllib.request.Request(os.environ['SALTAPI_URL'] + '/events', headers={'X-Auth-Token': auth['token']})
stream = urllib.request.urlopen(request, timeout=20)
first = stream.readline().decode()
api.local_async('db1', 'test.ping')
seen = [first]
while not seen[-1].startswith('tag: salt/job/'): seen.append(stream.readline().decode())
print(json.dumps(seen))`
    const lines = (await python(program)) as string[]
    expect(lines[0]).toBe('retry: 400\n')
  })
})
