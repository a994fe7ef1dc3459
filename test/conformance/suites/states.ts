// states.jsonl: SLS files, or a top file → high data and the results of the run, on the `test` states.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { renderSls, SALT_FUNCTIONS, yamlTools } from '../../../core/render/index.ts'
import {
  type CallWorld,
  compileHigh,
  type HighWorld,
  matchTop,
  newRun,
  readTop,
  renderHigh,
  runHere,
  type SlsFile,
  type SlsMatches,
  type StateFiles,
  type StateFunction,
  stateContext,
  testStates,
} from '../../../core/state/index.ts'
import { entries, get, isList, isMap, type Mapping, mapOf, pythonStr, type Value } from '../../../core/value/index.ts'
import { fingerprint, goldenValue } from '../golden-value.ts'
import type { Row, Suite, Verdict } from '../suite.ts'

export const suite: Suite = { keys: ['n', 'case', 'sls', 'top', 'golden'], judge: judgeRun }

/** The minion that the rows were made on. */
const GRAINS: Mapping = { os: 'Debian', os_family: 'Debian', id: 'minion01', roles: ['web'] }
const PILLAR: Mapping = { role: 'web', users: { a: 1 } }
const NODEGROUPS = { grp: 'minion01' }

async function judgeRun(row: Row): Promise<Verdict> {
  const golden = mapAt(row, 'golden')
  const world = highWorld(row)
  const top = typeof get(row, 'top') === 'string' ? readTop(world, {}) : undefined
  const matches: SlsMatches = top === undefined ? new Map([['base', ['t']]]) : matched(top)
  const rendered = renderHigh(matches, world)
  const compiled =
    rendered.errors.length > 0
      ? { kind: 'errors' as const, ...rendered }
      : compileHigh(rendered.high, { has: (fun) => Object.hasOwn(STATES, fun) })
  const got: Mapping = { high: compiled.high }
  if (top !== undefined) {
    got.top = withoutMatchers(top)
    got.matches = mapOf([...matches].map(([env, names]) => [env, [...names]] as const))
  }
  if (compiled.kind === 'errors') got.errors = [...compiled.errors]
  else got.results = resultRows(await runHere(compiled.plan, newRun({ mode: 'sequential' }), CALLS))
  const expected = mapOf(
    entries(golden).map(([key, value]) => [key, key === 'top' ? withoutMatchers(value) : value] as const),
  )
  const mine = fingerprint(goldenValue(got))
  return mine === fingerprint(goldenValue(expected)) ? undefined : mine
}

function matched(top: Value): SlsMatches {
  const minion = { id: 'minion01', grains: GRAINS, pillar: PILLAR }
  const given = { minion, nodegroups: NODEGROUPS, hasEnvironment: (env: string) => env === 'base' }
  return isMap(top) && top instanceof Map ? matchTop(top, given) : new Map()
}

/** Salt takes the matchers out of what it has matched. */
function withoutMatchers(top: Value): Value {
  if (isList(top)) return top.filter((item) => !isMap(item))
  return isMap(top) ? mapOf(entries(top).map(([key, value]) => [key, withoutMatchers(value)] as const)) : top
}

function resultRows(results: Readonly<Record<string, Mapping>>): Value {
  return Object.entries(results).map(([tag, result]) => ({
    tag,
    num: result.__run_num__ ?? null,
    result: result.result ?? null,
    comment: result.comment ?? null,
    changes: result.changes ?? null,
  }))
}

function highWorld(row: Row): HighWorld {
  const texts = new Map<string, string>()
  for (const [key, path] of [
    ['sls', 't.sls'],
    ['top', 'top.sls'],
  ] as const) {
    const text = get(row, key)
    if (typeof text === 'string') texts.set(`base:${path}`, text)
  }
  for (const [path, text] of entries(mapAt(row, 'files'))) {
    const name = pythonStr(path)
    texts.set(name.includes(':') ? name : `base:${name}`, pythonStr(text))
  }
  const inEnvironment = (env: string) => [...texts.keys()].filter((key) => key.startsWith(`${env}:`))
  const files: StateFiles = {
    environments: () => ['base', 'dev'],
    paths: (env) => inEnvironment(env).map((key) => key.slice(env.length + 1)),
    read: (path, env) => texts.get(`${env}:${path}`),
  }
  return { files, render: (file) => renderFile(file, files) }
}

function renderFile(file: SlsFile, files: StateFiles): Value {
  const source = { name: `salt://${file.path}`, text: file.text }
  const environment = {
    context: stateContext(file, { grains: GRAINS, pillar: PILLAR, opts: {} }),
    files: (path: string) => files.read(path.replace(/^salt:\/\//, ''), file.env),
    yaml: yamlTools,
    salt: { pure: SALT_FUNCTIONS },
  }
  return renderSls(source, environment).document
}

const WAIT: StateFunction = {
  signature: { params: [{ name: 'name' }], varKwargs: true },
  run: ({ name = null }) => ({ name, changes: {}, result: true, comment: '' }),
}

/** The `test` states, and of `cmd` what only waits. */
const STATES: Readonly<Record<string, StateFunction>> = {
  ...testStates({ pillar: () => PILLAR, random: Math.random }),
  'cmd.wait': WAIT,
}

const CALLS: CallWorld = {
  states: (name) => (Object.hasOwn(STATES, name) ? STATES[name] : undefined),
  checks: { retcode, call: async (fun) => ({ value: fun !== 'test.false' }), exists: async (path) => existsSync(path) },
  clock: {
    now: () => performance.now(),
    timeOfDay: () => '00:00:00.000000',
    sleep: async () => undefined,
    random: Math.random,
  },
}

function retcode(command: string): Promise<number> {
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', command], (error) =>
      resolve(typeof error?.code === 'number' ? error.code : error ? 1 : 0),
    )
  })
}

function mapAt(map: Value, key: string): Mapping {
  const value = isMap(map) ? get(map, key) : undefined
  return value !== undefined && isMap(value) && !(value instanceof Map) ? value : {}
}
