// What monitoring is told of an embedded master.
import type { EventCounts } from '../../master/api/event-counts.ts'
import { type Figure, prometheusText } from '../../master/api/prometheus.ts'
import type { AnswerCounts } from '../../master/api/salt/index.ts'
import { plainFigure as plain, standingFigures } from '../../master/api/standing-figures.ts'
import type { Master } from '../../master/master.ts'
import type { ReactorCounts } from '../../reaction/index.ts'
import type { EmbeddedStore } from './store/index.ts'

/** Where the figures come from. */
export interface MetricsNeeds {
  readonly master: Master
  readonly store: EmbeddedStore
  readonly events: EventCounts
  readonly answers: AnswerCounts
  readonly reactor: () => Readonly<ReactorCounts>
}

/** The figures as Prometheus' text. Counters count from the start of the process. */
export async function metricsText(needs: MetricsNeeds): Promise<string> {
  return prometheusText([...(await standing(needs)), ...counted(needs), ...ofProcess()])
}

/** What is so now. */
async function standing({ master, store }: MetricsNeeds): Promise<Figure[]> {
  const { keys, presence, options } = master
  const figures = await standingFigures({
    version: options.version,
    keys,
    presence,
    connections: store.connections,
    deliveries: { waiting: () => store.queue.depth(), dead: () => store.queue.deadCount() },
  })
  const since = store.queue.waitingSince()
  return [
    ...figures,
    plain(
      'brine_deliveries_oldest_seconds',
      'gauge',
      'Age of the oldest event that the reactor has not settled; 0 where there is none.',
      since === undefined ? 0 : Math.max(0, (store.clock.now() - since) / 1_000_000),
    ),
  ]
}

/** What happened so often. */
function counted({ events, answers, reactor }: MetricsNeeds): Figure[] {
  const { planned, fileErrors, started, done, failed, refused, interrupted, skipped, retried } = reactor()
  const requests = [...answers.all()]
  const labelled = ({ path, status }: { path: string; status: number }) => ({ path, status: String(status) })
  return [
    {
      name: 'brine_events_total',
      kind: 'counter',
      help: 'Events published, by what they are; job are jobs sent, return what came back.',
      values: [...events.all()].map(([kind, count]) => [{ kind }, count] as const),
    },
    plain('brine_reactor_events_total', 'counter', 'Events the reactor made a plan for.', planned),
    plain('brine_reactor_file_errors_total', 'counter', 'Reactor files that failed to render or compile.', fileErrors),
    plain('brine_reactions_started_total', 'counter', 'Reactions started, each try counted.', started),
    plain('brine_reactions_retried_total', 'counter', 'Tries given back for later.', retried),
    {
      name: 'brine_reactions_total',
      kind: 'counter',
      help: 'Reactions by how they ended.',
      values: Object.entries({ done, failed, refused, interrupted, skipped }).map(([outcome, count]) => [
        { outcome },
        count,
      ]),
    },
    {
      name: 'brine_api_requests_total',
      kind: 'counter',
      help: "Requests to salt-api's pages, by page and status.",
      values: requests.map((count) => [labelled(count), count.requests]),
    },
    {
      name: 'brine_api_request_seconds_total',
      kind: 'counter',
      help: 'Seconds these took.',
      values: requests.map((count) => [labelled(count), count.seconds]),
    },
  ]
}

function ofProcess(): Figure[] {
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const started = Date.now() / 1000 - process.uptime()
  return [
    plain('process_resident_memory_bytes', 'gauge', 'Memory of the process, mapped files of the store included.', rss),
    plain('nodejs_heap_size_used_bytes', 'gauge', 'Memory that JavaScript values use.', heapUsed),
    plain('nodejs_external_memory_bytes', 'gauge', 'Memory of buffers outside the heap.', external),
    plain('process_cpu_seconds_total', 'counter', 'CPU time of the process.', (user + system) / 1_000_000),
    plain('process_start_time_seconds', 'gauge', 'When the process started, seconds since 1970.', started),
  ]
}
