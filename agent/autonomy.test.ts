// The minion by itself: beacons and schedule in a running minion, asked and changed by jobs and by brine-call.
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mapping, Value } from '../core/value/index.ts'
import { waitFor } from '../test/system/wait.ts'
import { openCall } from './call.ts'
import { useLab } from './fake-lab.ts'
import { until } from './fake-setup.ts'

const lab = useLab({ beforeEach, afterEach })
const quick = 'loop_interval: 0.1\n'

/** Runs a function in the running minion, as a job of the master's. */
async function job(fun: string, ...arg: Value[]): Promise<Value> {
  const before = lab.master.returns.length
  lab.master.publish({ fun, arg, expiresIn: 60 })
  await until(() => lab.master.returns.length > before)
  return lab.master.returns[before]?.return ?? null
}

/** Runs one in its place. */
async function call(fun: string, args: Value[] = [], kwargs: Mapping = {}): Promise<Value> {
  const agent = await openCall(lab.fake.setup, { local: true }, lab.fake.outside)
  try {
    return await agent.cmd(fun, args, kwargs)
  } finally {
    await agent.close()
  }
}

const beaconEvents = (name: string): Mapping[] =>
  lab.master.events.filter(({ tag }) => tag.startsWith(`salt/beacon/web1/${name}/`)).map(({ data }) => data as Mapping)

/** Appends until it is told: when the beacon begins to look nothing says. */
async function appended(file: string): Promise<void> {
  await waitFor('the beacon', async () => {
    await appendFile(file, 'b')
    await new Promise((resolve) => setTimeout(resolve, 300))
    return beaconEvents('inotify').length > 0 ? true : undefined
  })
}

describe('beacons', () => {
  it('tell the master, from a configuration and from a job', async () => {
    const minion = await lab.started(`${quick}beacons: {memusage: [{percent: 0}, {interval: 0.2}]}`)
    await minion.joined
    await until(() => beaconEvents('memusage').length >= 2)
    expect(beaconEvents('memusage')[0]).toMatchObject({ id: 'web1', tag: 'salt/beacon/web1/memusage/' })
    expect(await job('beacons.delete', 'memusage')).toEqual({ comment: 'Deleted beacon: memusage.', result: true })
    const file = join(lab.fake.root, 'watched')
    await writeFile(file, 'a')
    const data: Value = [{ files: { [file]: { mask: ['modify'] } } }]
    expect(await job('beacons.add', 'inotify', data)).toEqual({ comment: 'Added beacon: inotify.', result: true })
    await appended(file)
    expect(beaconEvents('inotify')[0]).toEqual({
      id: 'web1',
      path: file,
      change: 'IN_MODIFY',
      data: { id: 'web1', path: file, change: 'IN_MODIFY' },
      tag: `salt/beacon/web1/inotify/${file}`,
    })
  })

  it('do not tell of a state run of brine-call, where they are not to, and of what comes after it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'brine-kept-'))
    const file = join(folder, 'kept')
    await writeFile(file, 'wrong')
    const beacons = `beacons: {inotify: [{files: {${file}: {mask: [modify]}}}, {disable_during_state_run: True}]}`
    const minion = await lab.started(`${quick}${beacons}`)
    await minion.joined
    await new Promise((resolve) => setTimeout(resolve, 250))
    const result = await call('state.single', ['file.managed'], { name: file, contents: 'right' })
    expect(JSON.stringify(result)).toContain('"result":true')
    expect(await readFile(file, 'utf8')).toBe('right\n')
    await new Promise((resolve) => setTimeout(resolve, 350))
    expect(beaconEvents('inotify')).toEqual([])
    await appended(file)
    expect(beaconEvents('inotify')[0]).toMatchObject({ change: 'IN_MODIFY' })
    await rm(folder, { recursive: true })
  })

  it('are asked, changed, saved and reset by brine-call, which is told when no minion runs', async () => {
    const minion = await lab.started(quick)
    await minion.joined
    expect(await call('beacons.list')).toBe('beacons: {}\n')
    expect(await call('beacons.list_available', [], { return_yaml: false })).toContain('inotify')
    expect(await call('beacons.add', ['nothing', []])).toEqual({
      comment: 'Beacon "nothing" is not available.',
      result: false,
    })
    expect(await call('beacons.add', ['memusage', [{ fraction: 1 }]])).toMatchObject({
      comment:
        'Beacon memusage configuration invalid, not adding.\nConfiguration for memusage beacon requires percent.',
      result: false,
    })
    const data: Value = [{ percent: 200 }]
    expect(await call('beacons.add', ['memusage', data], { test: true })).toMatchObject({
      comment: 'Beacon: memusage would be added.',
    })
    expect(await call('beacons.add', ['memusage', data])).toMatchObject({ result: true })
    expect(await call('beacons.add', ['memusage', data])).toMatchObject({
      comment: 'Beacon memusage is already configured.',
    })
    expect(await call('beacons.modify', ['memusage', data])).toMatchObject({
      comment: 'Job memusage in correct state',
    })
    expect(await call('beacons.modify', ['memusage', [{ percent: 300 }]])).toMatchObject({
      comment: 'Modified beacon: memusage.',
      changes: { diff: expect.stringContaining('-percent:200\n+percent:300\n') },
    })
    expect(await call('beacons.disable_beacon', ['memusage'])).toEqual({
      comment: 'Disabled beacon memusage on minion.',
      result: true,
    })
    expect(await call('beacons.enable_beacon', ['load'])).toEqual({
      comment: 'Beacon load is not currently configured.',
      result: false,
    })
    const path = join(lab.fake.root, 'etc/minion.d/beacons.conf')
    expect(await call('beacons.save')).toEqual({ comment: `Beacons saved to ${path}.`, result: true })
    expect(await readFile(path, 'utf8')).toContain('percent: 300')
    expect(await call('beacons.disable')).toEqual({ comment: 'Disabled beacons on minion.', result: true })
    expect(await call('beacons.enable')).toEqual({ comment: 'Enabled beacons on minion.', result: true })
    expect(await call('beacons.reset')).toEqual({ comment: 'Beacon configuration reset.', result: true })
    expect(await call('beacons.list', [], { return_yaml: false })).toEqual({})
    await minion.stop()
    expect(await call('beacons.reset')).toMatchObject({
      result: false,
      comment: expect.stringContaining('is one running?'),
    })
  })
})

describe('the schedule', () => {
  it('returns to the master with the name of the job', async () => {
    const minion = await lab.started(
      `${quick}schedule: {hello: {function: test.echo, args: [hi], kwargs: {}, seconds: 100, run_on_start: True, metadata: {a: 1}}}`,
    )
    await minion.joined
    await until(() => lab.master.returns.length > 0)
    expect(lab.master.returns[0]).toMatchObject({
      fun: 'test.echo',
      fun_args: ['hi'],
      return: 'hi',
      retcode: 0,
      success: true,
      schedule: 'hello',
      tgt: 'web1',
      metadata: { a: 1, _TS: expect.any(String) },
    })
  })

  it('is changed by brine-call, saved, and there again at the next start', async () => {
    const minion = await lab.started(quick)
    await minion.joined
    expect(await call('schedule.add', ['j'], { function: 'test.ping', hours: 1, when: '5pm' })).toMatchObject({
      result: false,
      comment: expect.stringMatching(/^Error: Unable to use "seconds"/),
    })
    expect(await call('schedule.add', ['j'], { function: 'test.ping', hours: 1 })).toEqual({
      comment: 'Added job: j to schedule.',
      result: true,
      changes: { j: 'added' },
    })
    expect(await call('schedule.list')).toBe(`schedule:
  j:
    enabled: true
    function: test.ping
    hours: 1
    jid_include: true
    maxrunning: 1
    name: j
    saved: true
`)
    expect(await call('schedule.run_job', ['j'])).toEqual({ comment: 'Scheduling Job j on minion.', result: true })
    await until(() => lab.master.returns.length === 1)
    expect(await call('schedule.disable_job', ['j'])).toMatchObject({ changes: { j: 'disabled' } })
    expect(await call('schedule.run_job', ['j'])).toMatchObject({ comment: 'Job j is disabled.' })
    expect(await call('schedule.is_enabled', ['j'])).toMatchObject({ enabled: false, function: 'test.ping' })
    expect(await call('schedule.is_enabled')).toBe(true)
    expect(await call('schedule.modify', ['j'], { minutes: 5 })).toMatchObject({
      comment: 'Modified job: j in schedule.',
      changes: { j: { old: { hours: 1 }, new: { minutes: 5, function: 'test.ping' } } },
    })
    expect(await call('schedule.show_next_fire_time', ['j'])).toMatchObject({
      result: true,
      next_fire_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
    })
    expect(await call('schedule.job_status', ['j'])).toMatchObject({ function: 'test.ping', minutes: 5 })
    expect(await call('schedule.postpone_job', ['j', 'soon', 'later'])).toMatchObject({
      comment: 'Date string could not be parsed.',
    })
    expect(await call('schedule.skip_job', ['j', '2030-01-01T00:00:00'])).toMatchObject({ result: true })
    const saved = await readFile(join(lab.fake.root, 'etc/minion.d/_schedule.conf'), 'utf8')
    expect(saved).toContain('minutes: 5')
    expect(await call('schedule.reload')).toMatchObject({ comment: ['Reloaded schedule on minion.'] })
    expect(await call('schedule.purge')).toEqual({
      comment: ['Deleted job: j from schedule.'],
      changes: { j: 'removed' },
      result: true,
    })
    expect(await call('schedule.delete', ['j'])).toMatchObject({ comment: 'Job j does not exist.' })
    await minion.stop()
    expect(await call('schedule.add', ['k'], { function: 'test.ping', hours: 1, offline: true })).toMatchObject({
      result: true,
    })
    expect(await call('schedule.list', [], { offline: true, return_yaml: false })).toMatchObject({ k: { hours: 1 } })
  })
})

describe('the start', () => {
  it('runs startup_states', async () => {
    const minion = await lab.started('startup_states: highstate')
    await minion.joined
    await until(() => lab.master.returns.length > 0)
    expect(lab.master.returns[0]).toMatchObject({ fun: 'state.highstate', tgt: 'web1' })
  })
})
