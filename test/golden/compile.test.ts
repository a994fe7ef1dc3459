// golden/compile: one SLS and one event → the low chunks of Salt 3007, where the shared goldens are at hand.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { BrineError } from '../../core/error.ts'
import { reactorContext, renderSls, yamlTools } from '../../core/render/index.ts'
import { compileSls } from '../../core/sls/index.ts'
import { get, isList, isMap, type Mapping, parseJson, pythonStr, type Value } from '../../core/value/index.ts'

/** Goldens that Brine differs from on purpose. */
const SUPERSEDED: Readonly<Record<string, string>> = {
  require: 'requisites order chunks, as in 3008; 3007 sorts by name alone',
  x_requisite_vs_alpha: 'requisites order chunks, as in 3008; 3007 sorts by name alone',
  pyrender: '#!py runs Python on the master, and is refused',
  x_jinja_salt_dict: 'a template may call read-only functions alone, and cmd.run is none',
}

const folder = join(process.env.BRINE_SHARED ?? '../shared', 'golden', 'compile')
const names = existsSync(folder) ? readdirSync(folder).map((file) => file.replace(/\.json$/, '')) : []

function lowOf(golden: Mapping): Value[] {
  const [sls, tag, data] = ['sls', 'tag', 'data'].map((key) => get(golden, key))
  const facts = { tag: pythonStr(tag ?? ''), data: isMap(data) ? data : {}, grains: {}, pillar: {}, opts: {} }
  const environment = { context: reactorContext('/srv/reactor/x.sls', facts), yaml: yamlTools, salt: { pure: {} } }
  try {
    const { document } = renderSls({ name: 'x.sls', text: pythonStr(sls ?? '') }, environment)
    return compileSls([{ name: 'x.sls', document }]).chunks.map(({ low }) => low)
  } catch (error) {
    if (error instanceof BrineError) return []
    throw error
  }
}

/** Without the path, which is that of the machine that was captured. */
function pathless(low: Value[]): Value[] {
  return low.map((chunk) => (isMap(chunk) && !(chunk instanceof Map) ? { ...chunk, __sls__: 'x.sls' } : chunk))
}

describe.skipIf(names.length === 0)('golden/compile', () => {
  const superseded = names.filter((name) => Object.hasOwn(SUPERSEDED, name))
  afterAll(() => {
    for (const name of superseded) process.stderr.write(`golden/compile/${name} is superseded: ${SUPERSEDED[name]}\n`)
  })

  it.each(names.filter((name) => !superseded.includes(name)))('%s', (name) => {
    const golden = parseJson(readFileSync(join(folder, `${name}.json`), 'utf8')) as Mapping
    const expected = get(golden, 'low')
    expect(pathless(lowOf(golden))).toEqual(pathless(isList(expected) ? expected : []))
  })

  it.each(superseded)('%s differs on purpose', (name) => {
    const golden = parseJson(readFileSync(join(folder, `${name}.json`), 'utf8')) as Mapping
    const expected = get(golden, 'low')
    expect(pathless(lowOf(golden))).not.toEqual(pathless(isList(expected) ? expected : []))
  })
})
