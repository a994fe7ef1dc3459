// Salt's `module` states: functions of the minion as states, in the form of today and in the older one.
import { messageOf } from '../../core/error.ts'
import { entries, isMap, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { ArgumentError, PythonError, SaltInvocationError } from '../modules/errors.ts'
import type { ExecutionFunction } from '../modules/module.ts'
import {
  type AgentState,
  defineState,
  type StateCall,
  type StateModule,
  type StateReturn,
  slsExample,
} from './state-module.ts'

const ignored = ['name', '__reqs__', 'sfun']

async function run(args: Arguments, call: StateCall): Promise<StateReturn> {
  const given: Mapping = { ...args.keywords, name: args.value('name') }
  const keys = Object.keys(given).filter((key) => !ignored.includes(key))
  const isOld = keys.length === 0 || keys.some((key) => !key.includes('.'))
  return isOld ? runOne(given, call) : runMany(given, keys, call)
}

/** `- name: service.stop`, its arguments beside. */
async function runOne({ name = null, ...given }: Mapping, call: StateCall): Promise<StateReturn> {
  const fun = pythonStr(name)
  const ret: StateReturn = { name, changes: {}, result: false, comment: '' }
  const found = call.agent.functions.get(fun)
  if (found === undefined) return { ...ret, comment: `Module function ${fun} is not available` }
  if (call.test) return { ...ret, result: null, comment: `Module function ${fun} is set to execute` }
  const bound = oldArguments(found, given)
  if (typeof bound === 'string') return { ...ret, comment: bound }
  try {
    const returned = await call.salt(fun, bound.args, bound.kwargs)
    return { ...ret, changes: { ret: returned }, comment: `Module function ${fun} executed`, result: isGood(returned) }
  } catch (error) {
    return { ...ret, comment: `Module function ${fun} threw an exception. Exception: ${messageOf(error)}` }
  }
}

/** Words that a state needs itself have an `m_` in front. */
const taken = new Set(['name', 'fun', 'names', 'state', 'saltenv'])

function oldArguments({ signature }: ExecutionFunction, given: Mapping): { args: Value[]; kwargs: Mapping } | string {
  const left = { ...given }
  const take = (key: string): Value | undefined => {
    const value = left[key]
    delete left[key]
    return value
  }
  const args: Value[] = []
  const kwargs: Mapping = {}
  const missing: string[] = []
  for (const { name, default: value, keywordOnly = false } of signature.params) {
    const own = taken.has(name) ? `m_${name}` : name
    const found = take(own) ?? (value === undefined ? undefined : take(name))
    if (found === undefined && value === undefined) missing.push(own)
    else if (keywordOnly) kwargs[name] = found ?? value ?? null
    else args.push(found ?? value ?? null)
  }
  if (missing.length > 0) return `The following arguments are missing: ${missing.join(' ')}`
  if (signature.varArgs === true && left.args !== undefined) {
    const more = take('args')
    if (!Array.isArray(more)) return "'args' must be a list."
    args.push(...more)
  }
  if (signature.varKwargs === true && left.kwargs !== undefined) {
    const more = take('kwargs')
    if (!isMap(more ?? null)) return "'kwargs' must be a dict."
    for (const [key, value] of entries(more as Mapping)) kwargs[pythonStr(key)] = value
  }
  return { args, kwargs }
}

/** `- service.stop: [{name: apache2}]`, several of them. */
async function runMany(given: Mapping, keys: readonly string[], call: StateCall): Promise<StateReturn> {
  const ret: StateReturn = { name: [...keys], changes: {}, comment: '', result: null }
  const plain = (key: string): string => key.split(':')[0] ?? ''
  const missing = keys.map(plain).filter((fun) => call.agent.functions.get(fun) === undefined)
  const tests = call.test ? keys.map(plain).filter((fun) => !missing.includes(fun)) : []
  if (missing.length > 0 || tests.length > 0) {
    const words = [
      ...(missing.length === 0 ? [] : [`Unavailable function${missing.length > 1 ? 's' : ''}: ${missing.join(', ')}.`]),
      ...(tests.length === 0 ? [] : [`Function${tests.length > 1 ? 's' : ''} ${tests.join(', ')} to be executed.`]),
    ]
    return { ...ret, comment: words.join(' '), result: missing.length > 0 ? false : null }
  }
  const failures: string[] = []
  const successes: string[] = []
  for (const key of keys) {
    try {
      const returned = await callWith(plain(key), given[key] ?? null, call)
      if (isGood(returned)) {
        const words = isMapping(returned) ? (returned.comment ?? 'Success') : returned
        successes.push(`${key}: ${pythonStr(words)}`)
        ret.changes[key] = returned
      } else if (isMapping(returned)) {
        failures.push(`'${key}' failed: ${pythonStr(returned.comment ?? '(error message N/A)')}`)
      } else failures.push(`'${key}': ${pythonStr(returned)}`)
    } catch (error) {
      if (!isMisuse(error)) throw error
      failures.push(`'${key}' failed: ${messageOf(error)}`)
    }
  }
  return { ...ret, comment: [...failures, ...successes].join(', '), result: failures.length === 0 }
}

const isMisuse = (error: unknown): boolean =>
  error instanceof SaltInvocationError ||
  error instanceof ArgumentError ||
  (error instanceof PythonError && error.type === 'TypeError')

/** Values in their order, maps by name. */
async function callWith(fun: string, given: Value, call: StateCall): Promise<Value> {
  const found = call.agent.functions.get(fun)
  const params = found?.signature.params ?? []
  const expected = params.filter((param) => param.default === undefined).map(({ name }) => name)
  const items: Value[] = given === null ? [] : Array.isArray(given) ? given : isMap(given) ? [given] : [given]
  const args = items.filter((item) => !isMap(item))
  const named: Mapping = {}
  for (const item of items) if (isMap(item)) for (const [key, value] of entries(item)) named[pythonStr(key)] = value
  const { length } = args
  const kwargs = Object.fromEntries(Object.entries(named).filter(([key]) => !expected.includes(key)))
  for (const name of expected) if (name in named) args.push(named[name] ?? null)
  if (args.length < expected.length) {
    const missing = expected.slice(length).filter((name) => !(name in named))
    throw new SaltInvocationError(`Missing arguments: ${missing.join(', ')}`)
  }
  return call.salt(fun, args, kwargs)
}

/** False, and a map that says so somewhere: `result: False`, a `retcode` that is not 0. */
function isGood(returned: Value): boolean {
  if (typeof returned === 'boolean') return returned
  return returned === null || !isMap(returned) || isGoodMap(returned as Mapping)
}

function isGoodMap(map: Mapping): boolean {
  let good = true
  for (const [key, value] of entries(map)) {
    if ((key === 'result' && value === false) || (key === 'retcode' && value !== 0)) return false
    if (value !== null && isMap(value)) {
      good = isGoodMap(value as Mapping)
      if (!good) return false
    }
  }
  return good
}

const waits: AgentState['run'] = (args) => ({ name: args.value('name'), changes: {}, result: true, comment: '' })

const doc = `Run functions of the minion.

Each function is an argument of its own, with a list of its values and of maps for those that have names. In the older form \`\`name\`\` is the
function and its arguments stand beside it; \`\`m_name\`\`, \`\`m_fun\`\`, \`\`m_names\`\`, \`\`m_state\`\` and \`\`m_saltenv\`\` are those that a state
takes for itself, \`\`args\`\` is a list and \`\`kwargs\`\` a map of further ones.${slsExample(`
fetch_out_of_band:
  module.run:
    - git.fetch:
      - cwd: /path/to/my/repo
      - user: myuser

stop_it:
  module.run:
    - name: service.stop
    - m_name: apache2`)}`

const waitDoc = `Run a function only when a state it watches changes.${slsExample(`
restart_it:
  module.wait:
    - name: service.restart
    - m_name: apache2
    - watch:
      - file: /etc/apache2/apache2.conf`)}`

/** Salt's `module` states. */
export const module: StateModule = {
  name: 'module',
  functions: {
    run: defineState('name=None, **kwargs', doc, run),
    mod_watch: defineState('name=None, **kwargs', doc, run),
    wait: defineState('name, **kwargs', waitDoc, waits),
    watch: defineState('name, **kwargs', waitDoc, waits),
  },
}
