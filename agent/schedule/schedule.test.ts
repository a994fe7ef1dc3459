// The schedule under a clock of its own: what runs when, what is skipped and why, changes while it runs.
import { describe, expect, it } from 'vitest'
import type { Mapping } from '../../core/value/index.ts'
import { formatDate } from '../date-format.ts'
import { silentLog } from '../outside.ts'
import { answerScheduleRequest } from './requests.ts'
import { Schedule, type ScheduleParts } from './schedule.ts'

const start = new Date('2026-11-21T12:00:00').getTime()

function stage(configured: Mapping, more: Partial<ScheduleParts> = {}) {
  const ran: string[] = []
  const said: string[] = []
  const saved: Mapping[] = []
  let now = start
  const schedule = new Schedule({
    loopInterval: 1,
    configured,
    pillar: () => ({}),
    whens: () => ({}),
    now: () => now,
    random: () => 0,
    log: { ...silentLog, error: (message) => said.push(message) },
    running: () => 0,
    run: ({ name, fun }) => ran.push(`${name} ${fun} ${formatDate(now, '%T')}`),
    save: async (jobs) => void saved.push(jobs),
    ...more,
  })
  /** Turns once a second, so many seconds; what ran meanwhile. */
  const pass = (seconds: number): string[] => {
    ran.length = 0
    for (let second = 0; second < seconds; second++) {
      schedule.turn()
      now += 1000
    }
    return ran.map((line) => line.split(' ').at(-1) ?? '')
  }
  return { schedule, pass, ran, said, saved }
}

const job = (options: Mapping): Mapping => ({ j: { function: 'test.ping', ...options } })

describe('what is due', () => {
  const cases: [options: Mapping, seconds: number, ran: string[]][] = [
    [{ seconds: 5 }, 12, ['12:00:05', '12:00:10']],
    [{ seconds: 1, minutes: 1 }, 130, ['12:01:01', '12:02:02']],
    [{ hours: 1 }, 3601, ['13:00:00']],
    [{ seconds: 5, run_on_start: true }, 7, ['12:00:00', '12:00:05']],
    [{ cron: '*/2 * * * *' }, 300, ['12:00:00', '12:02:00', '12:04:00']],
    [{ when: '12:01pm' }, 200, ['12:01:00']],
    [{ when: ['12:00:30', '12:00:10'] }, 60, ['12:00:10', '12:00:30']],
    [{ when: '11:59' }, 60, []],
    [{ once: '2026-11-21T12:00:07' }, 60, ['12:00:07']],
    [{ once: '21.11.2026 12:00', once_fmt: '%d.%m.%Y %H:%M' }, 60, ['12:00:00']],
    [{ once: '2026-11-21T11:00:00' }, 60, []],
    [{ seconds: 10, splay: 5 }, 25, ['12:00:11', '12:00:22']],
    [{ seconds: 10, splay: { start: 3, end: 3 } }, 15, ['12:00:13']],
    [{ seconds: 5, enabled: false }, 12, []],
    [{ seconds: 5, range: { start: '12:00:12', end: '12:00:20' } }, 30, ['12:00:12', '12:00:17']],
    [{ seconds: 5, range: { start: '12:00:08', end: '12:00:12', invert: true } }, 16, ['12:00:05', '12:00:15']],
    [{ seconds: 5, skip_during_range: { start: '12:00:08', end: '12:00:12' } }, 16, ['12:00:05', '12:00:15']],
    [
      { seconds: 5, skip_during_range: { start: '12:00:08', end: '12:00:12' }, run_after_skip_range: true },
      16,
      ['12:00:05', '12:00:13', '12:00:15'],
    ],
    [{ seconds: 5, until: '12:00:07' }, 20, ['12:00:05']],
    [{ seconds: 5, after: '12:00:07' }, 16, ['12:00:10', '12:00:15']],
  ]
  it.each(cases)('%j', (options, seconds, expected) => {
    expect(stage(job(options)).pass(seconds)).toEqual(expected)
  })

  it('comes again the next day', () => {
    const { pass, schedule } = stage(job({ when: '12:00:30' }))
    expect(pass(60)).toEqual(['12:00:30'])
    expect(schedule.nextFireTime('j')).toBe('2026-11-22T12:00:30')
  })

  it('knows moments by their names in pillar and grains', () => {
    const { pass } = stage(job({ when: 'tea time' }), { whens: () => ({ 'tea time': '12:00:04' }) })
    expect(pass(10)).toEqual(['12:00:04'])
  })

  it('waits for the runs of its own that still go on', () => {
    let running = 1
    const { pass, schedule } = stage(job({ seconds: 5 }), { running: () => running })
    expect(pass(6)).toEqual([])
    expect(schedule.status('j')._skip_reason).toBe('maxrunning')
    running = 0
    expect(pass(6)).toEqual(['12:00:10'])
    running = 1
    expect(stage(job({ seconds: 5, maxrunning: 2 }), { running: () => running }).pass(6)).toHaveLength(1)
    expect(stage(job({ seconds: 5, jid_include: false }), { running: () => running }).pass(6)).toHaveLength(1)
  })

  it('is nothing while all is disabled', () => {
    const { pass, schedule } = stage({ ...job({ seconds: 5 }), enabled: false })
    expect(pass(6)).toEqual([])
    expect(schedule.status('j')._skip_reason).toBe('disabled')
  })

  it('is another function where a run is skipped', () => {
    const range = { start: '12:00:00', end: '12:00:07' }
    const { pass, ran } = stage({ ...job({ seconds: 5, skip_during_range: range }), skip_function: 'test.echo' })
    pass(11)
    expect(ran).toEqual(['j test.echo 12:00:05', 'j test.ping 12:00:10'])
  })

  const wrong: [options: Mapping, said: RegExp][] = [
    [{ when: 'soon' }, /Invalid date string soon. Ignoring job j/],
    [{ cron: '61 * * * *' }, /61 is not between 0 and 59/],
    [{ once: 'now' }, /could not be parsed: now/],
    [{ when: '5pm', seconds: 5 }, /Unable to use "seconds"/],
    [{ when: '5pm', cron: '* * * * *' }, /options together/],
    [{ seconds: 'many' }, /no number above 0/],
    [{ seconds: 5, range: { start: '5pm', end: '4pm' } }, /end must be larger than start/],
  ]
  it.each(wrong)('says once what is wrong with %j', (options, expected) => {
    const { pass, said } = stage(job(options))
    expect(pass(10)).toEqual([])
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(expected)
  })
})

describe('changes while it runs', () => {
  it('postpones and skips a run', () => {
    const { pass, schedule } = stage(job({ seconds: 5 }))
    pass(1)
    const format = '%Y-%m-%dT%H:%M:%S'
    expect(schedule.skip('j', '2026-11-21T12:00:05', format, '2026-11-21T12:00:07')).toBe(true)
    expect(schedule.skip('j', 'soon', format)).toBe(false)
    expect(schedule.skip('none', '2026-11-21T12:00:05', format)).toBe(false)
    expect(pass(11)).toEqual(['12:00:07', '12:00:10'])
  })

  it('tells when a job is due and how it stands', () => {
    const { pass, schedule } = stage(job({ seconds: 5 }))
    pass(6)
    expect(schedule.nextFireTime('j')).toBe('2026-11-21T12:00:10')
    expect(schedule.nextFireTime('none')).toBeNull()
    expect(schedule.status('j', '%T')).toEqual({
      function: 'test.ping',
      seconds: 5,
      name: 'j',
      _next_fire_time: '12:00:10',
      _splay: null,
      _last_run: '12:00:05',
    })
    expect(schedule.status('none')).toEqual({})
  })

  it('answers requests as they come over the bus, and saves what they change', async () => {
    const { schedule, pass, saved } = stage({}, { pillar: () => ({ p: { function: 'test.ping', seconds: 5 } }) })
    const ask = (request: Mapping) => answerScheduleRequest(schedule, request, silentLog)
    const j: Mapping = { function: 'test.ping', seconds: 5, enabled: true }
    expect(await ask({ func: 'add', name: 'j', schedule: { j: { function: 'test.ping', seconds: 5 } } })).toMatchObject(
      {
        complete: true,
        done: true,
        schedule: { j },
      },
    )
    expect(saved.at(-1)).toEqual({ j })
    await ask({ func: 'disable_job', name: 'p' })
    expect(await ask({ func: 'disable_job', name: 'j', persist: false })).toMatchObject({
      done: true,
      schedule: { j: { enabled: false } },
    })
    expect(saved.at(-1)).toEqual({ j })
    expect(pass(6)).toEqual(['12:00:05'])
    expect(await ask({ func: 'list', where: 'opts' })).toMatchObject({ schedule: { j: { enabled: false } } })
    expect(await ask({ func: 'delete', name: 'p' })).toMatchObject({ done: false })
    expect(await ask({ func: 'delete', name: 'j' })).toMatchObject({ done: true })
    expect(await ask({ func: 'run_job', name: 'p' })).toMatchObject({ done: true })
    expect(await ask({ func: 'run_job', name: 'j' })).toMatchObject({ done: false })
    expect(await ask({ func: 'disable' })).toMatchObject({ schedule: { enabled: false } })
    expect(await ask({ func: 'reload', schedule: { k: j } })).toMatchObject({ schedule: { k: j } })
    expect(await ask({ func: 'dance' })).toBeUndefined()
  })
})
