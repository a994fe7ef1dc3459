// Salt's `saltutil` states: the user's code is that of the master.
import { messageOf } from '../../core/error.ts'
import { isMap, type Mapping, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { fine, would, wrong } from './outcome.ts'
import { type AgentState, defineState, type StateCall, type StateModule, slsExample } from './state-module.ts'

/** The kinds of code that Salt's states sync. */
const kinds = [
  'beacons',
  'clouds',
  'engines',
  'grains',
  'executors',
  'log_handlers',
  'modules',
  'output',
  'pillar',
  'proxymodules',
  'matchers',
  'renderers',
  'returners',
  'sdb',
  'states',
  'tops',
  'thorium',
  'utils',
  'serializers',
  'wrapper',
] as const

const options = `

saltenv, refresh, extmod_whitelist, extmod_blacklist
    As the function of that name takes them.`

/** One state: `changesOf` picks what changed out of what the function returned. */
function sync(kind: string, done: string, changesOf: (told: Value) => Mapping): AgentState {
  const fun = `saltutil.sync_${kind}`
  const run = async (args: Arguments, call: StateCall) => {
    const name = args.text('name')
    if (call.test) return would(name, `${fun} would have been run`)
    try {
      const changes = changesOf(await call.salt(fun, [], args.cleanKeywords))
      return fine(name, Object.keys(changes).length === 0 ? 'No updates to sync' : done, changes)
    } catch (error) {
      return wrong(name, `Failed to run sync_${kind}: ${messageOf(error)}`)
    }
  }
  const what = kind === 'all' ? "The user's code" : `The user's ${kind}`
  return defineState(
    'name, **kwargs',
    `${what} of the master is on the minion, and loaded.${options}${slsExample(`
sync_everything:
  ${fun}:
    - refresh: True`)}`,
    run,
  )
}

const ofAll = (told: Value): Mapping =>
  told !== null && isMap(told) ? Object.fromEntries(Object.entries(told).filter(([, names]) => pythonTruth(names))) : {}

const one = (kind: string): AgentState =>
  sync(kind, `Updated ${kind}.`, (told) => (pythonTruth(told) ? { [kind]: told } : {}))

/** Outputters print what comes back: they belong to where a command is typed. */
const outputters = defineState(
  'name, **kwargs',
  `Not available: the minion has no outputters of the user's. What the others sync, \`\`saltutil.sync_all\`\` does.${slsExample(`
sync_everything:
  saltutil.sync_all: []`)}`,
  (args) =>
    wrong(
      args.text('name'),
      'saltutil.sync_outputters has nothing to sync to: outputters are part of the command line, and the minion has none. Take the state out; saltutil.sync_all syncs what a minion can have.',
    ),
)

/** Salt's `saltutil` states. */
export const saltutil: StateModule = {
  name: 'saltutil',
  functions: {
    sync_all: sync('all', 'Sync performed', ofAll),
    ...Object.fromEntries(kinds.map((kind) => [`sync_${kind}`, one(kind)])),
    sync_outputters: outputters,
  },
}
