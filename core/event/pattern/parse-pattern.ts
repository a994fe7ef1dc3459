// Reads an event pattern of EventBridge's language, and says what of it is wrong where it is wrong.
import { contains, parseAddress, type parseNetwork } from '../../target/ip.ts'
import {
  type Dict,
  entries,
  Float,
  has,
  isList,
  isMap,
  type Mapping,
  pythonStr,
  size,
  stringifyJson,
  type Value,
} from '../../value/index.ts'
import type { EventPattern, FieldPattern, FieldTest, NumericBound, Scalar, TextTest } from './pattern.ts'

/** A pattern, or what is wrong with it: each with the path of the field, `data.state: …`. */
export type ParsedPattern =
  | { readonly kind: 'pattern'; readonly pattern: EventPattern }
  | { readonly kind: 'wrong'; readonly problems: readonly string[] }

/** Reads a pattern. `root` is what the messages call the map that it is about. */
export function parsePattern(written: Value, root = 'data'): ParsedPattern {
  const problems: string[] = []
  const pattern = new Reader(problems).pattern(written, root)
  return pattern === undefined || problems.length > 0 ? { kind: 'wrong', problems } : { kind: 'pattern', pattern }
}

const OPERATORS = ['prefix', 'suffix', 'anything-but', 'numeric', 'exists', 'equals-ignore-case', 'wildcard', 'cidr']
const LIST = 'Write a list of what it may be, like ["up", {"prefix": "down"}].'

/** Every method answers `undefined` where it has reported a problem. */
class Reader {
  readonly #problems: string[]

  constructor(problems: string[]) {
    this.#problems = problems
  }

  pattern(written: Value, path: string): EventPattern | undefined {
    if (!isMap(written)) return this.#wrong(path, `a pattern is a map of fields, not ${kindOf(written)}.`)
    if (size(written) === 0) return this.#wrong(path, 'the pattern is empty. Name a field, or leave it out.')
    const fields: FieldPattern[] = []
    const alternatives: EventPattern[][] = []
    for (const [key, value] of entries(written)) {
      const name = pythonStr(key)
      if (name === '$or') {
        const read = this.#alternatives(value, path)
        if (read !== undefined) alternatives.push(read)
      } else {
        const read = this.#field(name, value, `${path}.${name}`)
        if (read !== undefined) fields.push(read)
      }
    }
    return { fields, alternatives }
  }

  #alternatives(value: Value, path: string): EventPattern[] | undefined {
    if (!isList(value) || value.length < 2 || !value.every(isMap)) {
      return this.#wrong(`${path}.$or`, 'it takes a list of two patterns or more, each a map of fields.')
    }
    return value.flatMap((each, index) => this.pattern(each, `${path}.$or[${index}]`) ?? [])
  }

  #field(name: string, value: Value, path: string): FieldPattern | undefined {
    if (isMap(value)) {
      if (isBareTest(value)) {
        return this.#wrong(path, `a test stands in a list: [${show(value)}].`)
      }
      const below = this.pattern(value, path)
      return below === undefined ? undefined : { name, below }
    }
    if (!isList(value)) {
      return this.#wrong(path, `${show(value)} is ${kindOf(value)}, not a list. Write [${show(value)}].`)
    }
    if (value.length === 0) return this.#wrong(path, `the list is empty, which no value meets. ${LIST}`)
    const tests = value.flatMap((each) => this.#test(each, path) ?? [])
    return { name, tests, written: value.map(show).join(', ') }
  }

  #test(written: Value, path: string): FieldTest | undefined {
    if (isList(written)) return this.#wrong(path, `a list in a list. ${LIST}`)
    if (!isMap(written)) return { kind: 'equals', value: scalarOf(written) }
    const [first, ...more] = entries(written)
    if (first === undefined || more.length > 0) {
      return this.#wrong(path, `${show(written)} has ${size(written)} operators. Write one in each map of the list.`)
    }
    const [operator, operand] = [pythonStr(first[0]), first[1]]
    switch (operator) {
      case 'prefix':
      case 'suffix':
      case 'equals-ignore-case':
      case 'wildcard':
        return this.#text(operator, operand, path)
      case 'anything-but':
        return this.#anythingBut(operand, path)
      case 'numeric':
        return this.#numeric(operand, path)
      case 'exists':
        if (typeof operand === 'boolean') return { kind: 'exists', wanted: operand }
        return this.#wrong(path, `exists takes true or false, not ${show(operand)}.`)
      case 'cidr':
        return this.#cidr(operand, path)
      default:
        return this.#wrong(path, `there is no operator ${show(operator)}. There are: ${OPERATORS.join(', ')}.`)
    }
  }

  #text(operator: TextTest['kind'], operand: Value, path: string): TextTest | undefined {
    if ((operator === 'prefix' || operator === 'suffix') && isMap(operand)) {
      const [first, ...more] = entries(operand)
      if (more.length === 0 && first?.[0] === 'equals-ignore-case' && typeof first[1] === 'string') {
        return { kind: operator, text: first[1].toLowerCase(), ignoreCase: true }
      }
      return this.#wrong(path, `${operator} takes text, or {"equals-ignore-case": text}, not ${show(operand)}.`)
    }
    if (typeof operand !== 'string') return this.#wrong(path, `${operator} takes text, not ${show(operand)}.`)
    if (operator === 'wildcard') return this.#wildcard(operand, path)
    if (operator === 'equals-ignore-case') return { kind: operator, text: operand.toLowerCase() }
    return { kind: operator, text: operand, ignoreCase: false }
  }

  #wildcard(text: string, path: string): TextTest | undefined {
    const parts = ['']
    for (let at = 0; at < text.length; at++) {
      const letter = text[at] ?? ''
      const next = text[at + 1] ?? ''
      if (letter === '*' && next === '*')
        return this.#wrong(path, `wildcard ${show(text)} has two stars in a row. Write one.`)
      if (letter === '\\' && next !== '*' && next !== '\\') {
        return this.#wrong(path, `wildcard ${show(text)} has a lone backslash. Write \\\\ for one, and \\* for a star.`)
      }
      if (letter === '*') parts.push('')
      else parts[parts.length - 1] += letter === '\\' ? next : letter
      if (letter === '\\') at++
    }
    return { kind: 'wildcard', parts }
  }

  #anythingBut(operand: Value, path: string): FieldTest | undefined {
    if (isMap(operand)) {
      const [first, ...more] = entries(operand)
      const operator = pythonStr(first?.[0] ?? '')
      if (first === undefined || more.length > 0 || !isTextOperator(operator)) {
        return this.#wrong(
          path,
          `anything-but takes values, or one of prefix, suffix, equals-ignore-case and wildcard, not ${show(operand)}.`,
        )
      }
      const operands = isList(first[1]) ? first[1] : [first[1]]
      if (operands.length === 0) return this.#wrong(path, `anything-but ${operator} has an empty list.`)
      const tests = operands.map((each) => this.#text(operator, each, path))
      return tests.some((test) => test === undefined)
        ? undefined
        : { kind: 'anything-but', tests: tests.flatMap((test) => test ?? []) }
    }
    const values = isList(operand) ? operand : [operand]
    if (values.length === 0)
      return this.#wrong(path, 'anything-but has an empty list, which every value meets. Write [{"exists": true}].')
    if (values.some((value) => isList(value) || isMap(value))) {
      return this.#wrong(path, `anything-but takes a list of texts and numbers, not ${show(operand)}.`)
    }
    return { kind: 'anything-but', tests: values.map((value) => ({ kind: 'equals', value: scalarOf(value) })) }
  }

  #numeric(operand: Value, path: string): FieldTest | undefined {
    const form = 'numeric takes [operator, number] or a range [">", 0, "<=", 5]'
    if (!isList(operand) || (operand.length !== 2 && operand.length !== 4))
      return this.#wrong(path, `${form}, not ${show(operand)}.`)
    const bounds: NumericBound[] = []
    for (let at = 0; at < operand.length; at += 2) {
      const operator = operand[at]
      const value = scalarOf(operand[at + 1] ?? null)
      if (!isComparison(operator))
        return this.#wrong(path, `${form}; ${show(operator ?? null)} is none of = < <= > >=.`)
      if (typeof value !== 'number' && typeof value !== 'bigint')
        return this.#wrong(path, `${form}; ${show(operand[at + 1] ?? null)} is no number.`)
      bounds.push({ operator, value })
    }
    const [low, high] = bounds
    if (low !== undefined && high !== undefined) {
      if (!low.operator.startsWith('>') || !high.operator.startsWith('<'))
        return this.#wrong(path, `${form}: a range begins with > or >= and ends with < or <=.`)
      if (low.value >= high.value)
        return this.#wrong(path, `numeric ${show(operand)}: no number lies between. Exchange the bounds.`)
    }
    return { kind: 'numeric', bounds }
  }

  #cidr(operand: Value, path: string): FieldTest | undefined {
    const network = typeof operand === 'string' && operand.includes('/') ? networkAround(operand) : undefined
    if (network === undefined)
      return this.#wrong(path, `cidr takes a network like "10.0.0.0/24", not ${show(operand)}.`)
    return { kind: 'cidr', network }
  }

  #wrong(path: string, message: string): undefined {
    this.#problems.push(`${path}: ${message}`)
    return undefined
  }
}

/** The network that an address with a prefix lies in: bits of the host are dropped, as EventBridge does. */
function networkAround(text: string): ReturnType<typeof parseNetwork> {
  const [host = '', prefix = ''] = text.split('/')
  const address = parseAddress(host)
  if (address === undefined || !/^\d{1,3}$/.test(prefix)) return undefined
  const width = address.version === 4 ? 32 : 128
  if (Number(prefix) > width) return undefined
  const bits = BigInt(width - Number(prefix))
  const network = { version: address.version, value: (address.value >> bits) << bits, prefix: Number(prefix) }
  return contains(network, address) ? network : undefined
}

/** A test that was written without its list; a field of the event may have an operator's name, but then has a list. */
function isBareTest(map: Mapping | Dict): boolean {
  const [[name, operand] = [null, null], ...more] = entries(map)
  if (more.length > 0 || typeof name !== 'string' || !OPERATORS.includes(name)) return false
  if (isList(operand)) return name === 'anything-but' || (name === 'numeric' && isComparison(operand[0]))
  return !isMap(operand) || ((name === 'prefix' || name === 'suffix') && has(operand, 'equals-ignore-case'))
}

function isTextOperator(operator: string): operator is TextTest['kind'] {
  return ['prefix', 'suffix', 'equals-ignore-case', 'wildcard'].includes(operator)
}

function isComparison(operator: Value | undefined): operator is NumericBound['operator'] {
  return operator === '=' || operator === '<' || operator === '<=' || operator === '>' || operator === '>='
}

/** A plain value; integral floats are numbers like others. */
export function scalarOf(value: Value): Scalar {
  if (value instanceof Float) return value.value
  return isList(value) || isMap(value) ? null : value
}

function show(value: Value): string {
  return stringifyJson(value, { ascii: false })
}

function kindOf(value: Value): string {
  if (value === null) return 'null'
  if (isList(value)) return 'a list'
  if (isMap(value)) return 'a map'
  if (typeof value === 'string') return 'text'
  return typeof value === 'boolean' ? 'true or false' : 'a number'
}
