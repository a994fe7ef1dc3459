// The template of a whole master: clean by cdk-nag's rules, and no more allowed than is needed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { AwsSolutionsChecks } from 'cdk-nag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrineMaster } from './brine-master.ts'
import { standInBundles } from './stand-in-bundles.ts'

interface Statement {
  readonly Effect: string
  readonly Action: string | string[]
  readonly Resource?: unknown
  readonly Condition?: unknown
}

const folder = mkdtempSync(join(tmpdir(), 'brine-template-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let template: Template
let emulated: Template
let findings: { rule: string; where: string[] }[]

beforeAll(() => {
  const app = new App({ outdir: folder })
  const stack = new Stack(app, 'Brine')
  const functionBundles = standInBundles(join(folder, 'functions'))
  const master = new BrineMaster(stack, 'Master', {
    archive: Duration.days(7),
    removalPolicy: RemovalPolicy.RETAIN,
    functionBundles,
  })
  master.grantFire(new Role(stack, 'Somebody', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') }))
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  app.synth()
  findings = readFindings()
  template = Template.fromStack(stack)
  const other = new Stack(new App(), 'Brine')
  new BrineMaster(other, 'Master', {
    emulator: { endpoint: 'http://localhost:4566', concurrency: 3 },
    archive: Duration.days(7),
    externalAuth: { pam: { ops: ['.*'] } },
    functionBundles,
    invokableFunctions: [LambdaFunction.fromFunctionName(other, 'Resize', 'resize-images')],
  })
  emulated = Template.fromStack(other)
}, 180_000)

function readFindings(): { rule: string; where: string[] }[] {
  const { pluginReports } = JSON.parse(readFileSync(join(folder, 'validation-report.json'), 'utf8'))
  return pluginReports.flatMap(
    ({ violations }: { violations: { ruleName: string; violatingConstructs: { constructPath: string }[] }[] }) =>
      violations.map(({ ruleName, violatingConstructs }) => ({
        rule: ruleName,
        where: violatingConstructs.map(({ constructPath }) => constructPath),
      })),
  )
}

/** A definition whose ARNs and names are put in at deployment: here they are all the same. */
function definitionOf(text: { 'Fn::Join': [string, unknown[]] }): { States: Record<string, Record<string, unknown>> } {
  return JSON.parse(text['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : 'X')).join(''))
}

function statements(of: Template): { policy: string; statement: Statement }[] {
  return Object.entries(of.findResources('AWS::IAM::Policy')).flatMap(([policy, { Properties }]) =>
    Properties.PolicyDocument.Statement.map((statement: Statement) => ({ policy, statement })),
  )
}

describe('the stack of a master', () => {
  it('has no finding of cdk-nag that was not accepted with a reason', () => {
    expect(findings).toEqual([])
  })

  it('allows no whole service, and everything only to calls that know no resource', () => {
    const asked = statements(template).flatMap(({ statement }) =>
      [statement.Action].flat().map((action) => ({ action, everywhere: statement.Resource === '*' })),
    )
    expect(asked.length).toBeGreaterThan(50)
    expect(asked.filter(({ action }) => action.includes('*'))).toEqual([])
    expect(new Set(asked.filter(({ everywhere }) => everywhere).map(({ action }) => action))).toEqual(
      new Set([
        'xray:PutTraceSegments',
        'xray:PutTelemetryRecords',
        'xray:GetSamplingRules',
        'xray:GetSamplingTargets',
        'ec2:DescribeInstances',
        'autoscaling:DescribeAutoScalingInstances',
      ]),
    )
  })

  it('lets what runs runners, and nobody else, call the functions that are named', () => {
    const callers = statements(emulated)
      .filter(({ statement }) => JSON.stringify(statement.Resource).includes('resize-images'))
      .map(({ policy, statement }) => [policy.replace(/Default.*/, ''), statement.Action])
    expect(callers.sort()).toEqual([
      ['MasterFunctionsSetReactorRole', 'lambda:InvokeFunction'],
      ['MasterFunctionsSetRunRole', 'lambda:InvokeFunction'],
    ])
  })

  it('lets the doorbell and the log do little', () => {
    const mayWrite = (name: string) =>
      statements(template)
        .filter(({ policy }) => policy.startsWith(`MasterFunctionsSet${name}Role`))
        .flatMap(({ statement }) => [statement.Action].flat())
    expect(
      mayWrite('EventLog').filter((action) => /^(events|secretsmanager|sqs:Send|autoscaling)/.test(action)),
    ).toEqual([])
    expect(
      mayWrite('Socket').filter((action) => /^(events|secretsmanager|sqs|autoscaling|s3:Put)/.test(action)),
    ).toEqual([])
    expect(mayWrite('Gateway').filter((action) => action.startsWith('autoscaling:Complete'))).toEqual([])
  })

  it('holds one token between two turns, for as long as the turn says, and leaves nobody more than he needs', () => {
    const [machine] = Object.values(template.findResources('AWS::StepFunctions::StateMachine'))
    expect(machine?.Properties).toMatchObject({ StateMachineType: 'STANDARD', TracingConfiguration: { Enabled: true } })
    const definition = definitionOf(machine?.Properties.DefinitionString)
    expect(definition.States['Wait until a step ends']).toMatchObject({
      Resource: 'arn:aws:states:::aws-sdk:dynamodb:updateItem.waitForTaskToken',
      TimeoutSecondsPath: '$.seconds',
      Parameters: { ConditionExpression: 'news = :news' },
    })
    const [onEmulator] = Object.values(emulated.findResources('AWS::StepFunctions::StateMachine'))
    const other = definitionOf(onEmulator?.Properties.DefinitionString)
    const { TimeoutSecondsPath: _, ...waits } = definition.States['Wait until a step ends'] ?? {}
    // What an emulator gets differs in this one place.
    expect(other).toEqual({
      ...definition,
      States: { ...definition.States, 'Wait until a step ends': { ...waits, TimeoutSeconds: 3 } },
    })
    const allowed = statements(template).flatMap(({ policy, statement }) =>
      [statement.Action].flat().flatMap((action) => {
        const who = policy.replace(/^MasterFunctions(Set)?|Role.*$/g, '')
        return action.startsWith('states:') ? [`${who} ${action}`] : []
      }),
    )
    expect(allowed.sort()).toEqual([
      'EventLog states:SendTaskSuccess',
      'Orchestrations states:StartExecution',
      'Presence states:DescribeExecution',
      'Presence states:StartExecution',
      'Run states:DescribeExecution',
      'Run states:SendTaskSuccess',
      'Run states:StartExecution',
    ])
    const machineMay = statements(template).filter(({ policy }) => policy.startsWith('MasterFunctionsOrchestrations'))
    expect(machineMay.map(({ statement }) => statement)).toContainEqual(
      expect.objectContaining({
        Action: 'dynamodb:UpdateItem',
        Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['orchestration-hold'] } },
      }),
    )
  })

  it('keeps the sources of master and minions for its own functions', () => {
    template.hasResourceProperties('AWS::Events::EventBusPolicy', {
      Statement: Match.objectLike({
        Effect: 'Deny',
        Action: 'events:PutEvents',
        Condition: Match.objectLike({ 'ForAnyValue:StringNotEquals': { 'events:source': ['brine.custom'] } }),
      }),
    })
    const fire = statements(template).find(({ policy }) => policy.startsWith('SomebodyDefaultPolicy'))
    expect(fire?.statement).toMatchObject({
      Action: 'events:PutEvents',
      Condition: { 'ForAllValues:StringEquals': { 'events:source': ['brine.custom'] } },
    })
  })

  it('delivers through queues that outlast their readers and keep what they could not deliver', () => {
    template.allResourcesProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    })
    template.resourcePropertiesCountIs(
      'AWS::SQS::Queue',
      { VisibilityTimeout: 360, RedrivePolicy: Match.anyValue() },
      4,
    )
    const rules = Object.values(template.findResources('AWS::Events::Rule'))
    expect(rules.length).toBeGreaterThan(6)
    for (const { Properties } of rules)
      expect(Properties.Targets).toEqual([expect.objectContaining({ DeadLetterConfig: expect.anything() })])
  })

  it('admits the rules of the bus to a queue in one statement, however many they are', () => {
    const policies = Object.values(template.findResources('AWS::SQS::QueuePolicy'))
    expect(policies.length).toBeGreaterThan(5)
    for (const { Properties } of policies) {
      // SQS takes 20 statements and 8 KB.
      expect(Properties.PolicyDocument.Statement.length).toBeLessThanOrEqual(3)
      expect(JSON.stringify(Properties.PolicyDocument).length).toBeLessThan(3000)
    }
  })

  it('lets a deployment change the rules of entries added at run time, and a watcher name a new log', () => {
    const allowed = (name: string) =>
      statements(template).filter(({ policy }) => policy.startsWith(`MasterFunctionsSet${name}Role`))
    for (const name of ['Deploy', 'Run', 'Reactor'])
      expect(allowed(name).some(({ statement }) => [statement.Action].flat().includes('events:PutRule'))).toBe(true)
    expect(allowed('Socket').map(({ statement }) => statement)).toContainEqual(
      expect.objectContaining({
        Action: 'dynamodb:PutItem',
        Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['log'] } },
      }),
    )
  })

  it('reads no queue with less than Lambda does', () => {
    const functionBundles = join(folder, 'functions')
    const one = () => new BrineMaster(new Stack(new App(), 'One'), 'Master', { reactorConcurrency: 1, functionBundles })
    expect(one).toThrow('2 to 1000')
  })

  it('needs no role that is set for the whole account', () => {
    const stages = Object.values(template.findResources('AWS::ApiGatewayV2::Stage')).map(({ Properties }) => Properties)
    expect(stages.find(({ StageName }) => StageName === '$default')?.AccessLogSettings).toBeDefined()
    expect(stages.find(({ StageName }) => StageName === 'live')?.AccessLogSettings).toBeUndefined()
  })

  it('runs every function on Node 22, arm64, traced, with a log that goes', () => {
    template.allResourcesProperties('AWS::Lambda::Function', {
      Runtime: 'nodejs22.x',
      Architectures: ['arm64'],
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: Match.anyValue(),
    })
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 })
  })

  it('tells the cloud function of minions that start and of start-up jobs that return', () => {
    const patterns = Object.values(template.findResources('AWS::Events::Rule'))
      .filter(({ Properties }) => JSON.stringify(Properties.Targets).includes('Cloud'))
      .map(({ Properties }) => Properties.EventPattern)
    expect(patterns).toContainEqual({ source: ['brine.minion'], detail: { tag: [{ suffix: '/start' }] } })
    expect(patterns).toContainEqual({ source: ['brine.minion'], detail: { launch: [true] } })
  })

  it('asks IAM of everybody but minions', () => {
    const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map(({ Properties }) => [
      Properties.RouteKey,
      Properties.AuthorizationType,
    ])
    expect(Object.fromEntries(routes)).toEqual({
      'GET /minion/{proxy+}': 'NONE',
      'POST /minion/{proxy+}': 'NONE',
      'GET /health': 'NONE',
      'GET /ready': 'NONE',
      'GET /': 'AWS_IAM',
      'POST /': 'AWS_IAM',
      'GET /{proxy+}': 'AWS_IAM',
      'POST /{proxy+}': 'AWS_IAM',
      $connect: 'CUSTOM',
      $disconnect: 'NONE',
      $default: 'NONE',
    })
  })

  it('leaves users to the gateway where they may log in, and minions as they are', () => {
    const routes = Object.values(emulated.findResources('AWS::ApiGatewayV2::Route')).map(({ Properties }) => [
      Properties.RouteKey,
      Properties.AuthorizationType,
    ])
    expect(Object.fromEntries(routes)).toMatchObject({
      'POST /minion/{proxy+}': 'NONE',
      'ANY /': 'NONE',
      'ANY /{proxy+}': 'NONE',
      $connect: 'CUSTOM',
    })
    expect(JSON.stringify(emulated.toJSON())).not.toContain('AWS_IAM"')
  })

  it('keeps tables and bucket where told to, and has an archive', () => {
    for (const type of ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'])
      template.allResources(type, { DeletionPolicy: 'Retain' })
    template.hasResourceProperties('AWS::Events::Archive', { RetentionDays: 7 })
  })

  it('leaves out for an emulator what emulators do not know, and nothing it keeps', () => {
    for (const type of ['AWS::Events::Archive', 'AWS::Events::EventBusPolicy']) emulated.resourceCountIs(type, 0)
    for (const { Properties } of Object.values(emulated.findResources('AWS::Events::Rule')))
      expect(Properties.Targets[0].DeadLetterConfig).toBeUndefined()
    emulated.allResources('AWS::DynamoDB::Table', { DeletionPolicy: 'Delete' })
  })

  // BRINE_TEMPLATE_SNAPSHOT=FILE: the whole template, for whoever wants to see what a change does to it.
  const snapshot = process.env.BRINE_TEMPLATE_SNAPSHOT
  if (snapshot !== undefined)
    it(`is the template in ${snapshot}`, async () => {
      const masked = JSON.stringify(template.toJSON(), undefined, 2).replace(/[0-9a-f]{64}/g, '<hash>')
      await expect(`${masked}\n`).toMatchFileSnapshot(snapshot)
    })

  it('has the same logical ids of what keeps data, release after release', () => {
    const kept = [
      'AWS::DynamoDB::Table',
      'AWS::S3::Bucket',
      'AWS::SecretsManager::Secret',
      'AWS::Events::EventBus',
    ].flatMap((type) => Object.keys(template.findResources(type)))
    expect(kept.sort()).toMatchInlineSnapshot(`
      [
        "MasterEventsBusB87F0D31",
        "MasterSigningKeyE966C52A",
        "MasterStorageBucketEF4D5177",
        "MasterStorageEventsC122F3D8",
        "MasterStorageJobsD20F5113",
        "MasterStorageLedger0433A38D",
        "MasterStorageState011F7F7B",
      ]
    `)
  })
})
