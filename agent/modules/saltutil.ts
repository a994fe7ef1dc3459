// The minion about itself: its jobs, its modules, what it keeps in memory, its keys.
import { matchTag } from '../../core/event/tag-glob.ts'
import { entries, isMap, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { type CustomKind, customKinds, type Synced } from '../files/index.ts'
import { type Arguments, integerOf } from './arguments.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { masterFunctions } from './saltutil-master.ts'
import { updateFunction } from './saltutil-update.ts'

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

/** Copies the user's code of these kinds; the Python files among it are said in the log. */
async function sync(args: Arguments, call: Call, wanted: readonly string[]): Promise<Synced> {
  const { agent } = call
  const kinds = customKinds.filter((kind) => wanted.includes(kind))
  if (kinds.length === 0) return { changed: [], refused: [], touched: false }
  const saltenvs = args.value('saltenv') === null ? ['base'] : args.texts('saltenv')
  const [only, not] = [listsOf(args, 'extmod_whitelist', kinds), listsOf(args, 'extmod_blacklist', kinds)]
  const wants = (kind: CustomKind, name: string): boolean =>
    only.get(kind)?.includes(name) !== false && not.get(kind)?.includes(name) !== true
  const synced = await agent.syncModules({ kinds, saltenvs, wants })
  for (const words of synced.refused) agent.outside.log.error(words)
  if (args.is('refresh') && synced.changed.some((name) => name.startsWith('grains.'))) await agent.refreshPillar()
  return synced
}

/** Names by kind: a map, or names for every kind that is synced. */
function listsOf(args: Arguments, name: string, kinds: readonly CustomKind[]): Map<string, string[]> {
  const value = args.value(name)
  if (value === null) return new Map()
  if (isMap(value))
    return new Map(
      entries(value).map(([kind, names]) => [
        pythonStr(kind),
        Array.isArray(names) ? names.map(pythonStr) : [pythonStr(names)],
      ]),
    )
  return new Map(kinds.map((kind) => [kind, args.texts(name)]))
}

/** One kind. Python alone where code is looked for is an error: nothing would tell who asks. */
async function syncOne(args: Arguments, call: Call, kind: string): Promise<Value> {
  const { changed, refused } = await sync(args, call, [kind])
  if (refused.length > 0) throw new CommandExecutionError(refused.join('\n'))
  return [...changed]
}

const syncOptions = 'saltenv=None, refresh=True, extmod_whitelist=None, extmod_blacklist=None'

const syncFunctions = Object.fromEntries(
  kinds.map((kind) => [
    `sync_${kind}`,
    define(
      syncOptions,
      `Sync the user's ${kind} from the master and load them. Returns what changed.${examples(`brine '*' saltutil.sync_${kind}`)}`,
      (args, call) => syncOne(args, call, kind),
    ),
  ]),
)

/** Salt's `saltutil` module. */
export const saltutil: ExecutionModule = {
  name: 'saltutil',
  file: 'saltutil',
  functions: {
    ...masterFunctions,
    update: updateFunction,
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
      async (args, call) => {
        const { changed } = await sync(args, call, kinds)
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
