// The `schedule` and `beacon` states: a running minion's own jobs and beacons, changed over its bus.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isMapping, type Mapping } from '../../core/value/index.ts'
import { type CallAgent, openCall } from '../call.ts'
import { useLab } from '../fake-lab.ts'

const lab = useLab({ beforeEach, afterEach })
let agent: CallAgent
beforeEach(async () => {
  await lab.started('file_client: local\nmaster_type: disable')
  agent = await openCall(lab.fake.setup, { local: true }, lab.fake.outside)
})
afterEach(() => agent.close())

/** A state's result as brine-call gives it. */
async function state(fun: string, kwargs: Mapping): Promise<Mapping> {
  const told = await agent.cmd('state.single', [fun], kwargs)
  const [result] = isMapping(told) ? Object.values(told) : []
  if (result === undefined || !isMapping(result)) throw new Error(JSON.stringify(told))
  const { comment = null, changes = null } = result
  return { result: result.result ?? null, comment, changes }
}

const list = (module: string): Promise<unknown> => agent.cmd(`${module}.list`, [], { return_yaml: false })
const fine = (comment: string, changes: Mapping = {}) => ({ result: true, comment, changes })

describe('schedule', () => {
  const job = { name: 'tidy', function: 'test.ping', hours: 1 }

  it('brings a job, changes it, and leaves one that is right alone', async () => {
    expect(await state('schedule.present', { ...job, test: true })).toMatchObject({ result: null })
    expect(await list('schedule')).not.toHaveProperty('tidy')
    expect(await state('schedule.present', job)).toMatchObject({
      result: true,
      comment: 'Adding new job tidy to schedule',
      changes: { tidy: 'added' },
    })
    expect(await list('schedule')).toMatchObject({ tidy: { function: 'test.ping', hours: 1 } })
    expect(await state('schedule.present', job)).toEqual(fine('Job tidy in correct state'))
    expect(await state('schedule.present', { ...job, hours: 2 })).toMatchObject({
      result: true,
      changes: { tidy: { old: { hours: 1 }, new: { hours: 2 } } },
    })
    expect(await list('schedule')).toMatchObject({ tidy: { hours: 2 } })
  })

  it('switches a job and takes it away; one that is not there is no failure', async () => {
    await state('schedule.present', job)
    expect(await state('schedule.disabled', { name: 'tidy' })).toMatchObject({ result: true })
    expect(await list('schedule')).toMatchObject({ tidy: { enabled: false } })
    expect(await state('schedule.enabled', { name: 'tidy' })).toMatchObject({ result: true })
    expect(await list('schedule')).toMatchObject({ tidy: { enabled: true } })
    expect(await state('schedule.absent', { name: 'tidy' })).toEqual(
      fine('Removed job tidy from schedule', { tidy: 'removed' }),
    )
    expect(await state('schedule.absent', { name: 'tidy' })).toEqual(fine('Job tidy not present in schedule'))
  })

  it('fails with the words of the module where a job cannot be', async () => {
    expect(await state('schedule.present', { ...job, when: '5pm' })).toMatchObject({
      result: false,
      comment: expect.stringContaining('when'),
    })
  })
})

describe('beacon', () => {
  const beacon = { name: 'memusage', percent: 100 }

  it('brings a beacon, changes it, and leaves one that is right alone', async () => {
    expect(await state('beacon.present', { ...beacon, test: true })).toMatchObject({ result: null })
    expect(await list('beacons')).not.toHaveProperty('memusage')
    expect(await state('beacon.present', beacon)).toEqual(fine('Adding memusage to beacons', { memusage: 'added' }))
    expect(await list('beacons')).toMatchObject({ memusage: [{ percent: 100 }] })
    expect(await state('beacon.present', beacon)).toEqual(fine('Job memusage in correct state'))
    expect(await state('beacon.present', { ...beacon, percent: 99 })).toMatchObject({ result: true })
    expect(await list('beacons')).toMatchObject({ memusage: [{ percent: 99 }] })
  })

  it('keeps it for the next start where it is asked to', async () => {
    expect(await state('beacon.present', { ...beacon, save: true })).toMatchObject({
      result: true,
      comment: 'Adding memusage to beacons\nBeacon memusage saved',
    })
  })

  it('switches a beacon and takes it away; one that is not there is no failure', async () => {
    await state('beacon.present', beacon)
    expect(await state('beacon.disabled', { name: 'memusage' })).toMatchObject({ result: true })
    expect(await list('beacons')).toMatchObject({ memusage: expect.arrayContaining([{ enabled: false }]) })
    expect(await state('beacon.enabled', { name: 'memusage' })).toMatchObject({ result: true })
    expect(await list('beacons')).toMatchObject({ memusage: expect.arrayContaining([{ enabled: true }]) })
    expect(await state('beacon.absent', { name: 'memusage' })).toMatchObject({
      result: true,
      comment: 'Removed memusage from beacons',
    })
    expect(await state('beacon.absent', { name: 'memusage' })).toEqual(fine('memusage not configured in beacons'))
  })

  it('fails for a beacon that nobody knows', async () => {
    expect(await state('beacon.present', { name: 'no_such_beacon' })).toMatchObject({ result: false, changes: {} })
  })
})
