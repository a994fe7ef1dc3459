// The contracts of all ports, run against the AWS adapters on an emulator.
import type { Ports } from '../../master/ports.ts'
import { type AwsStore, openAwsStore, storeFiles } from '../../platform/aws/index.ts'
import { SocketConnections } from '../../platform/aws/store/connections.ts'
import { describeAuditContract } from '../contract/audit.contract.ts'
import { describeBankStoreContract } from '../contract/bank-store.contract.ts'
import { describeClockContract } from '../contract/clock.contract.ts'
import { describeCloudStoreContract } from '../contract/cloud-store.contract.ts'
import { configuredEntries, describeConfigStoreContract } from '../contract/config-store.contract.ts'
import { describeConnectionsContract } from '../contract/connections.contract.ts'
import type { Subject } from '../contract/contract.ts'
import { describeDeliveryQueueContract } from '../contract/delivery-queue.contract.ts'
import { describeEventLogContract } from '../contract/event-log.contract.ts'
import { describeFileStoreContract, storedFiles } from '../contract/file-store.contract.ts'
import { describeJobStoreContract } from '../contract/job-store.contract.ts'
import { describeKeyRingContract } from '../contract/key-ring.contract.ts'
import { describeLedgerContract } from '../contract/ledger.contract.ts'
import { ledgerContract } from '../contract/ledger.ts'
import { describeMailboxContract } from '../contract/mailbox.contract.ts'
import { describeMinionStoreContract } from '../contract/minion-store.contract.ts'
import { describeOrchestrationStoreContract } from '../contract/orchestration-store.contract.ts'
import { describeSignerContract } from '../contract/signer.contract.ts'
import { describeTimersContract } from '../contract/timers.contract.ts'
import { describeTokenStoreContract } from '../contract/token-store.contract.ts'
import { describeWriteOrderContract } from '../contract/write-order.contract.ts'
import { emulatorClients, makeResources, type ResourceNeeds, type Resources } from './resources.ts'

/** Seconds until SQS gives again what a receiver did not settle: longer than a busy machine takes to settle it. */
const visibility = 30

interface Options {
  readonly logShards?: number
  readonly prepare?: (store: AwsStore) => Promise<void>
}

function storeOver(resources: Resources, { logShards = 1 }: Options): AwsStore {
  return openAwsStore({
    places: resources.places,
    clients: emulatorClients(),
    // The samples are older than a day.
    retention: { jobs: 0 },
    logShards,
  })
}

/** A subject over resources of its own; reopening is another process over the same resources. */
function subject<P>(
  needs: ResourceNeeds,
  pick: (store: AwsStore) => P,
  options: Options = {},
): () => Promise<Subject<P>> {
  const over = (resources: Resources): Subject<P> => {
    const store = storeOver(resources, options)
    return {
      port: pick(store),
      reopen: async () => {
        await store.queue.close()
        return over(resources)
      },
      close: () => resources.remove(),
    }
  }
  return async () => {
    const resources = await makeResources({ visibility, ...needs })
    await options.prepare?.(storeOver(resources, options))
    return over(resources)
  }
}

const tables = { tables: true, bucket: true }

/** The log's own door: what the event log's function appends. The way over bus and queue has a test of its own. */
const logPorts = ({ log }: AwsStore) => ({
  log,
  bus: { publish: (events: Parameters<typeof log.append>[0]) => log.append(events) },
})

describeEventLogContract('aws', subject(tables, logPorts))
describeEventLogContract('aws, in four shards', subject(tables, logPorts, { logShards: 4 }), {
  'keeps each call together in order, and loses none of many at once':
    'a reader who follows several shards may see their events in another order than one who reads them later',
})
describeDeliveryQueueContract(
  'aws',
  subject({ ...tables, bus: true }, (store): AwsStore => store),
)
describeLedgerContract(
  'aws',
  subject(tables, ({ ledger }) => ledger),
)
describeJobStoreContract(
  'aws',
  subject(tables, ({ jobs }) => jobs),
)
/** Behind the fan-out, which has a test of its own: what goes through its queue is not there at once. */
describeMailboxContract(
  'aws',
  subject(tables, ({ entries, clock }) => ({ mailbox: entries, clock })),
)
describeTokenStoreContract(
  'aws',
  subject(tables, (store): Pick<Ports, 'tokens' | 'clock'> => store),
)
describeKeyRingContract(
  'aws',
  subject(tables, ({ keys }) => keys),
)
describeMinionStoreContract(
  'aws',
  subject(tables, ({ minions }) => minions),
)
describeFileStoreContract(
  'aws',
  subject(tables, ({ files }) => files, {
    prepare: async ({ objects }) => {
      const trees = Object.entries(storedFiles).map(([saltenv, files]) => [
        saltenv,
        Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
      ])
      await storeFiles(objects, { ...Object.fromEntries(trees), 'pillar:base': {} })
    },
  }),
)
describeConfigStoreContract(
  'aws',
  subject({ ...tables, bus: true }, ({ config }) => config, {
    prepare: async ({ config }) => {
      const files = ['a.sls', 'b.sls', 'new.sls'].map((name) => ({ name: `/srv/reactor/${name}`, text: `# ${name}` }))
      await config.install({ entries: configuredEntries, files })
    },
  }),
)
describeSignerContract(
  'aws',
  subject({ secret: true }, ({ signer }) => signer),
)
describeAuditContract(
  'aws',
  subject(tables, ({ audit }) => audit),
)
describeOrchestrationStoreContract(
  'aws',
  subject(tables, ({ orchestrations }) => orchestrations),
)
describeWriteOrderContract(
  'aws',
  subject(tables, ({ writes, timers }) => ({ writes, timers })),
)
describeBankStoreContract(
  'aws',
  subject(tables, ({ banks }) => banks),
)
describeCloudStoreContract(
  'aws',
  subject(tables, (store): AwsStore => store),
)
describeTimersContract(
  'aws',
  subject(tables, ({ timers }) => timers),
)
describeClockContract(
  'aws',
  subject({}, ({ clock }) => clock),
)
describeConnectionsContract(
  'aws',
  subject(tables, ({ dynamo, clock }) => {
    const rings = new Map<string, () => void>()
    let connections = 0
    const sockets = new SocketConnections(dynamo, clock, async (connection) => {
      const ring = rings.get(connection)
      ring?.()
      return ring === undefined ? 'gone' : 'sent'
    })
    return {
      connections: sockets,
      connect: async (minion: string, ring: () => void) => {
        const connection = `c${++connections}=`
        rings.set(connection, ring)
        await sockets.open(minion, connection)
        return async () => {
          rings.delete(connection)
          await sockets.close(connection)
        }
      },
    }
  }),
)

ledgerContract('aws', async () => {
  const resources = await makeResources(tables)
  const open = () => {
    const { ledger, owner } = storeOver(resources, {})
    return { ledger, owner, again: async () => open(), close: () => resources.remove() }
  }
  return open()
})
