// What Salt 3007.15 prints for these templates with the variables of salt-cases-context.json, or the first line of how it fails.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { get, isMap, parseJson, pythonStr, stringifyJson, type Value } from '../../value/index.ts'
import {
  compileTemplate,
  type Environment,
  type JinjaOptions,
  renderText,
  SALT_FUNCTIONS,
  TemplateError,
} from './index.ts'

interface Case {
  readonly tmpl: string
  readonly out?: string
  /** The message, or true where only the failing is pinned. */
  readonly error?: string | true
  readonly opts?: { readonly allow_undefined?: boolean; readonly jinja_env?: Partial<JinjaOptions> }
  /** Variables besides, and files that this and later rows find. */
  readonly ctx?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
const variables = parseJson(read('./salt-cases-context.json'))
const cases = read('./salt-cases.jsonl')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case)

function member(map: Value | undefined, key: string): Value {
  return isMap(map) ? (get(map, key) ?? null) : null
}

const files = new Map<string, string>()

function environment(row: Case): Environment {
  const names = ['data', 'tag', 'grains', 'pillar', 'saltenv', 'sls', 'opts']
  for (const [path, text] of Object.entries(row.files ?? {})) files.set(path, text)
  const filterBy = SALT_FUNCTIONS['grains.filter_by']
  return {
    context: { ...Object.fromEntries(names.map((name) => [name, member(variables, name)])), ...row.ctx },
    files: (path) => {
      const text = files.get(path) ?? member(member(variables, 'file_roots'), path)
      return typeof text === 'string' ? text : undefined
    },
    salt: {
      pure: {
        'test.stub': ([word = null]) => `stub:${pythonStr(word)}`,
        ...(filterBy === undefined ? {} : { 'grains.filter_by': filterBy }),
      },
    },
    outside: { random: Math.random, now: () => 0 },
    allowUndefined: row.opts?.allow_undefined === true,
  }
}

function outcome(row: Case): { out?: string; error?: string } {
  try {
    return { out: renderText(compileTemplate(row.tmpl, undefined, row.opts?.jinja_env), environment(row)) }
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.saltMessage }
    throw error
  }
}

describe('templates print as in Salt', () => {
  it.each(cases.map((row) => [row.tmpl, row] as const))('%j', (_, row) => {
    const got = outcome(row)
    if (row.error === true) expect(got.error).toBeDefined()
    else expect(got).toEqual(row.error === undefined ? { out: row.out } : { error: row.error })
  })

  it('leaves the variables as they were', () => {
    const before = stringifyJson(variables)
    for (const row of cases) outcome(row)
    expect(stringifyJson(variables)).toBe(before)
  })
})
