// A minion without a master that a test calls functions and states of.
import { isMapping, type Mapping, type Value } from '../core/value/index.ts'
import { type CallAgent, openCall } from './call.ts'
import { type FakeSetup, fakeSetup } from './fake-setup.ts'
import { execute, type Outcome } from './modules/execute.ts'

/** What a test does with it. */
export interface FakeMinion {
  readonly fake: FakeSetup
  readonly agent: CallAgent
  /** How a function goes. */
  outcome(fun: string, arg?: readonly Value[], kwarg?: Mapping): Promise<Outcome>
  /** What it returns; throws its words where it fails. */
  run(fun: string, arg?: readonly Value[], kwarg?: Mapping): Promise<Value>
  /** The one result of a state, without what every result has. */
  state(fun: string, kwarg?: Mapping): Promise<Mapping>
  close(): Promise<void>
}

/** Opens one; `more` is YAML laid over its configuration. */
export async function fakeMinion(more = ''): Promise<FakeMinion> {
  const fake = await fakeSetup('http://127.0.0.1:1', `file_client: local\n${more}`)
  const agent = await openCall({ ...fake.setup }, {}, fake.outside)
  const outcome: FakeMinion['outcome'] = (fun, arg = [], kwarg = {}) => {
    const words = Object.keys(kwarg).length === 0 ? arg : [...arg, { ...kwarg, __kwarg__: true }]
    return execute(agent.view, { fun, arg: words, data: { jid: '1' }, signal: new AbortController().signal })
  }
  const run: FakeMinion['run'] = async (fun, arg, kwarg) => {
    const made = await outcome(fun, arg, kwarg)
    if (made.kind === 'returned') return made.value
    throw new Error(made.kind === 'failed' ? made.words : JSON.stringify(made.value))
  }
  return {
    fake,
    agent,
    outcome,
    run,
    async state(fun, kwarg = {}) {
      const value = await run('state.single', [fun], kwarg)
      const [result] = isMapping(value) ? Object.values(value) : []
      if (result === undefined || !isMapping(result)) throw new Error(JSON.stringify(value))
      const common = ['start_time', 'duration', '__sls__', '__run_num__', '__id__']
      return Object.fromEntries(Object.entries(result).filter(([key]) => !common.includes(key)))
    },
    async close() {
      await agent.close()
      await fake.remove()
    },
  }
}
