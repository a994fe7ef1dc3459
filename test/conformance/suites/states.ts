// states.jsonl: SLS files, or a top file → high data and the results of the run, on the `test` states.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { newRun, runHere, type StateFunction } from '../../../core/state/index.ts'
import { SampleMinion } from '../../../core/state/sample-minion.ts'
import { entries, get, isList, isMap, type Mapping, mapOf, pythonStr, type Value } from '../../../core/value/index.ts'
import { fingerprint, goldenValue } from '../golden-value.ts'
import type { Row, Suite, Verdict } from '../suite.ts'

export const suite: Suite = { keys: ['n', 'case', 'sls', 'top', 'golden'], judge: judgeRun }

async function judgeRun(row: Row): Promise<Verdict> {
  const golden = mapAt(row, 'golden')
  const minion = sampleMinion(row)
  const top = typeof get(row, 'top') === 'string' ? minion.top() : undefined
  const compiled = minion.compile(top?.matches)
  const got: Mapping = { high: compiled.high }
  if (top !== undefined) {
    got.top = withoutMatchers(top.top)
    got.matches = mapOf([...top.matches].map(([env, names]) => [env, [...names]] as const))
  }
  if (compiled.kind === 'errors') got.errors = [...compiled.errors]
  else {
    const run = newRun({ mode: 'sequential', test: get(row, 'test') === true })
    got.results = resultRows(await runHere(compiled.plan, run, minion.calls))
  }
  const expected = mapOf(
    entries(golden).map(([key, value]) => [key, key === 'top' ? withoutMatchers(value) : value] as const),
  )
  // What a row does not tell of is not compared, but whether the states ran is.
  const told = entries(got).filter(([key]) => key !== 'high' || get(golden, 'high') !== undefined)
  const mine = fingerprint(settled(mapOf(told)))
  return mine === fingerprint(settled(expected)) ? undefined : mine
}

const WAIT: StateFunction = {
  signature: { params: [{ name: 'name' }], varKwargs: true },
  run: ({ name = null }) => ({ name, changes: {}, result: true, comment: '' }),
}

/** The minion that the rows were made on. */
function sampleMinion(row: Row): SampleMinion {
  const files: Record<string, string> = {}
  for (const [path, text] of entries(mapAt(row, 'files'))) files[pythonStr(path)] = pythonStr(text)
  const [sls, top] = ['sls', 'top'].map((key) => get(row, key))
  if (typeof sls === 'string') files['t.sls'] = sls
  if (typeof top === 'string') files['top.sls'] = top
  return new SampleMinion({
    files,
    id: 'minion01',
    grains: { os: 'Debian', os_family: 'Debian', id: 'minion01', roles: ['web'] },
    pillar: { role: 'web', users: { a: 1 } },
    nodegroups: { grp: 'minion01' },
    states: { 'cmd.wait': WAIT },
    checks: {
      retcode,
      call: async (fun) => ({ value: fun !== 'test.false' }),
      exists: async (path) => existsSync(path),
    },
  })
}

function retcode(command: string): Promise<number> {
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', command], (error) => {
      resolve(typeof error?.code === 'number' ? error.code : error === null ? 0 : 1)
    })
  })
}

const FAILED = 'One or more requisite failed: '

/** Salt lists the requisites that failed in the order of a Python set, which is any. */
function settled(value: Value): Value {
  const golden = goldenValue(value)
  if (typeof golden === 'string' && golden.startsWith(FAILED)) {
    return FAILED + golden.slice(FAILED.length).split(', ').sort().join(', ')
  }
  if (isList(golden)) return golden.map(settled)
  return isMap(golden) ? mapOf(entries(golden).map(([key, item]) => [key, settled(item)] as const)) : golden
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

function mapAt(map: Value, key: string): Mapping {
  const value = isMap(map) ? get(map, key) : undefined
  return value !== undefined && isMap(value) && !(value instanceof Map) ? value : {}
}
