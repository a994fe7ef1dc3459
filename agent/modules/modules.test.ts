// The modules against what Salt 3007.15 returned for the same calls, and what is Brine's own about them.
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isMapping, type Mapping, parseJson, type Value } from '../../core/value/index.ts'
import { type CallAgent, openCall } from '../call.ts'
import { type FakeSetup, fakeSetup } from '../fake-setup.ts'
import { builtInModules } from './built-in.ts'
import { execute, type Outcome } from './execute.ts'

const config = `
file_client: local
lab.option: from opts
nested: {a: {b: [1, {c: 2}]}}
grains: {role: web, tree: {leaf: 1, list: [a, b]}, nothing: null}
`

let fake: FakeSetup
let agent: CallAgent

function run(fun: string, arg: readonly Value[] = [], data: Mapping = {}): Promise<Outcome> {
  return execute(agent.view, { fun, arg, data, signal: new AbortController().signal })
}

beforeAll(async () => {
  fake = await fakeSetup('http://127.0.0.1:1', config)
  agent = await openCall({ ...fake.setup }, {}, fake.outside)
})

afterAll(async () => {
  await agent.close()
  await fake.remove()
})

/** Rows in which a program runs as another user need root. */
const isRoot = process.getuid?.() === 0
const rows = readFileSync(new URL('salt-cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => parseJson(line) as { fun: string; arg: Value[]; return: Value; retcode: number })
  .filter(({ arg }) => isRoot || !JSON.stringify(arg).includes('runas'))

// In order: the grains' rows build on each other.
describe.sequential('what Salt returned', () => {
  it.each(rows.map((row, index) => [`${index} ${row.fun} ${JSON.stringify(row.arg)}`, row] as const))(
    '%s',
    async (_, row) => {
      const outcome = await run(row.fun, row.arg)
      expect(outcome).toMatchObject({ kind: 'returned', value: row.return })
      // The return code of a map whose result is false is made after the function.
      const judged = isMapping(row.return) && row.return.result === false ? 1 : row.retcode
      expect(outcome).toMatchObject({ retcode: judged })
    },
  )
})

describe('failing', () => {
  it('names an unknown function, and those that begin like it', async () => {
    expect(await run('no.such')).toEqual({ kind: 'unavailable', value: "'no.such' is not available." })
    const { value } = (await run('test.pin')) as { value: Mapping }
    expect(Object.keys(value)).toEqual(['test.ping', 'test.pin'])
    expect(value['test.ping']).toMatch(/^\n {4}Used to make sure/)
  })

  it('tells the doc to who passes the wrong arguments', async () => {
    expect(await run('test.echo')).toMatchObject({
      kind: 'failed',
      by: 'arguments',
      value:
        "Passed invalid arguments to test.echo: echo() missing 1 required positional argument: 'text'\n\n    Return a string - used for testing the connection\n\n    CLI Example:\n\n    .. code-block:: bash\n\n        brine '*' test.echo 'foo bar baz quo qux'\n    ",
    })
    expect(await run('test.echo', ['a', { b: 1, __kwarg__: true }])).toMatchObject({
      by: 'keywords',
      value: "ERROR executing 'test.echo': The following keyword arguments are not valid: b=1",
    })
  })

  it.each([
    [
      'test.exception',
      ['boom'],
      'exception',
      /^The minion function caused an exception: Traceback \(most recent call last\):\n[\s\S]*Exception: boom\n$/,
    ],
    ['test.assertion', [false], 'exception', /AssertionError\n$/],
    ['test.fib', ['x'], 'exception', /ValueError: invalid literal for int\(\) with base 10: 'x'\n$/],
    ['test.raise_exception', ['salt.exceptions.CommandExecutionError', 'bad'], 'command', /^ERROR: bad$/],
    [
      'test.raise_exception',
      ['TypeError', 'bad'],
      'arguments',
      /^Passed invalid arguments to test.raise_exception: bad\n/,
    ],
    [
      'cmd.run',
      ['no-such-program-anywhere'],
      'command',
      /^ERROR: Unable to run command .* No such file or directory: 'no-such-program-anywhere'$/,
    ],
    [
      'cmd.run',
      ['x', { cwd: '/no/such', __kwarg__: true }],
      'command',
      /Specified cwd '\/no\/such' either not absolute or does not exist/,
    ],
    ['cmd.run', ['x', { runas: 'no-such-user', __kwarg__: true }], 'command', /User 'no-such-user' is not available/],
    ['cmd.run', ['x', { umask: '0', __kwarg__: true }], 'command', /Zero umask is not allowed/],
    ['cmd.run', ['exit 1', { raise_err: true, python_shell: true, __kwarg__: true }], 'command', /^ERROR: $/],
    ['cmd.run', ["echo 'open"], 'exception', /No closing quotation/],
  ] as const)('%s %j', async (fun, arg, by, value) => {
    const outcome = await run(fun, arg as unknown as Value[])
    expect(outcome).toMatchObject({ kind: 'failed', by })
    expect((outcome as { value: string }).value).toMatch(value)
  })

  it('lets nothing run in a blackout but what may', async () => {
    await agent.view.grains.set({ minion_blackout: true, minion_blackout_whitelist: ['test.ping'] }, false)
    expect(await run('test.ping')).toMatchObject({ kind: 'returned' })
    expect(await run('test.true')).toMatchObject({ kind: 'failed', by: 'invocation' })
    await agent.view.grains.set({ minion_blackout: null, minion_blackout_whitelist: null }, true)
    expect(await run('test.true')).toMatchObject({ kind: 'returned' })
  })
})

describe('cmd', () => {
  it('uses a shell where a person typed the command, and none where a function runs it', async () => {
    expect(await run('cmd.run', ['echo a; echo b'], { jid: '1' })).toMatchObject({ value: 'a\nb' })
    expect(await run('cmd.run', ['echo a; echo b'])).toMatchObject({ value: 'a; echo b' })
  })

  it('has a shell though the environment names none', async () => {
    vi.stubEnv('SHELL', '')
    expect(await run('cmd.run', ['echo a; echo b'], { jid: '1' })).toMatchObject({ value: 'a\nb' })
    vi.unstubAllEnvs()
  })

  it.skipIf(!existsSync('/bin/bash'))('has bash read its input alone, not the user’s .bashrc', async () => {
    const home = join(fake.root, 'home')
    await mkdir(home)
    await writeFile(join(home, '.bashrc'), 'echo unasked\n')
    const env = { HOME: home, SHLVL: '0' }
    const arg = ['cat', { stdin: 'x', shell: '/bin/bash', env, python_shell: true, __kwarg__: true }]
    expect(await run('cmd.run', arg)).toMatchObject({ value: 'x' })
  })

  it('returns everything of a command', async () => {
    const { value } = (await run('cmd.run_all', ['echo out; echo err >&2; exit 3'], { jid: '1' })) as { value: Mapping }
    expect(value).toEqual({ pid: expect.any(Number), retcode: 3, stdout: 'out', stderr: 'err' })
  })

  it('never lets an argument become script', async () => {
    const file = join(fake.root, 'injected')
    expect(await run('cmd.run', [['echo', `$(touch ${file})`, `; touch ${file}`]])).toMatchObject({
      value: `$(touch ${file}) ; touch ${file}`,
    })
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('kills a command with the processes it started', async () => {
    const controller = new AbortController()
    const began = Date.now()
    const work = execute(agent.view, {
      fun: 'cmd.run',
      arg: ['sleep 30 & sleep 30; echo done'],
      data: { jid: '1' },
      signal: controller.signal,
    })
    setTimeout(() => controller.abort('SIGTERM'), 100)
    await work
    expect(Date.now() - began).toBeLessThan(5000)
  })
})

describe('system', () => {
  it('runs the shutdown that comes first on the path, at once or when it is told to', async () => {
    const directory = join(fake.root, 'bin')
    await mkdir(directory)
    await writeFile(join(directory, 'shutdown'), '#!/bin/sh\necho "$@"\n')
    await chmod(join(directory, 'shutdown'), 0o755)
    const before = process.env.PATH
    process.env.PATH = `${directory}:${before}`
    expect(await run('system.reboot')).toMatchObject({ kind: 'returned', value: '-r now', retcode: 0 })
    expect(await run('system.reboot', [5])).toMatchObject({ kind: 'returned', value: '-r 5' })
    expect(await run('system.shutdown', [{ at_time: 3, __kwarg__: true }])).toMatchObject({
      kind: 'returned',
      value: '-h 3',
    })
    process.env.PATH = before
    await rm(directory, { recursive: true })
  })
})

describe('every built-in function', () => {
  const functions = builtInModules.flatMap(({ name, functions: own }) =>
    Object.entries(own).map(([short, fun]) => [`${name}.${short}`, fun] as const),
  )

  it.each(functions)('%s has a doc with an example that names it', (name, fun) => {
    expect(fun.doc).toMatch(/CLI Example:\n\n\.\. code-block:: bash\n\n {4}brine/)
    expect(fun.doc.slice(fun.doc.indexOf('CLI Example'))).toContain(name)
    expect(fun.doc.split('\n')[0]).not.toBe('')
  })
})
