// Machines made: what Salt Cloud answers, the events it fires, and one machine for one name whatever happens.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BrineError } from '../../core/error.ts'
import { type CloudStage, openCloudStage } from '../../test/master/cloud-stage.ts'

let stage: CloudStage

beforeEach(async () => {
  stage = await openCloudStage()
})
afterEach(() => stage.running.close())

const run: CloudStage['run'] = (...words) => stage.run(...words)

describe('a machine is made', () => {
  it('tells what Salt tells at each step, and answers what EC2 says of it', async () => {
    const { return: made, success } = await run('profile', { prof: 'web', instances: 'web1' })
    const [machine] = stage.machines.all
    const instance_id = machine?.id
    expect(success).toBe(true)
    expect(made).toMatchObject({
      web1: {
        name: 'web1',
        id: instance_id,
        image: 'ami-1',
        size: 't3.micro',
        state: 'running',
        private_ips: '10.0.0.1',
        public_ips: [],
        instanceId: instance_id,
        Error: { 'No Deploy': "'deploy' is not enabled. Not deploying." },
      },
    })
    expect(machine?.tags).toEqual({ role: 'web', Name: 'web1' })
    expect(await stage.told()).toEqual([
      [
        'web1/creating',
        { name: 'web1', profile: 'web', provider: 'my-ec2:ec2', driver: 'ec2', event: 'starting create' },
      ],
      [
        'web1/requesting',
        {
          kwargs: expect.objectContaining({
            Action: 'RunInstances',
            ImageId: 'ami-1',
            InstanceType: 't3.micro',
            KeyName: 'ops',
            MinCount: 1,
            MaxCount: 1,
          }),
          location: 'us-east-1',
          event: 'requesting instance',
        },
      ],
      ['web1/querying', { instance_id, event: 'querying instance' }],
      ['web1/tagging', { tags: { role: 'web', Name: 'web1' }, event: 'setting tags' }],
      ['web1/created', { name: 'web1', profile: 'web', provider: 'ec2', instance_id, event: 'created instance' }],
    ])
  })

  it('looks names up, and asks for the metadata service to be kept', async () => {
    await run('profile', { prof: 'named', instances: ['a1'] })
    expect(stage.machines.all[0]).toMatchObject({
      region: 'eu-west-1',
      order: {
        ImageId: 'ami-found',
        SubnetId: 'subnet-found',
        SecurityGroupIds: ['sg-found'],
        BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { DeleteOnTermination: true } }],
        MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      },
    })
  })

  it('refuses a name that is there, and a profile that is not, with Salt’s words', async () => {
    await run('profile', { prof: 'web', instances: 'web1' })
    const again = await run('profile', { prof: 'web', instances: 'web1,web2' })
    expect(again.return).toMatchObject({
      web1: { Error: 'web1 already exists under my-ec2:ec2' },
      web2: { state: 'running' },
    })
    expect((await run('profile', { prof: 'nosuch', instances: 'x' })).return).toEqual({
      Error: 'Profile nosuch is not defined',
    })
    expect((await run('profile', { instances: 'x' })).return).toEqual({
      Error: 'A profile (or prof) must be defined',
    })
    expect(stage.machines.all).toHaveLength(2)
  })

  it('says what EC2 refused, and has told no more than Salt', async () => {
    const { return: text, success } = await run('profile', { prof: 'bad', instances: 'x1' })
    expect(success).toBe(false)
    expect(text).toBe(
      "Exception occurred in runner cloud.profile: Failed to deploy VM: InvalidAMIID.NotFound: The image id '[ami-bad]' does not exist",
    )
    expect((await stage.told()).map(([tag]) => tag)).toEqual(['x1/creating', 'x1/requesting'])
    const both = await run('profile', { prof: 'bad', instances: 'x1,x2' })
    expect(both.return).toEqual({
      x1: { Error: expect.stringContaining('Failed to deploy VM: InvalidAMIID.NotFound') },
      x2: { Error: expect.stringContaining('Failed to deploy VM: InvalidAMIID.NotFound') },
    })
    const unsized = await run('profile', { prof: 'unsized', instances: 'x3' })
    expect(unsized.return).toContain("The required 'size' configuration setting is missing from the 'unsized' profile")
  })

  it('makes one machine for one name, whoever was cut off on the way and however many ask', async () => {
    stage.machines.before = (call) => {
      if (call === 'run' && stage.machines.all.length === 0) stage.machines.first = 'pending'
      if (call === 'list' && stage.machines.all.length > 0) throw new BrineError('EC2 is away', { code: 'busy' })
    }
    const cut = await run('profile', { prof: 'web', instances: 'web1' })
    expect(cut.success).toBe(false)
    expect(stage.machines.all).toHaveLength(1)
    stage.machines.before = () => undefined
    for (const machine of stage.machines.all) machine.state = 'running'
    const outcomes = await Promise.all([1, 2, 3].map(() => run('profile', { prof: 'web', instances: 'web1' })))
    expect(stage.machines.all).toHaveLength(1)
    for (const { return: made } of outcomes) expect(made).toMatchObject({ web1: { id: stage.machines.all[0]?.id } })
    // Told again, a step is the same event.
    const steps = (await stage.running.events()).filter(({ tag }) => tag.startsWith('salt/cloud/web1/'))
    expect(new Set(steps.map(({ id }) => id)).size).toBe(new Set(steps.map(({ tag }) => tag)).size)
    expect((await run('profile', { prof: 'web', instances: 'web1' })).return).toEqual({
      web1: { Error: 'web1 already exists under my-ec2:ec2' },
    })
  })

  it('makes another where the one before was ended on the way', async () => {
    stage.machines.first = 'terminated'
    const ended = await run('profile', { prof: 'web', instances: 'web1' })
    expect(ended.return).toContain('was ended while it was being made')
    stage.machines.first = 'running'
    expect((await run('profile', { prof: 'web', instances: 'web1' })).return).toMatchObject({
      web1: { state: 'running' },
    })
    expect(stage.machines.all.map(({ state }) => state)).toEqual(['terminated', 'running'])
  })

  it('tells the fields that filter_events wants', async () => {
    stage.main = 'filter_events: {creating: {keys: [name], use_defaults: False}}\n'
    await run('profile', { prof: 'web', instances: 'web1' })
    expect((await stage.told())[0]).toEqual(['web1/creating', { name: 'web1', event: 'starting create' }])
  })

  it.each([
    ['siez', 'siez is no key that Brine knows. Did you mean size?'],
    ['location', "location is the provider's to say"],
    ['ebs_optimized', 'ebs_optimized: Invalid input: expected boolean'],
  ])('refuses %s of one machine that cannot be meant', async (key, message) => {
    const { return: text } = await run('profile', { prof: 'web', instances: 'web1', [key]: 'x' })
    expect(text).toContain(message)
    expect(stage.machines.all).toEqual([])
  })

  it('takes a provider without a profile', async () => {
    const made = await run('create', { image: 'ami-2', size: 't3.nano', deploy: false }, ['my-ec2', 'n1'])
    expect(made.return).toMatchObject({ n1: { image: 'ami-2', size: 't3.nano' } })
    expect((await stage.told())[0]).toEqual([
      'n1/creating',
      { name: 'n1', profile: null, provider: 'my-ec2:ec2', driver: 'ec2', event: 'starting create' },
    ])
    expect((await run('create', { location: 'x' }, ['my-ec2', 'n2'])).return).toContain(
      "location is the provider's to say",
    )
    expect((await run('create', {}, ['nosuch', 'n1'])).return).toBe(false)
  })
})
