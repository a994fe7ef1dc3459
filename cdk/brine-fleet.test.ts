// The template of a fleet, and what its instances run at their first start.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Stack } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { InstanceType, type IVpc, Vpc } from 'aws-cdk-lib/aws-ec2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrineFleet } from './brine-fleet.ts'
import { BrineMaster } from './brine-master.ts'
import { fleetCommands, fleetTools } from './fleet-user-data.ts'
import { standInBundles } from './stand-in-bundles.ts'

const folder = mkdtempSync(join(tmpdir(), 'brine-fleet-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let template: Template
beforeAll(() => {
  const agentFile = join(folder, 'brine-minion.mjs')
  writeFileSync(agentFile, '#!/usr/bin/env node\n')
  const stack = new Stack(new App(), 'Fleet')
  const master = new BrineMaster(stack, 'Master', { functionBundles: standInBundles(join(folder, 'functions')) })
  const vpc = new Vpc(stack, 'Vpc', { natGateways: 0 })
  new BrineFleet(stack, 'Web', {
    master,
    vpc: vpc as IVpc,
    agentFile,
    instanceType: new InstanceType('t4g.nano'),
    vpcSubnets: { subnets: vpc.publicSubnets },
    idPrefix: 'web-',
    grains: { role: 'web' },
  })
  template = Template.fromStack(stack)
}, 180_000)

function userData(): string {
  const [made] = Object.values(template.findResources('AWS::EC2::LaunchTemplate'))
  return JSON.stringify(made?.Properties.LaunchTemplateData.UserData)
}

describe('the stack of a fleet', () => {
  it('requires IMDSv2, one hop, and encrypts the disk', () => {
    template.hasResourceProperties('AWS::EC2::LaunchTemplate', {
      LaunchTemplateData: {
        MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
        BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { Encrypted: true } }],
        IamInstanceProfile: Match.anyValue(),
      },
    })
  })

  it('waits at launch and at the end, for the master to complete, from its first instance on', () => {
    template.resourceCountIs('AWS::AutoScaling::LifecycleHook', 0)
    template.hasResourceProperties('AWS::AutoScaling::AutoScalingGroup', {
      LifecycleHookSpecificationList: ['launch', 'terminate'].map((way) =>
        Match.objectLike({
          LifecycleHookName: `brine-${way}`,
          LifecycleTransition: `autoscaling:EC2_INSTANCE_${way === 'launch' ? 'LAUNCHING' : 'TERMINATING'}`,
          DefaultResult: 'CONTINUE',
        }),
      ),
    })
  })

  it('carries the tag that the permission to complete its hooks asks for', () => {
    template.hasResourceProperties('AWS::AutoScaling::AutoScalingGroup', {
      Tags: Match.arrayWith([{ Key: 'brine:fleet', Value: 'yes', PropagateAtLaunch: true }]),
    })
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: ['autoscaling:CompleteLifecycleAction', 'autoscaling:RecordLifecycleActionHeartbeat'],
            // A group's ARN has its id and its name behind colons.
            Resource: { 'Fn::Join': ['', Match.arrayWith([':autoScalingGroup:*:autoScalingGroupName/*'])] },
            Condition: { StringEquals: { 'autoscaling:ResourceTag/brine:fleet': 'yes' } },
          }),
        ]),
      },
    })
  })

  it('lets instances read the finger and the agent, and fire nothing', () => {
    const policies = Object.entries(template.findResources('AWS::IAM::Policy')).filter(([id]) =>
      id.startsWith('WebRole'),
    )
    const actions = JSON.stringify(policies)
    expect(actions).toContain('ssm:GetParameter')
    expect(actions).not.toContain('events:')
    expect(actions).not.toContain('dynamodb:')
  })

  it('has its tools before it fetches the agent, and stops at what fails', () => {
    const text = userData()
    expect(text.indexOf('set -euo pipefail')).toBeLessThan(text.indexOf('aws s3 cp'))
    expect(text.indexOf('install awscli-2')).toBeLessThan(text.indexOf('aws s3 cp'))
  })

  it('starts the agent with the master, its finger and an id of the instance', () => {
    const text = userData()
    for (const part of [
      'master: ',
      'master_finger: $FINGER',
      'id: web-$INSTANCE',
      'Type=notify',
      'StateDirectoryMode=0700',
      'systemctl enable --now brine-minion',
      'aws ssm get-parameter',
    ])
      expect(text).toContain(part)
  })
})

describe('the commands of an instance', () => {
  const commands = fleetCommands({
    agentFile: '/tmp/a.mjs',
    masterUrl: 'https://x',
    fingerParameter: '/p',
    region: 'eu-west-1',
    idPrefix: '',
    webIdentity: true,
    startUpGrains: { role: 'a: b', odd: '$HOME `id` \\' },
    unit: '[Unit]\nDescription=$x\n',
  })

  it('stop at the first that fails, and start nothing before its configuration is there', () => {
    expect(fleetTools[0]).toBe('set -euo pipefail')
    expect(commands.indexOf('chmod 0600 /etc/brine/minion')).toBeLessThan(
      commands.findIndex((line) => line.startsWith('systemctl enable')),
    )
  })

  it('write grains that YAML reads as they were given, and the unit as it is', () => {
    const begin = commands.indexOf('cat > /etc/brine/minion <<EOF')
    const script = [
      'INSTANCE=i-1',
      'FINGER=aa:bb',
      'cat <<EOF',
      ...commands.slice(begin + 1, commands.indexOf('EOF') + 1),
    ]
    const written = execFileSync('bash', ['-c', script.join('\n')], { encoding: 'utf8' })
    expect(written.split('\n')).toEqual(expect.arrayContaining(['master_finger: aa:bb', 'id: i-1', '  "role": "a: b"']))
    expect(written).toContain('ec2_web_identity: True')
    expect(JSON.parse(/"odd": (.*)/.exec(written)?.[1] ?? '')).toBe('$HOME `id` \\')
    expect(commands.join('\n')).toContain("<<'EOF'\n[Unit]\nDescription=$x\nEOF")
  })
})
