// Wheel functions over REST, with a session and without one: files of the roots, settings, who is connected. What leads
// out of the roots, gives rights or leads to code is refused, and nothing is written.
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiLab, startApiLab } from './api-lab.ts'

let stage: ApiLab
beforeAll(async () => {
  stage = await startApiLab(['db1'])
  const { lab } = stage
  lab.write('srv/elsewhere/secret.txt', 'secret\n')
  for (const root of ['srv/salt', 'srv/pillar']) {
    lab.write(`${root}/top.sls`, 'base: {}\n')
    lab.write(`${root}/app/init.sls`, 'x: 1\n')
    writeFileSync(path(root, 'app/bin.dat'), Buffer.from([1, 0, 2]))
    symlinkSync('../elsewhere', path(root, 'outside'))
    symlinkSync('../elsewhere/secret.txt', path(root, 'link.txt'))
  }
}, 180_000)
afterAll(() => stage.lab.close())

const path = (...parts: string[]): string => join(stage.lab.root, ...parts)
const url = (of: string): string => `http://127.0.0.1:${stage.port}${of}`
const proof = (username: string) => ({ username, password: 'brine-lab-secret', eauth: 'sharedsecret' })

async function post(to: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const type = { 'content-type': 'application/json', accept: 'application/json' }
  return fetch(url(to), { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(body) })
}

type Low = Readonly<Record<string, unknown>> & { readonly fun: string }
/** A call, what its event tells that it returned, and whether that is what was wanted. */
type Row = readonly [low: Low, returned: unknown, isWell?: false]

/** How a call is made: with a session's token at `/`, or with a name and a password at `/run`. */
const doors: Readonly<Record<string, (low: Low) => Promise<Response>>> = {
  '/': async (low) => {
    const token = (await post('/login', proof('saltdev'))).headers.get('x-auth-token') ?? ''
    return post('/', [{ client: 'wheel', ...low }], { 'x-auth-token': token })
  },
  '/run': (low) => post('/run', [{ client: 'wheel', ...low, ...proof('saltdev') }]),
}

const roots = (name: 'file_roots' | 'pillar_roots'): readonly Row[] => {
  const tree = { [name]: { app: { 'bin.dat': 'f', 'init.sls': 'f' }, 'top.sls': 'f' } }
  const invalid = (given: string): string => (name === 'file_roots' ? `Invalid path: ${given}` : 'Invalid path')
  const leading = ['../elsewhere/secret.txt', 'app/../../elsewhere/secret.txt', 'outside/secret.txt', 'link.txt', '..']
  const written = ['../elsewhere/made.sls', 'app/../../elsewhere/made.sls', 'outside/made.sls', '..', '']
  return [
    [{ fun: `${name}.find`, path: 'top.sls' }, [{ 'top.sls': 'txt' }]],
    [{ fun: `${name}.find`, path: 'app/bin.dat' }, [{ 'app/bin.dat': 'bin' }]],
    [{ fun: `${name}.find`, path: 'nothing.sls' }, []],
    [{ fun: `${name}.find`, path: 'top.sls', saltenv: 'gone' }, []],
    [{ fun: `${name}.find`, path: 'secret.txt', saltenv: '../elsewhere' }, []],
    [{ fun: `${name}.read`, arg: ['app/init.sls'] }, [{ 'app/init.sls': 'x: 1\n' }]],
    [{ fun: `${name}.read`, path: 'app/bin.dat' }, []],
    [{ fun: `${name}.list_env` }, expect.objectContaining({ [name]: expect.objectContaining(tree[name] ?? {}) })],
    [{ fun: `${name}.list_env`, saltenv: '..' }, {}],
    [{ fun: `${name}.list_roots` }, { base: [{ [name]: expect.objectContaining(tree[name] ?? {}) }] }],
    [{ fun: `${name}.write`, path: 'new/made.sls', data: 'y: 2\n' }, 'Wrote data to file new/made.sls'],
    [{ fun: `${name}.read`, path: 'new/made.sls' }, [{ 'new/made.sls': 'y: 2\n' }]],
    [{ fun: `${name}.write`, arg: ['y: 3\n', 'new/made.sls'] }, 'Wrote data to file new/made.sls'],
    [{ fun: `${name}.read`, path: 'new/made.sls', saltenv: 'base' }, [{ 'new/made.sls': 'y: 3\n' }]],
    [{ fun: `${name}.write`, path: 'a.sls', data: 'x', saltenv: 'gone' }, 'Named environment gone is not present'],
    ...[3, -1].map(
      (index): Row => [
        { fun: `${name}.write`, path: 'a.sls', data: 'x', index },
        `Specified index ${index} in environment base is not present`,
      ],
    ),
    ...[...leading, '/etc/passwd', ''].flatMap((given): Row[] => [
      [{ fun: `${name}.find`, path: given }, []],
      [{ fun: `${name}.read`, path: given }, []],
    ]),
    ...written.map((given): Row => [{ fun: `${name}.write`, path: given, data: 'x' }, invalid(given)]),
    [
      { fun: `${name}.write`, path: '/etc/made.sls', data: 'x' },
      'The path passed in /etc/made.sls is not relative to the environment base',
    ],
  ]
}

const settings: readonly Row[] = [
  [
    { fun: 'config.values' },
    expect.objectContaining({ nodegroups: { webs: 'L@web-asg-1' }, sharedsecret: expect.not.stringContaining('lab') }),
  ],
  [{ fun: 'config.apply', key: 'timeout', value: 7 }, null],
  [{ fun: 'config.update_config', file_name: 'gui', yaml_contents: { gather_job_timeout: 8 } }, 'Wrote gui.conf'],
  ...['../evil', '..', 'a/b', '/etc/evil', '', '.evil', 'evil\u0000'].map(
    (name): Row => [{ fun: 'config.update_config', file_name: name, yaml_contents: { timeout: 1 } }, 'Invalid path'],
  ),
  [
    { fun: 'config.update_config', file_name: 'evil', yaml_contents: 'timeout: 1' },
    expect.stringContaining('yaml_contents is no map'),
    false,
  ],
  ...['external_auth', 'sharedsecret', 'file_roots', 'runner_dirs', 'ssl_key', 'include'].flatMap((key): Row[] => [
    [{ fun: 'config.apply', key, value: 'x' }, expect.stringContaining(`${key} says w`), false],
    [
      { fun: 'config.update_config', file_name: 'evil', yaml_contents: { timeout: 1, [key]: 'x' } },
      expect.stringContaining(`${key} says w`),
      false,
    ],
  ]),
  [{ fun: 'config.apply', key: 'timeout', value: 'soon' }, expect.stringContaining('soon'), false],
  [{ fun: 'minions.connected' }, ['db1']],
  // Salt refuses what a wheel function has no parameter for, also where it is a field of another client's calls.
  ...['timeout', 'user', 'nosuch'].map(
    (name): Row => [
      { fun: 'minions.connected', [name]: 5 },
      expect.stringContaining(`keyword argument '${name}'`),
      false,
    ],
  ),
]
const rows = [...roots('file_roots'), ...roots('pillar_roots'), ...settings].map(
  ([low, returned, isWell]) => [low, returned, isWell ?? true] as const,
)

describe.each(Object.entries(doors))('wheel functions at %s', (_, call) => {
  it.each(rows)('%j', async (low, returned, success) => {
    const answer = await call(low)
    const tag = expect.stringMatching(/^salt\/wheel\/\d{20}$/)
    const jid = expect.stringMatching(/^\d{20}$/)
    const data = { fun: `wheel.${low.fun}`, jid, tag, user: 'saltdev', _stamp: expect.any(String), success }
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ return: [{ tag, data: { ...data, return: returned } }] })
  })

  it('have written what they may, and nothing else', () => {
    expect(readdirSync(path('srv')).sort()).toEqual(['elsewhere', 'pillar', 'reactor', 'salt'])
    expect(readdirSync(path('srv/elsewhere'))).toEqual(['secret.txt'])
    for (const root of ['srv/salt', 'srv/pillar']) {
      expect(readFileSync(path(root, 'new/made.sls'), 'utf8')).toBe('y: 3\n')
      expect(existsSync(path(root, 'a.sls'))).toBe(false)
    }
    expect(existsSync('/etc/made.sls')).toBe(false)
    expect(readdirSync(stage.lab.etc).sort()).toEqual(['master', 'master.d'])
    expect(readdirSync(join(stage.lab.etc, 'master.d')).sort()).toEqual(['applied.conf', 'gui.conf'])
    expect(readFileSync(join(stage.lab.etc, 'master.d/applied.conf'), 'utf8')).toBe('timeout: 7\n')
    expect(readFileSync(join(stage.lab.etc, 'master.d/gui.conf'), 'utf8')).toBe('gather_job_timeout: 8\n')
  })

  it('may be called without waiting', async () => {
    rmSync(path('srv/salt/new/made.sls'))
    const low = { client: 'wheel_async', fun: 'file_roots.write', path: 'new/made.sls', data: 'y: 3\n' }
    const answer = await call(low)
    expect(await answer.json()).toMatchObject({ return: [{ jid: expect.any(String), tag: expect.any(String) }] })
    const text = (): string => readFileSync(path('srv/salt/new/made.sls'), 'utf8')
    await expect.poll(() => existsSync(path('srv/salt/new/made.sls')) && text()).toBe('y: 3\n')
  })

  it.each([...new Set(rows.map(([{ fun }]) => fun))])('%s is for who may, and for nobody else', async (fun) => {
    const low = { client: 'wheel', fun, path: 'limited.sls', data: 'x', key: 'timeout', value: 1 }
    const token = (await post('/login', proof('limited'))).headers.get('x-auth-token') ?? ''
    const answers = [
      await post('/', [low], { 'x-auth-token': token }),
      await post('/', [low]),
      await post('/run', [{ ...low, ...proof('limited') }]),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    expect(existsSync(path('srv/salt/limited.sls')) || existsSync(path('srv/pillar/limited.sls'))).toBe(false)
  })
})
