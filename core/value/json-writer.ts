// Prints values as Python's json.dumps does: separators, floats, key conversion, ASCII escapes.
import { BrineError } from '../error.ts'
import { floatText } from './float-text.ts'
import { Dict, Float, type Mapping, Tuple, type Value } from './value.ts'

/** How {@link stringifyJson} prints; the defaults are those of `json.dumps`. */
export interface JsonOptions {
  /** Spaces a level, or the text itself. @default one line */
  readonly indent?: number | string
  /** Keys in code point order. @default false */
  readonly sortKeys?: boolean
  /** Everything beyond ASCII as `\uXXXX`. @default true */
  readonly ascii?: boolean
  /** Between items, and between key and value. @default [', ', ': '], or [',', ': '] with an indent */
  readonly separators?: readonly [string, string]
}

interface Style {
  readonly indent: string | undefined
  readonly sortKeys: boolean
  readonly ascii: boolean
  readonly item: string
  readonly colon: string
}

/** Prints a value as `json.dumps` does. Throws a BrineError `json` for keys JSON cannot hold and for cycles. */
export function stringifyJson(value: Value, options: JsonOptions = {}): string {
  const indent = typeof options.indent === 'number' ? ' '.repeat(options.indent) : options.indent
  const [item, colon] = options.separators ?? (indent === undefined ? [', ', ': '] : [',', ': '])
  const style: Style = { indent, sortKeys: options.sortKeys ?? false, ascii: options.ascii ?? true, item, colon }
  return print(value, style, 0)
}

const MAX_DEPTH = 1000
const PLAIN = /^[ !#-[\]-~]*$/

function print(value: Value, style: Style, depth: number): string {
  if (typeof value === 'string') return quote(value, style.ascii)
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') return printNumber(value)
  if (value instanceof Float) return floatText(value.value)
  if (depth > MAX_DEPTH) {
    throw new BrineError('Circular reference detected: the value holds itself. Break the cycle.', { code: 'json' })
  }
  return Array.isArray(value) ? printList(value, style, depth) : printMap(value, style, depth)
}

function printNumber(value: number): string {
  if (Number.isSafeInteger(value)) return value === 0 ? '0' : String(value)
  if (Number.isInteger(value)) return BigInt(value).toString()
  return floatText(value).replace('inf', 'Infinity').replace('nan', 'NaN')
}

function printList(list: Value[], style: Style, depth: number): string {
  if (list.length === 0) return '[]'
  const inner = lineStart(style, depth + 1)
  let text = `[${inner}`
  for (let index = 0; index < list.length; index++) {
    if (index > 0) text += style.item + inner
    text += print(list[index] ?? null, style, depth + 1)
  }
  return `${text}${lineStart(style, depth)}]`
}

function printMap(map: Mapping | Dict, style: Style, depth: number): string {
  if (map instanceof Dict || style.sortKeys) return printPairs(pairsOf(map, style.sortKeys), style, depth)
  const inner = lineStart(style, depth + 1)
  let text = ''
  for (const key of Object.keys(map)) {
    text += text === '' ? `{${inner}` : style.item + inner
    text += quote(key, style.ascii) + style.colon + print(map[key] ?? null, style, depth + 1)
  }
  return text === '' ? '{}' : `${text}${lineStart(style, depth)}}`
}

function pairsOf(map: Mapping | Dict, sorted: boolean): [Value, Value][] {
  const pairs: [Value, Value][] = map instanceof Dict ? [...map] : Object.entries(map)
  return sorted ? pairs.sort(([a], [b]) => compareKeys(a, b)) : pairs
}

function printPairs(pairs: readonly (readonly [Value, Value])[], style: Style, depth: number): string {
  if (pairs.length === 0) return '{}'
  const inner = lineStart(style, depth + 1)
  const items = pairs.map(([key, value]) => {
    return quote(keyText(key), style.ascii) + style.colon + print(value, style, depth + 1)
  })
  return `{${inner}${items.join(style.item + inner)}${lineStart(style, depth)}}`
}

/** What begins a line at a depth; nothing where everything stands on one. */
function lineStart(style: Style, depth: number): string {
  return style.indent === undefined ? '' : `\n${style.indent.repeat(depth)}`
}

function keyText(key: Value): string {
  if (typeof key === 'string') return key
  if (typeof key === 'object' && key !== null && !(key instanceof Float)) {
    const kind = key instanceof Tuple ? 'tuple' : Array.isArray(key) ? 'list' : 'dict'
    throw new BrineError(
      `keys must be str, int, float, bool or None, not ${kind}. Turn the key into text before printing it as JSON.`,
      { code: 'json' },
    )
  }
  return print(key, { indent: undefined, sortKeys: false, ascii: true, item: '', colon: '' }, 0)
}

function compareKeys(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  const left = keyNumber(a)
  const right = keyNumber(b)
  if (left === undefined || right === undefined) {
    throw new BrineError(
      `Keys of different types cannot be sorted: ${keyText(a)} and ${keyText(b)}. Use keys of one type.`,
      { code: 'json' },
    )
  }
  return left < right ? -1 : left > right ? 1 : 0
}

function keyNumber(key: Value): number | bigint | undefined {
  if (typeof key === 'boolean') return key ? 1 : 0
  if (key instanceof Float) return key.value
  return typeof key === 'number' || typeof key === 'bigint' ? key : undefined
}

/** Compares by code point, as Python does (`<` compares UTF-16 units, which differs beyond U+FFFF). */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) {
      const astral = isSurrogate(left)
      return astral === isSurrogate(right) ? left - right : astral ? 1 : -1
    }
  }
  return a.length - b.length
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000
}

function quote(text: string, ascii: boolean): string {
  if (PLAIN.test(text)) return `"${text}"`
  return `"${text.replace(ascii ? NOT_ASCII : SPECIAL, escapeChar)}"`
}

const NOT_ASCII = /[^ !#-[\]-~]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes exactly these
const SPECIAL = /["\\\u0000-\u001f]/g
const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\f': '\\f',
  '\b': '\\b',
}

function escapeChar(char: string): string {
  return SHORT[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
