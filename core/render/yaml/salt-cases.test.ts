// Reads 923 documents, written and mangled, beside what Salt 3007.15's loader on libyaml answered to each.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { floatText } from '../../value/float-text.ts'
import {
  entries,
  get,
  isFloat,
  isInteger,
  isList,
  isMap,
  type Mapping,
  parseJson,
  type Value,
} from '../../value/index.ts'
import { loadYaml } from './document.ts'
import { YamlError } from './yaml-error.ts'

const rows = readFileSync(new URL('./salt-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')

/** Where Python stumbles over a value that YAML let through; ours is a YamlError with Python's words or better ones. */
const STUMBLES = ['ValueError', 'IndexError', 'KeyError', 'UnicodeEncodeError']

/** Every type and the order of keys spelled out. */
function spelled(value: Value): Value {
  if (isInteger(value)) return { i: value.toString() }
  if (isFloat(value)) return { f: floatText(typeof value === 'number' ? value : value.value) }
  if (isList(value)) return { l: value.map(spelled) }
  if (isMap(value)) return { m: entries(value).map(([key, item]): Value => [spelled(key), spelled(item)]) }
  return value
}

function answer(text: string): Mapping {
  try {
    return { value: spelled(loadYaml(text)) }
  } catch (error) {
    if (error instanceof YamlError) return { error: error.kind, message: error.reason }
    throw error
  }
}

/** Salt prints a scanner's problem alone; the rows have PyYAML's whole text, with the places. */
function problemOf(row: Mapping): Value | undefined {
  const message = get(row, 'message')
  if (get(row, 'error') !== 'ScannerError' || typeof message !== 'string') return message
  return message.split('\n').findLast((line) => !line.startsWith('  in '))
}

describe("Salt's loader", () => {
  it.each(rows.map((line): [string] => [line]))('%s', (line) => {
    const row = parseJson(line) as Mapping
    const got = answer(String(get(row, 'doc')))
    const error = get(row, 'error')
    if (error === undefined) {
      expect(got).toEqual({ value: get(row, 'value') })
    } else if (error === 'ReaderError' || STUMBLES.includes(String(error))) {
      expect(got.error).toBe(error === 'ReaderError' ? error : 'ConstructorError')
    } else {
      expect(got).toEqual({ error, message: problemOf(row) })
    }
  })
})
