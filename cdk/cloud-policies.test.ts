// A master that makes machines: what its runs may do on EC2, clean by cdk-nag's rules, and what is refused at synth.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Stack, Validations } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { AwsSolutionsChecks } from 'cdk-nag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrineMaster } from './brine-master.ts'
import type { BrineMasterProps } from './brine-master-props.ts'
import { standInBundles } from './stand-in-bundles.ts'

interface Statement {
  readonly Action: string | string[]
  readonly Resource?: unknown
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const folder = mkdtempSync(join(tmpdir(), 'brine-clouds-'))
const out = join(folder, 'out')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let template: Template

function cloudFolder(name: string, provider: string): string {
  const path = join(folder, name)
  mkdirSync(join(path, 'cloud.providers.d'), { recursive: true })
  writeFileSync(join(path, 'cloud.providers.d', 'ec2.conf'), provider)
  writeFileSync(join(path, 'cloud.profiles'), 'web:\n  provider: my-ec2\n  image: ami-1\n  size: t3.micro\n')
  return path
}

function masterWith(stack: Stack, props: BrineMasterProps): BrineMaster {
  const agentFile = join(folder, 'agent.mjs')
  writeFileSync(agentFile, '// the agent')
  return new BrineMaster(stack, 'Master', { agentFile, functionBundles: standInBundles(join(folder, 'f')), ...props })
}

beforeAll(() => {
  const app = new App({ outdir: out })
  const stack = new Stack(app, 'Brine')
  const machine = new Role(stack, 'Machine', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') })
  masterWith(stack, { cloud: cloudFolder('right', 'my-ec2:\n  driver: ec2\n'), cloudRoles: [machine] })
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  app.synth()
  template = Template.fromStack(stack)
}, 180_000)

/** What may be done on EC2 and passed on, by the function it is allowed to. */
function allowed(): { who: string; statement: Statement }[] {
  return Object.entries(template.findResources('AWS::IAM::Policy')).flatMap(([policy, { Properties }]) =>
    (Properties.PolicyDocument.Statement as Statement[])
      .filter(({ Action }) => [Action].flat().some((action) => /^(ec2|iam):/.test(action)))
      .map((statement) => ({ who: policy.replace(/^MasterFunctionsSet|Role.*$/g, ''), statement })),
  )
}

describe('a master that makes machines', () => {
  it('has no finding of cdk-nag that was not accepted with a reason', () => {
    const { pluginReports } = JSON.parse(readFileSync(join(out, 'validation-report.json'), 'utf8'))
    expect(pluginReports.flatMap(({ violations }: { violations: { ruleName: string }[] }) => violations)).toEqual([])
  })

  it('lets its runs alone do more than describe, and change no machine but its own', () => {
    const changing = allowed().filter(({ statement }) =>
      [statement.Action].flat().some((action) => /^(ec2:(?!Describe)|iam:)/.test(action)),
    )
    expect(new Set(changing.map(({ who }) => who))).toEqual(new Set(['Run']))
    for (const { statement } of changing) {
      expect(statement.Resource).not.toBe('*')
      const conditions = JSON.stringify(statement.Condition ?? {})
      if ([statement.Action].flat().includes('ec2:TerminateInstances'))
        expect(conditions).toContain('ec2:ResourceTag/brine:master')
      if (
        [statement.Action].flat().includes('ec2:RunInstances') &&
        JSON.stringify(statement.Resource).includes(':instance/*')
      )
        expect(conditions).toContain('aws:RequestTag/brine:master')
      if (statement.Action === 'iam:PassRole') expect(conditions).toContain('ec2.amazonaws.com')
    }
    expect(changing.flatMap(({ statement }) => [statement.Action].flat())).toEqual(
      expect.arrayContaining(['ec2:RunInstances', 'ec2:TerminateInstances', 'ec2:CreateTags', 'iam:PassRole']),
    )
  })

  it('tells its functions the tag that its permissions ask for', () => {
    const settings = Object.values(template.findResources('AWS::Lambda::Function'))
      .map(({ Properties }) => JSON.stringify(Properties.Environment?.Variables ?? {}))
      .find((text) => text.includes('brine:master'))
    const [, tag] = /brine:master\\+":\\+"([\w-]+)/.exec(settings ?? '') ?? []
    expect(tag).toMatch(/\w{8}/)
    expect(JSON.stringify(allowed())).toContain(`"ec2:ResourceTag/brine:master":"${tag}"`)
  })

  it('packs the configuration and the agent under a name that no saltenv has', () => {
    const contents = readdirSync(out)
      .filter((name) => name.startsWith('asset.') && name.endsWith('.json'))
      .map((name) => readFileSync(join(out, name), 'utf8'))
      .find((text) => text.includes('"library"'))
    expect(Object.keys(JSON.parse(contents ?? '{}').files['cloud:base']).sort()).toEqual([
      'agent/brine-minion.mjs',
      'agent/brine-minion.service',
      'cloud.profiles',
      'cloud.providers.d/ec2.conf',
    ])
  })

  it.each([
    ['no-provider', '', 'has no provider: write cloud.providers.d/NAME.conf'],
    ['wrong-value', 'my-ec2:\n  driver: ec2\n  ebs_optimized: often\n', 'ebs_optimized: Invalid input'],
  ])('refuses at synth a folder with %s', (name, provider, message) => {
    const cloud = cloudFolder(name, provider)
    expect(() => masterWith(new Stack(new App(), 'Other'), { cloud })).toThrow(message)
  })

  it('may do none of it without being told', () => {
    const plain = new Stack(new App(), 'Plain')
    masterWith(plain, {})
    expect(JSON.stringify(Template.fromStack(plain).toJSON())).not.toContain('ec2:RunInstances')
  })
})
