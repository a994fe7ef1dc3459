// The minion about itself: its jobs, its modules, what it keeps in memory, its keys.
import { matchTag } from '../../core/event/tag-glob.ts'
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { integerOf } from './arguments.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'

/** What can be synced, in the order Salt's sync_all tells it. */
const kinds = [
  'clouds',
  'beacons',
  'modules',
  'states',
  'sdb',
  'grains',
  'renderers',
  'returners',
  'output',
  'utils',
  'log_handlers',
  'executors',
  'proxymodules',
  'engines',
  'thorium',
  'serializers',
  'matchers',
  'pillar',
  'wrapper',
  'tops',
] as const

const signals: Readonly<Record<number, NodeJS.Signals>> = { 1: 'SIGHUP', 2: 'SIGINT', 9: 'SIGKILL', 15: 'SIGTERM' }

const running = (call: Call): Mapping[] =>
  call.agent.jobs
    .all()
    .filter(({ jid }) => jid !== call.pub.__pub_jid)
    .map(({ data }) => data)

function signalJob(call: Call, jid: string, number: number): string {
  const job = call.agent.jobs.get(jid)
  if (job === undefined) return ''
  job.stop(signals[number] ?? 'SIGTERM')
  return `Signal ${number} sent to job ${jid} at pid ${pythonStr(job.data.pid ?? 0)}`
}

const signalAll = (call: Call, number: number): string[] =>
  running(call).map(({ jid }) => signalJob(call, pythonStr(jid ?? ''), number))

const others: readonly string[] = ['modules', 'grains', 'beacons']

/** Only modules, grains and beacons exist as files of a user's so far; of the other kinds there is nothing to sync. */
async function sync(call: Call, kind: string): Promise<Value> {
  return others.includes(kind) ? (await call.agent.reloadModules()).filter((name) => name.startsWith(`${kind}.`)) : []
}

const syncOptions = 'saltenv=None, refresh=True, extmod_whitelist=None, extmod_blacklist=None'

const syncFunctions = Object.fromEntries(
  kinds.map((kind) => [
    `sync_${kind}`,
    define(
      syncOptions,
      `Sync the user's ${kind} from the master and load them. Returns what changed.${examples(`brine '*' saltutil.sync_${kind}`)}`,
      (_, call) => sync(call, kind),
    ),
  ]),
)

/** Salt's `saltutil` module. */
export const saltutil: ExecutionModule = {
  name: 'saltutil',
  file: 'saltutil',
  functions: {
    running: define(
      '',
      `Return the jobs that run on the minion right now${examples("brine '*' saltutil.running")}`,
      (_, call) => running(call),
    ),
    is_running: define(
      'fun',
      `Return the running jobs of a function; the name may be a shell pattern.${examples("brine '*' saltutil.is_running state.highstate")}`,
      (args, call) => running(call).filter((job) => matchTag(args.text('fun'), pythonStr(job.fun ?? ''))),
    ),
    find_job: define(
      'jid',
      `Return the job of that id if it runs, else an empty dictionary.${examples("brine '*' saltutil.find_job <job id>")}`,
      (args, call) => call.agent.jobs.get(args.text('jid'))?.data ?? {},
    ),
    find_cached_job: define(
      'jid',
      `Return a job from the minion's cache. The minion keeps none: ask the master with jobs.lookup_jid.${examples("brine '*' saltutil.find_cached_job <job id>")}`,
      () => 'Local jobs cache directory not found; you may need to enable cache_jobs on this minion',
    ),
    signal_job: define(
      'jid, sig',
      `Send a signal to what a job runs${examples("brine '*' saltutil.signal_job <job id> 15")}`,
      (args, call) => signalJob(call, args.text('jid'), integerOf(args.value('sig'))),
    ),
    term_job: define(
      'jid',
      `End a job (SIGTERM, 15)${examples("brine '*' saltutil.term_job <job id>")}`,
      (args, call) => signalJob(call, args.text('jid'), 15),
    ),
    term_all_jobs: define(
      '',
      `End all running jobs (SIGTERM, 15)${examples("brine '*' saltutil.term_all_jobs")}`,
      (_, call) => signalAll(call, 15),
    ),
    kill_job: define(
      'jid',
      `Kill a job (SIGKILL, 9)${examples("brine '*' saltutil.kill_job <job id>")}`,
      (args, call) => signalJob(call, args.text('jid'), 9),
    ),
    kill_all_jobs: define(
      '',
      `Kill all running jobs (SIGKILL, 9)${examples("brine '*' saltutil.kill_all_jobs")}`,
      (_, call) => signalAll(call, 9),
    ),
    ...syncFunctions,
    sync_all: define(
      syncOptions,
      `Sync everything of the user's from the master and load it. Returns what changed, by kind.${examples("brine '*' saltutil.sync_all")}`,
      async (_, call) => {
        const changed = await call.agent.reloadModules()
        const result: Mapping = {}
        for (const kind of ['tops', ...kinds.slice(0, -1)])
          result[kind] = changed.filter((name) => name.startsWith(`${kind}.`))
        return result
      },
    ),
    refresh_modules: define(
      '**kwargs',
      `Load the user's modules anew${examples("brine '*' saltutil.refresh_modules")}`,
      async (_, call) => {
        await call.agent.reloadModules()
        return true
      },
    ),
    refresh_grains: define(
      '**kwargs',
      `Collect the grains anew and tell the master${examples("brine '*' saltutil.refresh_grains")}`,
      async (_, call) => {
        await call.agent.grains.load()
        if (!call.agent.isLocal) await call.agent.refreshMaster({ reauthenticate: false })
        return true
      },
    ),
    refresh_pillar: define(
      'wait=False, timeout=30, clean_cache=True',
      `Get the pillar anew from the master${examples("brine '*' saltutil.refresh_pillar")}`,
      async (_, call) => {
        await call.agent.refreshPillar()
        return true
      },
    ),
    refresh_beacons: define(
      '',
      `Read the beacons' configuration anew${examples("brine '*' saltutil.refresh_beacons")}`,
      () => true,
    ),
    refresh_matchers: define(
      '',
      `Load the matchers anew; there are only the built-in ones.${examples("brine '*' saltutil.refresh_matchers")}`,
      () => true,
    ),
    clear_cache: define(
      '',
      `Forget what is cached on the minion. Its journal is no cache and stays.${examples("brine '*' saltutil.clear_cache")}`,
      () => true,
    ),
    regen_keys: define(
      '',
      `Forget the minion's key pair: at its next start it makes a new one, which has to be accepted.${examples("brine '*' saltutil.regen_keys")}`,
      async (_, call) => {
        await call.agent.security.removeKeys()
        return true
      },
    ),
    revoke_auth: define(
      'preserve_minion_cache=False',
      `Give the minion's key up: it is removed here; delete it on the master with brine-key -d.${examples("brine '*' saltutil.revoke_auth")}`,
      async (_, call) => {
        await call.agent.security.removeKeys()
        return true
      },
    ),
  },
}
