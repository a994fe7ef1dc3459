// Services, with a systemctl of the test's own first on the path, which keeps its units in a directory.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FakeMinion, fakeMinion } from '../../fake-minion.ts'

let minion: FakeMinion
let units: string
const path = process.env.PATH

/** A unit is a directory; `active`, `enabled` and `broken` are files in it. What was done to it is in `log`. */
const systemctl = `#!/bin/sh
u="$UNITS"
while [ "$1" = --no-block ] || [ "$1" = --system ]; do shift; done
verb=$1; name=\${2%.service}
known() { [ -d "$u/$name" ] || { echo "Unit $name.service could not be found." >&2; exit $1; }; }
case $verb in
status) known 4; [ -e "$u/$name/active" ] || exit 3;;
is-active) [ -e "$u/$name/active" ] || exit 3;;
is-enabled) if [ -e "$u/$name/enabled" ]; then echo enabled; else echo disabled; exit 1; fi;;
start|restart) known 5; echo $verb >>"$u/$name/log"
  [ -e "$u/$name/broken" ] && { echo "Job for $name.service failed." >&2; exit 1; }; : >"$u/$name/active";;
reload) known 5; echo reload >>"$u/$name/log";;
stop) known 5; echo stop >>"$u/$name/log"; rm -f "$u/$name/active";;
enable) : >"$u/$name/enabled";;
disable) rm -f "$u/$name/enabled";;
show) printf 'Id=%s.service\\nAfter=a.target b.target\\nExecStart={ path=/bin/x ; argv[]=/bin/x -y ; pid=7 }\\n' "$name";;
*) exit 64;;
esac
`

async function unit(name: string, ...marks: readonly string[]): Promise<void> {
  await mkdir(join(units, name), { recursive: true })
  for (const mark of marks) await writeFile(join(units, name, mark), '')
}

const log = (name: string): Promise<string> => readFile(join(units, name, 'log'), 'utf8')

beforeEach(async () => {
  minion = await fakeMinion()
  units = join(minion.fake.root, 'units')
  const bin = join(minion.fake.root, 'bin')
  await mkdir(units)
  await mkdir(bin)
  await writeFile(join(bin, 'systemctl'), systemctl)
  await chmod(join(bin, 'systemctl'), 0o755)
  process.env.PATH = `${bin}:${path}`
  process.env.UNITS = units
})

afterEach(async () => {
  process.env.PATH = path
  delete process.env.UNITS
  await minion.close()
})

describe('service functions', () => {
  it('start, stop and enable', async () => {
    await unit('apache2')
    expect(await minion.run('service.status', ['apache2'])).toBe(false)
    expect(await minion.run('service.start', ['apache2'])).toBe(true)
    expect(await minion.run('service.status', ['apache2'])).toBe(true)
    expect(await minion.run('service.enable', ['apache2'])).toBe(true)
    expect(await minion.run('service.enabled', ['apache2'])).toBe(true)
    expect(await minion.run('service.disable', ['apache2'])).toBe(true)
    expect(await minion.run('service.disabled', ['apache2'])).toBe(true)
    expect(await minion.run('service.stop', ['apache2'])).toBe(true)
    expect(await minion.run('service.available', ['apache2'])).toBe(true)
    expect(await minion.run('service.missing', ['nosuch'])).toBe(true)
    expect(await minion.run('service.stop', ['nosuch'])).toBe(false)
  })

  it('fail with the words of systemctl', async () => {
    await unit('apache2', 'broken')
    expect(await minion.outcome('service.restart', ['apache2'])).toMatchObject({
      by: 'command',
      value: 'ERROR: Job for apache2.service failed.',
    })
  })

  it('show properties', async () => {
    expect(await minion.run('service.show', ['x'])).toEqual({
      Id: 'x.service',
      After: ['a.target', 'b.target'],
      ExecStart: { path: '/bin/x', 'argv[]': '/bin/x -y', pid: '7' },
    })
  })

  it('say so where there is no systemctl', async () => {
    process.env.PATH = join(minion.fake.root, 'nowhere')
    expect(await minion.outcome('service.start', ['x'])).toMatchObject({
      by: 'command-not-found',
      words: "Command 'systemctl' not found",
    })
  })
})

describe('service states', () => {
  it.each([
    ['running', [], {}, true, { apache2: true }, 'Started service apache2'],
    ['running', ['active'], {}, true, {}, 'The service apache2 is already running'],
    ['running', [], { test: true }, null, {}, 'Service apache2 is set to start'],
    ['running', [], { enable: true }, true, { apache2: true }, 'Service apache2 has been enabled, and is running'],
    [
      'running',
      ['active'],
      { enable: true },
      true,
      { apache2: true },
      'Service apache2 has been enabled, and is in the desired state',
    ],
    ['running', ['active', 'enabled'], { enable: true }, true, {}, 'The service apache2 is already running'],
    ['running', ['broken'], {}, false, {}, 'Job for apache2.service failed.'],
    [
      'running',
      [],
      { enabled: true },
      false,
      {},
      'Service apache2 uses non-existent option "enabled".  Perhaps "enable" option was intended?',
    ],
    ['dead', ['active'], {}, true, { apache2: false }, 'Service apache2 was killed'],
    ['dead', [], {}, true, {}, 'The service apache2 is already dead'],
    ['dead', ['active'], { test: true }, null, {}, 'Service apache2 is set to be killed'],
    [
      'dead',
      ['active', 'enabled'],
      { enable: false },
      true,
      { apache2: true },
      'Service apache2 has been disabled, and is dead',
    ],
    ['enabled', [], {}, true, { apache2: true }, 'Service apache2 has been enabled, and is in the desired state'],
    ['enabled', ['enabled'], {}, true, {}, 'Service apache2 is already enabled, and is in the desired state'],
    ['enabled', [], { test: true }, null, {}, 'Service apache2 set to be enabled'],
    [
      'disabled',
      ['enabled'],
      {},
      true,
      { apache2: true },
      'Service apache2 has been disabled, and is in the desired state',
    ],
    ['disabled', [], {}, true, {}, 'Service apache2 is already disabled, and is in the desired state'],
    ['unmasked', [], {}, true, {}, 'Service apache2 was already unmasked'],
  ] as const)('%s %j %j', async (fun, marks, kwargs, result, changes, comment) => {
    await unit('apache2', ...marks)
    expect(await minion.state(`service.${fun}`, { name: 'apache2', ...kwargs })).toEqual({
      name: 'apache2',
      result,
      changes,
      comment,
    })
  })

  it.each([
    ['running', {}, false, 'The named service nosuch is not available'],
    ['dead', {}, true, 'The named service nosuch is not available'],
    ['enabled', {}, false, 'The named service nosuch is not available'],
    ['disabled', {}, true, 'The named service nosuch is not available'],
    [
      'running',
      { test: true },
      null,
      'Service nosuch not present; if created in this state run, it would have been started',
    ],
    [
      'dead',
      { test: true },
      null,
      'Service nosuch not present; if created in this state run, it would have been stopped',
    ],
    [
      'enabled',
      { test: true },
      null,
      'Service nosuch not present; if created in this state run, it would have been enabled',
    ],
  ] as const)('%s of a service that is not there %j', async (fun, kwargs, result, comment) => {
    expect(await minion.state(`service.${fun}`, { name: 'nosuch', ...kwargs })).toMatchObject({ result, comment })
  })

  it.each([
    [{}, ['active'], 'Service restarted', 'restart\n'],
    [{ reload: true }, ['active'], 'Service reloaded', 'reload\n'],
  ] as const)('a watch of something that changed %j', async (options, marks, comment, done) => {
    await unit('apache2', ...marks)
    const sls = {
      conf: { 'test.succeed_with_changes': [] },
      apache2: {
        'service.running': [
          ...Object.entries(options).map(([key, value]) => ({ [key]: value })),
          { watch: [{ test: 'conf' }] },
        ],
      },
    }
    const results = Object.values((await minion.run('state.template_str', [JSON.stringify(sls)])) as object)
    expect(results[1]).toMatchObject({ result: true, comment, changes: { apache2: true } })
    expect(await log('apache2')).toBe(done)
    await rm(join(units, 'apache2'), { recursive: true })
  })
})
