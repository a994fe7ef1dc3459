// The functions of `state` that hold runs and let them go, and those that ask for a run first.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isList, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { parseJson, stringifyJson } from '../../core/value/json.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { writeWhole } from '../filesystem/write.ts'
import { runsStates } from '../jobs/running.ts'
import type { Arguments } from '../modules/arguments.ts'
import { PythonError } from '../modules/errors.ts'
import { type Call, define, type ExecutionFunction, examples } from '../modules/module.ts'
import { pausesOf } from './pauses.ts'
import { jidOf, stateRuns } from './scope.ts'

async function pauses(args: Arguments, call: Call): Promise<Value> {
  const given = args.value('jid')
  const all = pausesOf(call)
  const wanted = given === null ? all.jids() : isList(given) ? given.map(pythonStr) : [pythonStr(given)]
  const jobs = call.agent.jobs.all().filter((job) => runsStates(job))
  const own = jidOf(call)
  const running = [...jobs, ...stateRuns(call).others()].map(({ jid }) => jid).filter((jid) => jid !== own)
  const told: Mapping = {}
  for (const jid of wanted) {
    // Of a run that is over nothing has to be kept.
    if (running.includes(jid)) told[jid] = { ...(await all.read(jid)) }
    else all.forget(jid)
  }
  return told
}

const idOf = (args: Arguments): string | null => args.textIfAny('state_id') ?? null

const requestsPath = ({ agent }: Call): string => join(pythonStr(agent.opts.cachedir ?? ''), 'req_state.json')

async function requests(call: Call): Promise<Mapping> {
  const text = await readTextIfThere(requestsPath(call))
  const value = text === undefined ? {} : parseJson(text)
  return isMapping(value) ? value : {}
}

async function keep(call: Call, all: Mapping): Promise<void> {
  mkdirSync(dirname(requestsPath(call)), { recursive: true })
  await writeWhole(requestsPath(call), stringifyJson(all), { mode: '0600' })
}

/** The keywords of a call of state.apply, without what the job adds. */
async function request(args: Arguments, call: Call): Promise<Value> {
  const kwargs = { ...args.cleanKeywords, test: true }
  const mods = args.value('mods')
  const told = await call.salt('state.apply', [mods], { ...args.keywords, ...kwargs })
  const name = pythonStr(args.keywords.name ?? 'default')
  await keep(call, { ...(await requests(call)), [name]: { test_run: told, mods, kwargs } })
  return told
}

async function runRequest(args: Arguments, call: Call): Promise<Value> {
  const asked = (await requests(call))[args.text('name')]
  if (asked === undefined || !isMapping(asked) || asked.mods === undefined || !isMapping(asked.kwargs ?? null))
    return {}
  const { test: _, ...kwargs } = { ...(asked.kwargs as Mapping), ...args.keywords }
  const told = await call.salt('state.apply', [asked.mods], kwargs)
  rmSync(requestsPath(call), { force: true })
  return told
}

async function clearRequest(args: Arguments, call: Call): Promise<boolean> {
  const all = await requests(call)
  const name = args.textIfAny('name')
  if (name === undefined || Object.keys(all).length === 0) {
    rmSync(requestsPath(call), { force: true })
    return true
  }
  if (!(name in all)) return false
  const { [name]: _, ...rest } = all
  await keep(call, rest)
  return true
}

function clearCache(call: Call): string[] {
  const directory = pythonStr(call.agent.opts.cachedir ?? '')
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.cache.p')) : []
  for (const name of names) rmSync(join(directory, name), { force: true })
  return names.sort()
}

const readOnly = { readOnly: true }
const whichDoc = `

jid
    The job id of the run.
state_id
    The ID of one of its states. Default: all of them`

/** `state.pause`, `state.resume`, `state.request` and the like. */
export const statePausing: Readonly<Record<string, ExecutionFunction>> = {
  pause: define(
    'jid, state_id=None, duration=None',
    `Let a run of states wait before its next state until it is resumed; what runs is not broken off.${whichDoc}
duration
    Seconds after which a state goes on by itself.${examples("brine '*' state.pause 20171130110407769519", "brine '*' state.pause 20171130110407769519 vim", "brine '*' state.pause 20171130110407769519 vim 20")}`,
    async (args, call) => {
      const duration = args.is('duration') ? { duration: args.integer('duration') } : {}
      await pausesOf(call).hold(args.text('jid'), idOf(args), duration)
      return null
    },
  ),
  resume: define(
    'jid, state_id=None',
    `Let a run of states go on that was paused.${whichDoc}${examples("brine '*' state.resume 20171130110407769519", "brine '*' state.resume 20171130110407769519 vim")}`,
    async (args, call) => {
      await pausesOf(call).release(args.text('jid'), idOf(args))
      return null
    },
  ),
  soft_kill: define(
    'jid, state_id=None',
    `Let a run of states end before its next state; what it has done is returned.${whichDoc}${examples("brine '*' state.soft_kill 20171130110407769519", "brine '*' state.soft_kill 20171130110407769519 vim")}`,
    async (args, call) => {
      await pausesOf(call).hold(args.text('jid'), idOf(args), { kill: true })
      return null
    },
  ),
  get_pauses: define(
    'jid=None',
    `Return what was said of runs of states that are under way, by their job ids; of runs that are over it is forgotten.${examples("brine '*' state.get_pauses")}`,
    pauses,
  ),
  request: define(
    'mods=None, **kwargs',
    `Say what state.apply would change, and keep the request, for somebody to run it with state.run_request.

name
    The name it is kept under. Default: default${examples("brine '*' state.request", "brine '*' state.request stuff", "brine '*' state.request stuff,things name=upgrade")}`,
    request,
    { out: 'highstate' },
  ),
  check_request: define(
    'name=None',
    `Return the requests that are kept, with what they would change; or one of them.${examples("brine '*' state.check_request")}`,
    async (args, call) => {
      const all = await requests(call)
      const name = args.textIfAny('name')
      if (name === undefined || Object.keys(all).length === 0) return all
      const found = all[name]
      if (found === undefined) throw new PythonError('KeyError', `'${name}'`)
      return found
    },
    readOnly,
  ),
  clear_request: define(
    'name=None',
    `Forget the requests that are kept, or one of them.${examples("brine '*' state.clear_request")}`,
    clearRequest,
  ),
  run_request: define(
    "name='default', **kwargs",
    `Apply the states of a request, and forget the requests.${examples("brine '*' state.run_request")}`,
    runRequest,
    { out: 'highstate' },
  ),
  clear_cache: define(
    '',
    `Remove cached states. None are cached here: what Salt's minion left behind goes.${examples("brine '*' state.clear_cache")}`,
    (_, call) => clearCache(call),
  ),
}
