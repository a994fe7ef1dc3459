// What a function works with, opened over what its environment says.
import { BrineError } from '../../../core/error.ts'
import { parseJson } from '../../../core/value/json.ts'
import { isMapping } from '../../../core/value/value.ts'
import { type TableName, type Variable, variables } from '../layout/index.ts'
import { type AwsPlaces, type AwsRetention, type AwsStore, openAwsStore } from '../store/aws-store.ts'

/** The environment of a function. */
export type Environment = Readonly<Record<string, string | undefined>>

/** One variable. Throws `config` where it is missing. */
export function variableIn(environment: Environment, name: Variable): string {
  const value = environment[variables[name]]
  if (value !== undefined && value !== '') return value
  throw new BrineError(`The environment has no ${variables[name]}. Deploy the stack again; it writes it.`, {
    code: 'config',
  })
}

/** The places that the environment names. Throws `config` for one that is missing. */
export function placesIn(environment: Environment): AwsPlaces {
  const read = (name: Variable): string => variableIn(environment, name)
  const tables: Record<TableName, string> = {
    State: read('tableState'),
    Jobs: read('tableJobs'),
    Events: read('tableEvents'),
    Ledger: read('tableLedger'),
  }
  return {
    tables,
    bucket: read('bucket'),
    bus: read('bus'),
    reactorQueue: read('reactorQueue'),
    reactorDeadQueue: read('reactorDeadQueue'),
    fanOutQueue: read('fanOutQueue'),
    connectionsEndpoint: read('connectionsEndpoint'),
    signingSecret: read('signingSecret'),
    rulePrefix: read('rulePrefix'),
  }
}

/** How long what is kept, as the settings say. */
function retentionIn(environment: Environment): AwsRetention {
  const settings = parseJson(variableIn(environment, 'settings'))
  if (!isMapping(settings)) return {}
  const { event_keep_seconds: events, keep_jobs_seconds: jobs, ledger_keep_seconds: ledger, audit_days } = settings
  return {
    ...(typeof events === 'number' ? { events } : {}),
    ...(typeof jobs === 'number' ? { jobs } : {}),
    ...(typeof ledger === 'number' ? { ledger } : {}),
    ...(typeof audit_days === 'number' ? { auditDays: audit_days } : {}),
  }
}

/** The store of a deployment, and its bucket's name. */
export function openDeployment(environment: Environment): { readonly store: AwsStore; readonly bucket: string } {
  const places = placesIn(environment)
  return { store: openAwsStore({ places, retention: retentionIn(environment) }), bucket: places.bucket }
}
