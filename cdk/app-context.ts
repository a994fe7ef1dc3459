// What the app is told by its context (`-c brine:NAME=…`, or cdk.json) and by the endpoint it deploys to.
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { Role } from 'aws-cdk-lib/aws-iam'
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Topic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import { BrineError } from '../core/error.ts'
import type { BrineMasterProps, EmulatorOptions } from './brine-master-props.ts'

/** Reads one value of the context. */
export type Context = (name: string) => unknown

/** Every name there is: a misspelt one has to fail, and cdk itself would not tell. */
export const contextNames = [
  'stack',
  'reactors',
  'fileRoots',
  'pillarRoots',
  'settings',
  'externalAuth',
  'masterId',
  'presenceEvents',
  'legacyEvents',
  'eventRetentionDays',
  'archiveDays',
  'alarmTopic',
  'retain',
  'simulatedSources',
  'identityGroups',
  'identityAccounts',
  'identityCertificates',
  'identityIssuers',
  'startUpJob',
  'runners',
  'invokableFunctions',
  'cloud',
  'cloudRoles',
  'reactorConcurrency',
  'emulator',
  'emulatorEndpoints',
  'concurrency',
] as const

/** Context values come from files as they are and from `-c` as text; both are taken. */
export function propsOf(context: Context, scope: Construct, endpoint: string | undefined): BrineMasterProps {
  const text = (name: string) => optional(context(name), String)
  const flag = (name: string) => optional(context(name), (value) => value === true || value === 'true')
  const count = (name: string) => optional(context(name), (value) => wholeNumber(name, value))
  const json = (name: string) => optional(context(name), (value) => parsed(name, value))
  const texts = (name: string) => optional(context(name), (value) => listOf(value))
  const days = (name: string) => optional(count(name), (value) => Duration.days(Number(value)))
  const alarmTopic = text('alarmTopic')
  const emulator = emulatorOf(text('emulator') ?? endpoint, {
    concurrency: count('concurrency') ?? 4,
    endpoints: json('emulatorEndpoints') as EmulatorOptions['endpoints'],
  })
  return withoutAbsent({
    reactors: text('reactors'),
    fileRoots: rootsOf(json('fileRoots') ?? text('fileRoots')),
    pillarRoots: rootsOf(json('pillarRoots') ?? text('pillarRoots')),
    settings: json('settings') as BrineMasterProps['settings'],
    externalAuth: json('externalAuth') as BrineMasterProps['externalAuth'],
    masterId: text('masterId'),
    presenceEvents: flag('presenceEvents'),
    legacyEvents: flag('legacyEvents'),
    eventRetention: days('eventRetentionDays'),
    archive: days('archiveDays'),
    alarmTopic: alarmTopic === undefined ? undefined : Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopic),
    removalPolicy: flag('retain') === true ? RemovalPolicy.RETAIN : undefined,
    simulatedSources: texts('simulatedSources'),
    identityGroups: texts('identityGroups'),
    identityAccounts: texts('identityAccounts'),
    identityCertificates: json('identityCertificates') as BrineMasterProps['identityCertificates'],
    identityIssuers: texts('identityIssuers'),
    startUpJob: text('startUpJob'),
    runners: texts('runners'),
    invokableFunctions: texts('invokableFunctions')?.map((name) =>
      LambdaFunction.fromFunctionName(scope, `Invokable-${name}`, name),
    ),
    cloud: text('cloud'),
    cloudRoles: texts('cloudRoles')?.map((arn, index) => Role.fromRoleArn(scope, `CloudRole${index}`, arn)),
    reactorConcurrency: count('reactorConcurrency'),
    emulator,
  })
}

/** Throws for a `brine:` name that there is not. */
export function requireKnown(names: readonly string[]): void {
  const unknown = names.find((name) => !contextNames.some((known) => known === name))
  if (unknown === undefined) return
  throw new BrineError(`There is no context brine:${unknown}. There are: ${contextNames.join(', ')}.`, {
    code: 'config',
  })
}

/** An endpoint on this machine is an emulator; AWS's own endpoints are not. */
function emulatorOf(
  endpoint: string | undefined,
  { concurrency, endpoints }: { concurrency: number; endpoints: EmulatorOptions['endpoints'] | undefined },
): EmulatorOptions | undefined {
  if (endpoint === undefined || endpoint === '') return undefined
  const { hostname, origin } = new URL(endpoint)
  if (hostname.endsWith('.amazonaws.com') || hostname.endsWith('.amazonaws.com.cn')) return undefined
  return { endpoint: origin, concurrency, ...(endpoints === undefined ? {} : { endpoints }) }
}

function optional<In, Out>(value: In, read: (value: NonNullable<In>) => Out): Out | undefined {
  return value === undefined || value === null ? undefined : read(value)
}

function wholeNumber(name: string, value: unknown): number {
  const number = Number(value)
  if (Number.isInteger(number) && number > 0) return number
  throw new BrineError(`The context brine:${name} is ${JSON.stringify(value)}, not a whole number above 0.`, {
    code: 'config',
  })
}

function parsed(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return typeof value === 'string' ? undefined : value
  try {
    return JSON.parse(value)
  } catch (error) {
    throw new BrineError(`The context brine:${name} is no JSON: ${value}`, { code: 'config', cause: error })
  }
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.map(String)
    : String(value)
        .split(',')
        .filter((part) => part !== '')
}

/** A folder is the root of `base`. */
function rootsOf(value: unknown): Readonly<Record<string, readonly string[]>> | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return { base: [value] }
  return value as Readonly<Record<string, readonly string[]>>
}

/** A prop that is there and undefined is another thing than one that is not. */
function withoutAbsent(
  props: { [Key in keyof BrineMasterProps]: BrineMasterProps[Key] | undefined },
): BrineMasterProps {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined))
}
