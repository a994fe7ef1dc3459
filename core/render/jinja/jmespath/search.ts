// Evaluates JMESPath expressions on values.
import { entries, get, isList, isMap, mapOf, pythonEquals, type Value } from '../../../value/index.ts'
import { order } from '../compare.ts'
import type { Datum } from '../datum.ts'
import { sliceIndexes } from '../lookup.ts'
import type { Expression } from './expression.ts'
import { type Argument, checkArity, FUNCTIONS, typeOf } from './functions.ts'
import { parseJmespath } from './parser.ts'
import { jmespathError } from './tokens.ts'

/** `jmespath.search(expression, value)`; null where the expression leads nowhere. `charge` counts the work. */
export function searchJmespath(expression: string, value: Value, charge: (steps: number) => void): Value {
  return new Searcher(charge).search(parseJmespath(expression), value)
}

/** True for what the language calls true: all but null, false, and the empty text, list and map. */
function holds(value: Value): boolean {
  if (value === null || value === false || value === '') return false
  if (isList(value)) return value.length > 0
  return !isMap(value) || entries(value).length > 0
}

class Searcher {
  private readonly charge: (steps: number) => void
  constructor(charge: (steps: number) => void) {
    this.charge = charge
  }

  search(node: Expression, value: Value): Value {
    this.charge(1)
    switch (node.kind) {
      case 'current':
        return value
      case 'literal':
        return node.value
      case 'field':
        return isMap(value) ? (get(value, node.name) ?? null) : null
      case 'index':
        return isList(value) ? (value.at(node.index) ?? null) : null
      case 'slice':
        return this.slice(node, value)
      case 'chain':
      case 'pipe':
        return this.search(node.right, this.search(node.left, value))
      case 'or': {
        const left = this.search(node.left, value)
        return holds(left) ? left : this.search(node.right, value)
      }
      case 'and': {
        const left = this.search(node.left, value)
        return holds(left) ? this.search(node.right, value) : left
      }
      case 'not':
        return !holds(this.search(node.of, value))
      case 'flatten': {
        const of = this.search(node.of, value)
        return isList(of) ? of.flatMap((item) => (isList(item) ? [...item] : [item])) : null
      }
      case 'project':
        return this.project(this.search(node.of, value), node.each)
      case 'values': {
        const of = this.search(node.of, value)
        return isMap(of)
          ? this.project(
              entries(of).map(([, item]) => item),
              node.each,
            )
          : null
      }
      case 'filter': {
        const of = this.search(node.of, value)
        return isList(of)
          ? this.project(
              of.filter((item) => holds(this.search(node.test, item))),
              node.each,
            )
          : null
      }
      case 'list':
        return value === null ? null : node.items.map((item) => this.search(item, value))
      case 'map':
        return value === null ? null : mapOf(node.pairs.map(([key, item]) => [key, this.search(item, value)] as const))
      case 'compare':
        return this.compare(node, value)
      case 'call':
        return this.call(node, value)
      case 'reference':
        return null
    }
  }

  private project(items: Value, each: Expression): Value {
    if (!isList(items)) return null
    const found: Value[] = []
    for (const item of items) {
      const result = this.search(each, item)
      if (result !== null) found.push(result)
    }
    return found
  }

  private slice(node: Extract<Expression, { kind: 'slice' }>, value: Value): Value {
    if (!isList(value)) return null
    const indexes = sliceIndexes(value.length, node.start ?? null, node.stop ?? null, node.step ?? null)
    return indexes.map((index) => value[index] ?? null)
  }

  private compare({ operator, left, right }: Extract<Expression, { kind: 'compare' }>, value: Value): Value {
    const a = this.search(left, value)
    const b = this.search(right, value)
    if (operator === '==' || operator === '!=') {
      const same = (typeof a === 'boolean') === (typeof b === 'boolean') && pythonEquals(a, b)
      return same === (operator === '==')
    }
    const comparable = (side: Value): boolean => typeOf(side) === 'number' || typeof side === 'string'
    return comparable(a) && comparable(b) ? order(a as Datum, b as Datum, operator) : null
  }

  private call({ name, args }: Extract<Expression, { kind: 'call' }>, value: Value): Value {
    const body = FUNCTIONS.get(name)
    if (body === undefined) throw jmespathError(`Unknown function: ${name}()`)
    checkArity(name, args.length)
    const given = args.map(
      (arg): Argument => (arg.kind === 'reference' ? (item) => this.search(arg.of, item) : this.search(arg, value)),
    )
    return body(given)
  }
}
