// Machines asked for, changed and ended: what Salt Cloud's functions answer, and the events they fire.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BrineError } from '../../core/error.ts'
import { type CloudStage, openCloudStage } from '../../test/master/cloud-stage.ts'
import { testMinion } from '../../test/master/harness.ts'

let stage: CloudStage

beforeEach(async () => {
  stage = await openCloudStage()
})
afterEach(() => stage.running.close())

const run: CloudStage['run'] = (...words) => stage.run(...words)

describe('machines are asked for', () => {
  beforeEach(async () => {
    await run('profile', { prof: 'web', instances: 'web1' })
  })

  it('in a few words, whole, or by selected fields', async () => {
    const id = stage.machines.all[0]?.id
    expect((await run('query')).return).toEqual({
      'my-ec2': {
        ec2: {
          web1: {
            id,
            image: 'ami-1',
            name: 'web1',
            size: 't3.micro',
            state: 'running',
            private_ips: '10.0.0.1',
            public_ips: [],
          },
        },
      },
    })
    expect((await run('select_query')).return).toEqual({ 'my-ec2': { ec2: { web1: { id, state: 'running' } } } })
    expect((await run('full_query')).return).toMatchObject({ 'my-ec2': { ec2: { web1: { instanceId: id } } } })
    expect((await run('action', { provider: 'my-ec2' }, ['list_nodes_min'])).return).toEqual({
      'my-ec2': { ec2: { web1: { state: 'running', id } } },
    })
    expect((await run('action', { provider: 'my-ec2', name: 'web1' }, ['show_instance'])).return).toMatchObject({
      'my-ec2': { ec2: { instanceId: id } },
    })
  })

  it('of providers and profiles, with Salt’s sentences for those that are not there', async () => {
    expect((await run('list_providers')).return).toEqual({ 'my-ec2': { ec2: {} }, other: { ec2: {} } })
    expect((await run('list_profiles', { provider: 'other' })).return).toEqual({ named: { other: {} } })
    expect((await run('list_locations', { provider: 'other' })).return).toEqual({
      other: { ec2: { locations: { of: 'amazon', region: 'eu-west-1' } } },
    })
    expect((await run('list_sizes', { provider: 'nosuch' })).return).toContain(
      "No cloud providers matched 'nosuch'. Available selections: my-ec2, other",
    )
    expect((await run('action', { provider: 'ec2' }, ['list_nodes'])).return).toContain(
      "More than one results matched 'ec2'. Please specify one of: my-ec2:ec2, other:ec2",
    )
    expect((await run('action', { provider: 'other' }, ['wibble'])).return).toContain(
      "The 'other' cloud provider alias, for the 'ec2' driver, does not define the function 'wibble'",
    )
  })

  it('names the provider that could not be asked', async () => {
    stage.machines.before = () => {
      throw new BrineError('AuthFailure: AWS was not able to validate the provided access credentials', { code: 'ec2' })
    }
    expect((await run('query')).return).toContain("The cloud provider 'my-ec2' could not be asked: AuthFailure")
  })
})

describe('machines are changed', () => {
  beforeEach(async () => {
    await run('profile', { prof: 'web', instances: 'web1' })
  })

  it('as Salt answers it', async () => {
    const id = stage.machines.all[0]?.id
    expect((await run('action', {}, ['stop', ['web1']])).return).toEqual({
      'my-ec2': {
        ec2: {
          web1: [
            {
              currentState: { code: '80', name: 'stopped' },
              instanceId: id,
              previousState: { code: '16', name: 'running' },
            },
          ],
        },
      },
    })
    expect((await run('action', { instance: 'web1' }, ['reboot'])).return).toEqual({
      'my-ec2': { ec2: { web1: { Reboot: 'Complete' } } },
    })
    expect((await run('action', { instances: ['web1', 'nosuch'] }, ['start'])).return).toMatchObject({
      'my-ec2': { ec2: { web1: [{ currentState: { name: 'running' } }] } },
      'Not Found': ['nosuch'],
      'Not Actioned/Not Running': ['nosuch'],
    })
    expect((await run('action', { instances: ['web1'] }, ['bogus'])).return).toEqual({
      'Invalid Actions': { 'ec2.bogus': ['web1'] },
      'Not Found': ['web1'],
      'Not Actioned/Not Running': ['web1'],
    })
    const changes = (await stage.told()).slice(5)
    expect(changes).toEqual([
      ['web1/stopping', { name: 'web1', instance_id: id, event: 'stopping instance' }],
      ['web1/starting', { name: 'web1', instance_id: id, event: 'starting instance' }],
    ])
  })

  it('wants machines or a provider, and not both', async () => {
    const both = 'Either an instance (or list of names) or a provider must be specified, but not both.'
    expect((await run('action', {}, ['start'])).return).toContain(both)
    expect((await run('action', { provider: 'my-ec2', instances: ['web1'] }, ['start'])).return).toContain(both)
  })
})

describe('a machine is ended', () => {
  it('tells it, renames it, and deletes the key of its minion alone', async () => {
    await run('profile', { prof: 'web', instances: 'web1,web2' })
    const { authenticate, keys } = stage.master
    for (const id of ['web1', 'web10', 'web2']) await authenticate(await testMinion(id).request())
    const { return: ended } = await run('destroy', {}, ['web1,nosuch'])
    const id = stage.machines.all[0]?.id
    expect(ended).toEqual({
      'my-ec2': {
        ec2: {
          web1: {
            newname: expect.stringMatching(/^web1-DEL[0-9a-f]{32}$/),
            currentState: { code: '48', name: 'terminated' },
            instanceId: id,
            previousState: { code: '16', name: 'running' },
          },
        },
      },
      'Not Found': ['nosuch'],
    })
    expect((await stage.told()).slice(-2)).toEqual([
      ['web1/destroying', { name: 'web1', instance_id: id, event: 'destroying instance' }],
      ['web1/destroyed', { name: 'web1', instance_id: id, event: 'destroyed instance' }],
    ])
    expect((await keys.lists()).minions_pre).toEqual(['web10', 'web2'])
    expect((await run('profile', { prof: 'web', instances: 'web1' })).return).toMatchObject({
      web1: { state: 'running' },
    })
  })

  it('refuses what is not there, and says how a protected one is freed', async () => {
    expect((await run('destroy', {}, ['nosuch'])).return).toContain("The following VM's were not found: nosuch")
    await run('profile', { prof: 'web', instances: 'web1' })
    await run('action', { instance: 'web1' }, ['enable_term_protect'])
    expect((await run('destroy', {}, ['web1'])).return).toContain('brine-cloud -a disable_term_protect web1')
    await run('action', { instance: 'web1' }, ['disable_term_protect'])
    expect((await run('destroy', {}, ['web1'])).success).toBe(true)
  })
})
