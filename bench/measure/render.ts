// `bench render`: an event's SLS to low chunks: render, fill, compile. A new id and new data in every call, warm.
//
// With the cache of parsed documents, as a master works, and without it. Salt's own figure (b_compile.py) is for the
// same event again and again.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Mapping } from '../../core/value/index.ts'
import { figureOf, type PeerFigure, rowOf } from '../figure.ts'
import type { Chunks, renderer as Renderer } from '../render-subject.ts'
import type { Measure } from '../run.ts'
import { jsonLines, startSaltLab } from '../salt-lab.ts'
import { say } from '../talk.ts'

/** The article's auth.sls; the ids are those that Salt's program uses. */
const AUTH = `{% if data['act'] == 'pend' and data['id'].startswith('asg-') %}
accept_minion:
  wheel.key.accept:
    - match: {{ data['id'] }}

apply_state:
  local.state.highstate:
    - tgt: {{ data['id'] }}
    - require:
      - wheel: accept_minion
{% endif %}
`

/** Forty lines as people write them: a variable, a condition, a loop, a macro, four kinds of reactions. */
const FORTY = `{# Welcomes a machine of an auto scaling group. #}
{% set minion = data['id'] %}
{% set role = minion.split('-')[0] | default('none', true) %}
{% set roles = {'asg': ['base', 'web'], 'db': ['base', 'postgres']} %}
{% macro tell(channel, text) %}
      - channel: "{{ channel }}"
      - message: "{{ text }}"
{% endmacro %}

{% if data['act'] == 'pend' and data['result'] %}
accept_{{ minion }}:
  wheel.key.accept:
    - args:
      - match: {{ minion }}
      - include_rejected: False

{% for name in roles.get(role, []) %}
apply_{{ name }}_{{ loop.index }}:
  local.state.apply:
    - tgt: {{ minion }}
    - tgt_type: glob
    - order: {{ loop.index * 10 }}
    - args:
      - mods: {{ name }}
      - kwarg:
          pillar:
            role: {{ name }}
            first: {{ loop.first }}
            stamp: "{{ data['_stamp'] }}"
{% endfor %}

announce:
  runner.event.send:
    - args:
      - tag: fleet/{{ role }}/joined
      - data:
          id: {{ minion }}
          roles: {{ roles.get(role, []) | json }}
{% else %}
ignored_{{ data['act'] }}: {}
{% endif %}
`

const SUBJECTS = [
  { name: 'auth.sls', text: AUTH, recorded: 1100, cached: 150, uncached: 30 },
  { name: '40 lines', text: FORTY, recorded: undefined, cached: undefined, uncached: undefined },
] as const

/** Microseconds a call. */
export const measure: Measure = async ({ peer, runs, size = 20_000 }) => {
  const salt = peer ? await measureSalt() : undefined
  const renderer = await bundledRenderer()
  return SUBJECTS.flatMap(({ name, text, recorded, cached, uncached }) => {
    const [warm, cold, floor]: [number[], number[], number[]] = [[], [], []]
    const withCache = renderer(text, 16 * 1024 * 1024)
    const without = renderer(text, undefined)
    timed(withCache, 2000)
    timed(without, 500)
    for (let run = 0; run < runs; run++) {
      warm.push(timed(withCache, size))
      cold.push(timed(without, Math.ceil(size / 5)))
      floor.push(timed(asJson(withCache(eventData(0))), size))
      say(`${name}, run ${run + 1}: ${warm.at(-1)?.toFixed(2)} µs, without cache ${cold.at(-1)?.toFixed(2)} µs`)
    }
    const known = recorded === undefined ? undefined : { recorded, from: 'salt-lab on the same kind of machine' }
    const beside = salt?.[name] ?? known
    const row = (what: string, brine: number[], target: number | undefined) =>
      rowOf({
        what: `${name}, ${what}`,
        unit: 'µs',
        better: 'lower',
        brine,
        peer: beside,
        floor,
        ...(target === undefined ? {} : { target }),
      })
    return [row('parsed documents cached', warm, cached), row('without the cache', cold, uncached)]
  })
}

/** The subject as the master's bundle has it: the loader that runs this file wraps every function, which costs a third. */
async function bundledRenderer(): Promise<typeof Renderer> {
  const folder = mkdtempSync(join(tmpdir(), 'brine-render-'))
  const outfile = join(folder, 'subject.mjs')
  try {
    const entry = join(import.meta.dirname, '../render-subject.ts')
    await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20' })
    return ((await import(pathToFileURL(outfile).href)) as { renderer: typeof Renderer }).renderer
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function eventData(n: number): Mapping {
  return {
    id: `asg-web-${n}`,
    act: 'pend',
    result: true,
    pub: `-----BEGIN PUBLIC KEY-----\n${'x'.repeat(400)}${n}`,
    _stamp: '2026-11-21T05:25:37.007862',
  }
}

/** The floor: the same chunks as a JSON text with the id put in, parsed. */
function asJson(chunks: Chunks): (data: Mapping) => Chunks {
  const parts = JSON.stringify(chunks).split('asg-web-0')
  return (data) => JSON.parse(parts.join(String(data.id)))
}

let next = 0

function timed(act: (data: Mapping) => Chunks, calls: number): number {
  const events = Array.from({ length: calls }, () => eventData(next++))
  const begin = performance.now()
  for (const data of events) act(data)
  return ((performance.now() - begin) * 1000) / calls
}

async function measureSalt(): Promise<Readonly<Record<string, PeerFigure>>> {
  const folder = mkdtempSync(join(tmpdir(), 'brine-sls-'))
  const salt = await startSaltLab(['master'])
  try {
    say('Salt: 5 times 200 calls each')
    const paths = SUBJECTS.map(({ text }, index) => {
      const path = join(folder, `${index}.sls`)
      writeFileSync(path, text)
      return path
    })
    const lines = jsonLines(await salt.python('b_compile.py', paths, 300_000))
    return Object.fromEntries(SUBJECTS.map(({ name }, index) => [name, figureFrom(lines[index])]))
  } finally {
    await salt.stop()
    rmSync(folder, { recursive: true })
  }
}

function figureFrom(line: Readonly<Record<string, unknown>> | undefined): PeerFigure {
  const ms = line?.ms
  if (
    typeof ms !== 'object' ||
    ms === null ||
    !('median' in ms) ||
    !('min_of_medians' in ms) ||
    !('max_of_medians' in ms)
  )
    throw new Error(`b_compile.py printed ${JSON.stringify(line)}`)
  return figureOf([ms.min_of_medians, ms.median, ms.max_of_medians].map((value) => Number(value) * 1000))
}
