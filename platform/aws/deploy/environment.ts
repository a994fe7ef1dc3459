// What a deployment works with, opened over what the function's environment says.
import { BrineError } from '../../../core/error.ts'
import { type TableName, type Variable, variables } from '../layout/index.ts'
import { type AwsPlaces, type AwsStore, openAwsStore } from '../store/aws-store.ts'

/** The environment of a function. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The places that the environment names. Throws `config` for one that is missing. */
export function placesIn(environment: Environment): AwsPlaces {
  const read = (name: Variable): string => {
    const value = environment[variables[name]]
    if (value !== undefined && value !== '') return value
    throw new BrineError(`The environment has no ${variables[name]}. Deploy the stack again; it writes it.`, {
      code: 'config',
    })
  }
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

/** The store of a deployment, and its bucket's name. */
export function openDeployment(environment: Environment): { readonly store: AwsStore; readonly bucket: string } {
  const places = placesIn(environment)
  return { store: openAwsStore({ places }), bucket: places.bucket }
}
