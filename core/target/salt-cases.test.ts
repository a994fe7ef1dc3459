// Matches 491 targets against a fleet, beside what the matchers of Salt 3007.15 answered.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { BrineError } from '../error.ts'
import { entries, get, isMap, type Mapping, parseJson, type Value } from '../value/index.ts'
import { compileTarget } from './compile.ts'
import type { TargetMinion } from './target.ts'

const [first = '{}', ...rows] = readFileSync(new URL('./salt-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const fleet = parseJson(first)

function part(value: Value, key: string): Mapping {
  const found = isMap(value) ? get(value, key) : undefined
  if (found === undefined || !isMap(found) || found instanceof Map) throw new Error(`no map at ${key}`)
  return found
}

const minions = entries(part(fleet, 'minions')).map(([id, minion]): TargetMinion => {
  return { id: String(id), grains: part(minion, 'grains'), pillar: part(minion, 'pillar') }
})
const nodegroups = part(fleet, 'nodegroups')

function answer(row: Mapping): Mapping {
  try {
    const test = compileTarget(String(get(row, 'tgt_type')), get(row, 'tgt') ?? null, { nodegroups })
    return { matched: minions.filter(test).map(({ id }) => id) }
  } catch (error) {
    if (error instanceof BrineError) return { error: error.code }
    throw error
  }
}

describe("Salt's matchers", () => {
  it.each(rows.map((line): [string] => [line]))('%s', (line) => {
    const row = parseJson(line) as Mapping
    expect(answer(row)).toEqual('error' in row ? { error: row.error } : { matched: row.matched })
  })
})
