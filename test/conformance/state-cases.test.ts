// 437 state files and top files, most of them drawn at random, beside what Salt 3007.15 made of them.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isMap, parseJson, pythonStr } from '../../core/value/index.ts'
import type { Row } from './suite.ts'
import { suite } from './suites/states.ts'

const rows = readFileSync(new URL('../../core/state/salt-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const row = parseJson(line)
    if (!isMap(row)) throw new Error(`no row: ${line}`)
    return row as Row
  })

const nameOf = (row: Row): string => pythonStr((row instanceof Map ? row.get('case') : row.case) ?? null)

describe('states as Salt runs them', () => {
  it.each(rows.map((row) => [nameOf(row), row] as const))('%s', async (_, row) => {
    expect(await suite.judge(row, { json: () => null })).toBeUndefined()
  })
})
