// The returner `eventbridge`: the return as an event of an EventBridge bus.
import { BrineError } from '../../core/error.ts'
import { isList, isMapping, type Mapping, parseJson, pythonStr, stringifyJson } from '../../core/value/index.ts'
import { openMetadata } from '../ec2/metadata.ts'
import { roleCredentials } from '../ec2/role-credentials.ts'
import { type Credentials, signedHeaders } from '../ec2/sign-request.ts'
import { domainOf } from '../ec2/web-identity.ts'
import { post } from './post.ts'
import { badOption, type Returner } from './returner.ts'

/**
 * Options: `bus`, a name or an ARN (`default`); `region`; `keyid` and `key`, where neither the environment nor the
 * instance's role has credentials; `source` (`salt.return`) and `detail_type` (`Salt Job Return`) of the event; `endpoint`.
 */
export const eventbridge: Returner = {
  options: ['bus', 'region', 'keyid', 'key', 'source', 'detail_type', 'endpoint'],
  async send(load, options, world) {
    const region = await regionOf(options, world.environment)
    const credentials = await credentialsOf(options, world.environment)
    const url = endpointOf(options, region, world.environment)
    const body = stringifyJson({
      Entries: [
        {
          Source: textOf(options, 'source') ?? 'salt.return',
          DetailType: textOf(options, 'detail_type') ?? 'Salt Job Return',
          Detail: stringifyJson(load),
          EventBusName: textOf(options, 'bus') ?? 'default',
        },
      ],
    })
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSEvents.PutEvents' }
    const signed = (): Record<string, string> =>
      signedHeaders({ url, body, headers, service: 'events', region, at: world.now() }, credentials)
    refuseFailed(await post({ url, body, headers: signed }, world))
  },
}

function textOf(options: Mapping, name: string): string | undefined {
  const value = options[name] ?? null
  return value === null || value === '' ? undefined : pythonStr(value)
}

async function regionOf(options: Mapping, environment: NodeJS.ProcessEnv): Promise<string> {
  const named =
    textOf(options, 'region') ??
    /^arn:[^:]*:events:([^:]+):/.exec(textOf(options, 'bus') ?? '')?.[1] ??
    environment.AWS_REGION ??
    environment.AWS_DEFAULT_REGION
  if (named !== undefined) return named
  if (environment.AWS_EC2_METADATA_DISABLED === 'true') throw badOption('eventbridge', 'region', 'is not set')
  return (await openMetadata(environment)).read('meta-data/placement/region')
}

/** The options', the environment's, else those of the instance's role. */
async function credentialsOf(options: Mapping, environment: NodeJS.ProcessEnv): Promise<Credentials> {
  const [keyid, key] = [textOf(options, 'keyid'), textOf(options, 'key')]
  if (keyid !== undefined && key !== undefined) return { accessKeyId: keyid, secretAccessKey: key }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment
  if (AWS_ACCESS_KEY_ID !== undefined && AWS_SECRET_ACCESS_KEY !== undefined) {
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
    }
  }
  if (environment.AWS_EC2_METADATA_DISABLED === 'true') throw badOption('eventbridge', 'keyid', 'is not set')
  return roleCredentials(await openMetadata(environment))
}

function endpointOf(options: Mapping, region: string, environment: NodeJS.ProcessEnv): URL {
  const named = textOf(options, 'endpoint') ?? environment.AWS_ENDPOINT_URL_EVENTBRIDGE ?? environment.AWS_ENDPOINT_URL
  const text = named ?? `https://events.${region}.${domainOf(region)}/`
  if (!URL.canParse(text)) throw badOption('eventbridge', 'endpoint', 'has to be a URL')
  return new URL(text)
}

/** EventBridge answers 200 also where it did not take the event. */
function refuseFailed(text: string): void {
  const answer = parseJson(text)
  const first = isMapping(answer) && isList(answer.Entries ?? null) ? (answer.Entries as Mapping[])[0] : undefined
  if (first?.EventId !== undefined) return
  const why = [first?.ErrorCode, first?.ErrorMessage].filter((part) => part !== undefined).map(pythonStr)
  throw new BrineError(`EventBridge did not take the event: ${why.join(': ') || text.slice(0, 300)}`, {
    code: 'returner-answer',
  })
}
