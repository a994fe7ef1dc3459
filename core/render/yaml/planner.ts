// Turns nodes into plans: tags to types, duplicate and merge keys, holes found inside scalars.
import { isFloat, needsDict, pythonStr, stringRepr, type Value } from '../../value/index.ts'
import { HOLE_CLOSE, HOLE_OPEN } from '../hole.ts'
import { decodeBinary, nodeText } from './constructed.ts'
import { type MappingNode, type Node, type Pair, type ScalarNode, type SequenceNode, YAML_TAG } from './node.ts'
import type { ConstantPlan, Entry, ListPlan, Plan, TextPlan } from './plan.ts'
import { plainType, readScalar, UnreadableScalar } from './scalar-type.ts'
import { YamlError } from './yaml-error.ts'

const COLLECTION_TAGS = ['map', 'set', 'seq', 'omap', 'pairs'].map((name) => YAML_TAG + name)
const LARGEST = 1_000_000
const LONE_HOLE = new RegExp(`^${HOLE_OPEN}\\d+${HOLE_CLOSE}$`)
const HOLES = new RegExp(`${HOLE_OPEN}(\\d+)${HOLE_CLOSE}`)

/** Where errors point, and whether tokens in scalars are holes. */
export interface PlannerOptions {
  readonly text: string
  readonly name: string | undefined
  readonly holes: boolean
}

/** Plans a document once. Throws YamlError for what is wrong whatever the holes hold. */
export class Planner {
  /** How many plans are used in several places. */
  shares = 0
  private readonly plans = new Map<Node, Plan>()
  private readonly sizes = new Map<Plan, number>()
  private readonly options: PlannerOptions

  constructor(options: PlannerOptions) {
    this.options = options
  }

  plan(node: Node): Plan {
    const known = this.plans.get(node)
    if (known !== undefined) {
      if (known.kind !== 'constant' && known.kind !== 'text' && known.share < 0) known.share = this.shares++
      return known
    }
    const plan = this.fresh(node)
    this.plans.set(node, plan)
    return plan
  }

  private fresh(node: Node): Plan {
    if (node.kind === 'scalar') return this.scalar(node)
    const plan = node.kind === 'sequence' ? this.sequence(node) : this.mapping(node)
    const size = this.sizeOf(plan)
    if (size > LARGEST) {
      throw this.error(node.at, `the document has more than ${LARGEST} nodes once its aliases are written out`)
    }
    this.sizes.set(plan, size)
    return plan
  }

  private sizeOf(plan: Plan): number {
    const known = this.sizes.get(plan)
    if (known !== undefined) return known
    if (plan.kind === 'list') return plan.items.reduce((sum, item) => sum + this.sizeOf(item), 1)
    if (plan.kind === 'map' || plan.kind === 'dict') {
      return plan.values.reduce((sum, value) => sum + 1 + this.sizeOf(value), 1)
    }
    if (plan.kind !== 'openMap') return 1
    return [...plan.own, ...plan.merged].reduce(
      (sum, entry) => sum + ('key' in entry ? this.sizeOf(entry.value) : 1),
      1,
    )
  }

  private scalar(node: ScalarNode): ConstantPlan | TextPlan {
    const { value, style, chomping, indent } = node.text
    if (this.options.holes && value.includes(HOLE_OPEN)) {
      const parts = value.split(HOLES).map((part, index) => (index % 2 === 1 ? Number(part) : part))
      const { tag, typed, at } = node
      const filled = parts.filter((part) => part !== '')
      return { kind: 'text', parts: filled, style, chomping, indent: indent ?? 0, typed, tag, at }
    }
    return { kind: 'constant', value: this.constant(node, value) }
  }

  private constant(node: ScalarNode, text: string): Value {
    if (node.tag === undefined && !node.typed) return text
    return constructScalar(node.tag, text, (problem) => this.error(node.at, problem))
  }

  private sequence(node: SequenceNode): Plan {
    const tag = node.tag ?? '!'
    const items = (): Plan[] => node.items.map((item) => this.plan(item))
    if (tag === '!' || tag === `${YAML_TAG}seq`) return { kind: 'list', items: items(), share: -1 }
    if (tag === `${YAML_TAG}omap` || tag === `${YAML_TAG}pairs`) {
      return { kind: 'list', items: node.items.map((item) => this.pair(item, node)), share: -1 }
    }
    throw this.misplaced(node, tag)
  }

  /** An item of `!!omap` and `!!pairs`: a map of one pair becomes a list of two. */
  private pair(item: Node, parent: SequenceNode): ListPlan {
    const pair = item.kind === 'mapping' && item.pairs.length === 1 ? item.pairs[0] : undefined
    if (pair === undefined) {
      const found = item.kind === 'mapping' ? `${item.pairs.length} items` : item.kind
      throw this.error(item.at, `expected a single mapping item, but found ${found}`, {
        context: 'while constructing an ordered map',
        contextAt: parent.at,
      })
    }
    return { kind: 'list', items: [this.plan(pair[0]), this.plan(pair[1])], share: -1 }
  }

  private mapping(node: MappingNode): Plan {
    const tag = node.tag ?? '!'
    if (tag !== '!' && tag !== `${YAML_TAG}map` && tag !== `${YAML_TAG}set`) throw this.misplaced(node, tag)
    const pairs = this.flatten(node)
    const own = pairs.own.map(([key, value]) => this.entry(node, key, value))
    const merged = pairs.merged.map((pair) => ('kind' in pair ? pair : this.entry(node, pair[0], pair[1])))
    const isOpen = merged.some((entry) => !('key' in entry)) || [...own, ...merged].some(hasOpenKey)
    if (isOpen) return { kind: 'openMap', own, merged, at: node.at, share: -1 }
    return this.closedMap(node, [...(merged as readonly Entry[]), ...own])
  }

  private closedMap(node: MappingNode, entries: readonly Entry[]): Plan {
    const keys: Value[] = []
    const seen = new Set<unknown>()
    for (const entry of entries) {
      const key = entry.key.kind === 'constant' ? entry.key.value : null
      const identity = keyIdentity(key)
      if (seen.has(identity)) throw this.conflict(node.at, key, entry.at)
      seen.add(identity)
      keys.push(key)
    }
    const values = entries.map((entry) => entry.value)
    if (keys.some(needsDict)) return { kind: 'dict', keys, values, share: -1 }
    return { kind: 'map', keys: keys.map(String), values, share: -1 }
  }

  private conflict(at: number, key: Value, keyAt: number): YamlError {
    return conflictError(this.options, at, key, keyAt)
  }

  /** Own pairs, and those that `<<` brings: what the map has itself is left out of them. */
  private flatten(node: MappingNode): { own: Pair[]; merged: readonly (Pair | TextPlan)[] } {
    const own: Pair[] = []
    const brought: (Pair | TextPlan)[] = []
    for (const [key, value] of node.pairs) {
      if (isMergeKey(key)) brought.push(...this.merge(node, value))
      else own.push([key, value])
    }
    if (brought.length === 0) return { own, merged: brought }
    const texts = new Set(own.map(([key]) => this.comparedText(key)))
    const merged = brought.filter((pair) => 'kind' in pair || !texts.has(this.comparedText(pair[0])))
    return { own, merged }
  }

  /** A key as merging compares it: by its text. Keys with holes are compared when they are filled. */
  private comparedText(key: Node): string | Node {
    return key.kind === 'scalar' && !(this.options.holes && key.text.value.includes(HOLE_OPEN)) ? key.text.value : key
  }

  private merge(node: MappingNode, value: Node): readonly (Pair | TextPlan)[] {
    if (value.kind === 'mapping') {
      const { own, merged } = this.flatten(value)
      return [...merged, ...own]
    }
    if (value.kind === 'sequence') {
      const maps = value.items.map((item) => {
        if (item.kind === 'mapping' || this.isLoneHole(item)) return this.merge(node, item)
        throw this.error(item.at, `expected a mapping for merging, but found ${item.kind}`, {
          context: 'while constructing a mapping',
          contextAt: node.at,
        })
      })
      return maps.reverse().flat()
    }
    if (this.isLoneHole(value)) {
      const plan = this.scalar(value)
      if (plan.kind === 'text') return [plan]
    }
    throw this.error(value.at, 'expected a mapping or list of mappings for merging, but found scalar', {
      context: 'while constructing a mapping',
      contextAt: node.at,
    })
  }

  private isLoneHole(node: Node): node is ScalarNode {
    if (!this.options.holes || node.kind !== 'scalar' || node.tag !== undefined || !node.typed) return false
    return LONE_HOLE.test(node.text.value)
  }

  private entry(node: MappingNode, key: Node, value: Node): Entry {
    if (key.kind !== 'scalar') {
      if (key.tag !== undefined && !COLLECTION_TAGS.includes(key.tag)) throw this.misplaced(key, key.tag)
      throw this.error(key.at, `found unacceptable key ${nodeText(key)}`, {
        context: 'while constructing a mapping',
        contextAt: node.at,
      })
    }
    const plan: ConstantPlan | TextPlan = isDefaultKey(key)
      ? { kind: 'constant', value: key.text.value }
      : this.scalar(key)
    return { key: plan, text: key.text.value, value: this.plan(value), at: key.at }
  }

  private misplaced(node: MappingNode | SequenceNode, tag: string): YamlError {
    const kinds: Readonly<Record<string, string>> = {
      map: 'mapping',
      set: 'mapping',
      seq: 'sequence',
      omap: 'sequence',
      pairs: 'sequence',
      str: 'scalar',
      int: 'scalar',
      float: 'scalar',
      bool: 'scalar',
      null: 'scalar',
      timestamp: 'scalar',
      binary: 'scalar',
    }
    const expected = tag.startsWith(YAML_TAG) ? kinds[tag.slice(YAML_TAG.length)] : undefined
    if (expected === undefined) return this.error(node.at, noConstructor(tag))
    return this.error(node.at, `expected a ${expected} node, but found ${node.kind}`)
  }

  private error(at: number, problem: string, context: { context?: string; contextAt?: number } = {}): YamlError {
    const { text, name } = this.options
    return new YamlError({ kind: 'ConstructorError', problem, at, ...context }, text, name)
  }
}

/** What makes two keys one in Python: `1`, `1.0` and `true` are equal, `1` and `"1"` are not. */
export function keyIdentity(key: Value): unknown {
  if (typeof key === 'string') return key
  if (key === null) return null
  if (typeof key === 'boolean') return key ? 1 : 0
  if (typeof key === 'number') return key === 0 ? 0 : key
  if (isFloat(key)) return typeof key === 'number' ? key : key.value
  return key
}

/** Salt's error for a key that is there already. */
export function conflictError(
  source: { readonly text: string; readonly name: string | undefined },
  at: number,
  key: Value,
  keyAt: number,
): YamlError {
  const problem = `found conflicting ID '${pythonStr(key)}'`
  const context = 'while constructing a mapping'
  return new YamlError(
    { kind: 'ConstructorError', context, contextAt: at, problem, at: keyAt },
    source.text,
    source.name,
  )
}

/** The value of a scalar with an explicit tag, or none and typed by its look. `fail` makes the error that is thrown. */
export function constructScalar(tag: string | undefined, text: string, fail: (problem: string) => Error): Value {
  const type = tag === undefined ? plainType(text) : tag.startsWith(YAML_TAG) ? tag.slice(YAML_TAG.length) : ''
  try {
    switch (type) {
      case 'null':
      case 'bool':
      case 'int':
      case 'float':
      case 'timestamp':
      case 'str':
        return readScalar(type, text)
      case 'python/unicode':
        return text
      case 'binary':
        return decodeBinary(text)
      case 'map':
      case 'set':
      case 'seq':
      case 'omap':
      case 'pairs':
        throw fail(`expected a ${type === 'map' || type === 'set' ? 'mapping' : 'sequence'} node, but found scalar`)
      default:
        throw fail(noConstructor(tag ?? YAML_TAG + type))
    }
  } catch (error) {
    if (error instanceof UnreadableScalar) throw fail(error.message)
    throw error
  }
}

function noConstructor(tag: string): string {
  return `could not determine a constructor for the tag ${stringRepr(tag)}`
}

function hasOpenKey(entry: Entry | TextPlan): boolean {
  return 'key' in entry && entry.key.kind === 'text'
}

function isDefaultKey(key: ScalarNode): boolean {
  return key.tag === undefined ? key.typed && key.text.value === '=' : key.tag === `${YAML_TAG}value`
}

function isMergeKey(node: Node): boolean {
  if (node.kind !== 'scalar') return false
  if (node.tag !== undefined) return node.tag === `${YAML_TAG}merge`
  return node.typed && node.text.value === '<<'
}
