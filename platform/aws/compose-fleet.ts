// Fleets on EC2: launches, cloud events, the sweep and the check of identity documents, joined over a desk.
import { createTakeCloudEvent, type TakeCloudEvent } from '../../master/cloud-events.ts'
import {
  createLaunches,
  defaultLaunchOptions,
  type FleetStore,
  type Instances,
  type Launches,
  sweepInstances,
} from '../../master/fleet/index.ts'
import { createVerifyExpected, createVerifyIdentity, regionCertificates } from '../../master/identity/index.ts'
import type { VerifyIdentity } from '../../master/reception.ts'
import type { AwsDesk } from './compose.ts'
import { describedInstances } from './fleet/instances.ts'
import { scalingLifecycle } from './fleet/lifecycle.ts'
import { DynamoFleetStore } from './store/fleet-store.ts'

/** What a fleet's events and hooks lead to. */
export interface Fleet {
  readonly take: TakeCloudEvent
  readonly launches: Launches
  /** Deletes keys whose instance is gone; answers how many. */
  sweep(): Promise<number>
}

/** Joins it. */
export function openFleet({ store, settings, desk }: AwsDesk): Fleet {
  const lifecycle = scalingLifecycle({})
  const fleet: FleetStore = new DynamoFleetStore(store.dynamo, store.records, store.clock)
  const { fire, keys, presence, publish } = desk
  const common = { fire, keys, presence, store: fleet, clouds: store.clouds, ring: store.keys, clock: store.clock }
  const launches = createLaunches(
    { ...common, lifecycle, jobs: store.jobs, publish },
    { ...defaultLaunchOptions, fun: settings.fleet.startUpJob },
  )
  return {
    launches,
    take: createTakeCloudEvent({ ...common, lifecycle, launching: (launch) => launches.begin(launch) }),
    sweep: () => sweepInstances({ ...common, instances: describedInstances({}) }),
  }
}

/** Seconds after its launch within which an instance may speak for the first time. */
const launchedWithin = 600

/** Verifies identity documents and web identity tokens: of machines that `cloud.*` made, and by the settings of the fleet. `instances` asks AWS where nothing else is given. */
export function openIdentity(
  { store, settings }: AwsDesk,
  instances: Instances = describedInstances({}),
): NonNullable<VerifyIdentity> {
  const { accounts, regions, groups, certificates, issuers } = settings.fleet
  const known = regionCertificates(certificates)
  const fleet = createVerifyIdentity(
    {
      accounts,
      regions,
      groups,
      launchedWithin,
      certificates: known,
      ...(issuers.length === 0 ? {} : { webIdentity: { audience: settings.options.id, issuers } }),
    },
    {
      instances,
      store: new DynamoFleetStore(store.dynamo, store.records, store.clock),
      audit: store.audit,
      clock: store.clock,
    },
  )
  return createVerifyExpected(
    { clouds: store.clouds, certificates: known, audit: store.audit, clock: store.clock },
    fleet,
  )
}
