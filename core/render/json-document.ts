// JSON in which tokens stand for printed data: read first, filled then, so that data never becomes structure.
import { BrineError } from '../error.ts'
import { Dict, isList, isMap, mapOf, parseJson, pythonStr, type Value } from '../value/index.ts'
import { HOLE_CLOSE, HOLE_OPEN, type Hole } from './hole.ts'

const TOKEN = new RegExp(`${HOLE_OPEN}(\\d+)${HOLE_CLOSE}`, 'g')
const BARE = new RegExp(`^${HOLE_OPEN}:(\\d+)${HOLE_CLOSE}$`)

/**
 * Reads JSON as Salt's renderer does: a `#!` line before it is taken out, and nothing at all is an empty map. Inside a
 * string a hole is text, whatever it holds. Outside one, a value of `|json` or `|tojson`, or what prints as JSON: a number,
 * `true`, a list of these. Anything else there throws a BrineError with code `json`, as broken JSON does.
 */
export function loadJsonDocument(text: string, holes: readonly Hole[]): Value {
  const body = text.startsWith('#!') ? text.slice(text.indexOf('\n') + 1 || text.length) : text
  if (body.trim() === '') return {}
  return holes.length === 0 ? parseJson(body) : fill(parseJson(quoteBare(body)), holes)
}

/** Puts tokens that stand outside strings into strings of their own, marked with a colon. */
function quoteBare(text: string): string {
  let inString = false
  let result = ''
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? ''
    if (char === HOLE_OPEN && !inString) {
      const end = text.indexOf(HOLE_CLOSE, index)
      result += `"${HOLE_OPEN}:${text.slice(index + 1, end)}${HOLE_CLOSE}"`
      index = end
      continue
    }
    if (char === '"') inString = !inString
    result += char
    if (char === '\\' && inString) result += text[++index] ?? ''
  }
  return result
}

function fill(value: Value, holes: readonly Hole[]): Value {
  if (typeof value === 'string') return fillText(value, holes)
  if (isList(value)) return value.map((item) => fill(item, holes))
  if (!isMap(value)) return value
  const pairs = value instanceof Map ? [...value] : Object.entries(value)
  return mapOf(new Dict(pairs.map(([key, item]) => [keyOf(fill(key, holes)), fill(item, holes)])))
}

function keyOf(key: Value): string {
  if (typeof key === 'string') return key
  throw new BrineError(`A key of the JSON is ${pythonStr(key)}. Put it in quotes.`, { code: 'json' })
}

function fillText(text: string, holes: readonly Hole[]): Value {
  const bare = BARE.exec(text)
  if (bare === null) return text.replace(TOKEN, (_, index: string) => printedHole(holes[Number(index)]))
  const hole = holes[Number(bare[1])]
  return hole === undefined ? null : bareValue(hole)
}

/** What a hole prints inside other text. */
function printedHole(hole: Hole | undefined): string {
  if (hole === undefined) return ''
  return hole.text ?? pythonStr(hole.value)
}

/** The text with what its holes print put back: what Salt's renderer would have handed on. */
export function printHoles(text: string, holes: readonly Hole[]): string {
  return holes.length === 0 ? text : text.replace(TOKEN, (_, index: string) => printedHole(holes[Number(index)]))
}

function bareValue(hole: Hole): Value {
  if (hole.typed) return hole.value
  const text = printedHole(hole)
  const value = jsonValue(text)
  const isPlain = value !== undefined && (typeof hole.value !== 'string' || typeof value !== 'object' || value === null)
  if (isPlain) return value
  const shown = text.slice(0, 80)
  throw new BrineError(`${shown} is printed into JSON as it is. Put the {{ }} in quotes, or add |json.`, {
    code: 'json',
  })
}

function jsonValue(text: string): Value | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
