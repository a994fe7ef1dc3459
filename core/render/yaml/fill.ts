// Puts holes into a parsed document. Whatever they hold, the document keeps its keys, items and scalars.
import { BrineError } from '../../error.ts'
import { Dict, entries, isMap, type Mapping, needsDict, pythonStr, type Value } from '../../value/index.ts'
import type { Hole } from '../hole.ts'
import { holeValue, textInBlock, trimmed, withoutLineEnds } from './hole-value.ts'
import type { Entry, OpenMapPlan, ParsedDocument, Plan, TextPlan, YamlSource } from './plan.ts'
import { conflictError, constructScalar, keyIdentity } from './planner.ts'
import { typedText } from './scalar-type.ts'
import { YamlError } from './yaml-error.ts'

/**
 * The document's value with its holes filled. Lists and maps are new each time, so a caller may change them.
 * `source` names the file in errors where it is not the one the document was parsed from. Throws YamlError where two keys turn out equal, or where a hole cannot be what its tag says.
 */
export function fillDocument(document: ParsedDocument, holes: readonly Hole[], source: YamlSource = {}): Value {
  return new Filling(document, holes, source.name ?? document.name).value(document.root)
}

class Filling {
  private readonly document: ParsedDocument
  private readonly holes: readonly Hole[]
  private readonly name: string | undefined
  private readonly shared: (Value | undefined)[] | undefined

  constructor(document: ParsedDocument, holes: readonly Hole[], name: string | undefined) {
    this.document = document
    this.name = name
    this.holes = holes
    this.shared = document.shares > 0 ? [] : undefined
  }

  value(plan: Plan): Value {
    if (plan.kind === 'constant') return plan.value
    if (plan.kind === 'text') return this.scalar(plan)
    if (plan.share < 0 || this.shared === undefined) return this.collection(plan)
    const known = this.shared[plan.share]
    if (known !== undefined) return known
    const value = this.collection(plan)
    this.shared[plan.share] = value
    return value
  }

  private collection(plan: Exclude<Plan, { kind: 'constant' | 'text' }>): Value {
    switch (plan.kind) {
      case 'list': {
        const list: Value[] = []
        for (const item of plan.items) list.push(this.value(item))
        return list
      }
      case 'map': {
        const map: Mapping = {}
        for (let index = 0; index < plan.keys.length; index++) {
          const value = plan.values[index]
          if (value !== undefined) map[plan.keys[index] ?? ''] = this.value(value)
        }
        return map
      }
      case 'dict': {
        const dict = new Dict()
        for (const [index, value] of plan.values.entries()) dict.set(plan.keys[index] ?? null, this.value(value))
        return dict
      }
      case 'openMap':
        return this.openMap(plan)
    }
  }

  private hole(index: number): Hole {
    const hole = this.holes[index]
    if (hole !== undefined) return hole
    throw new BrineError(
      `The text refers to hole ${index}, but only ${this.holes.length} were given. Fill a document with the holes it was rendered with.`,
      { code: 'yaml' },
    )
  }

  private scalar(plan: TextPlan): Value {
    const first = plan.parts[0]
    if (plan.typed && plan.tag === undefined && plan.parts.length === 1 && typeof first === 'number') {
      return holeValue(this.hole(first))
    }
    const text = this.text(plan)
    if (plan.tag === undefined) return plan.typed ? typedText(text) : text
    return constructScalar(plan.tag, text, (problem) => this.error(plan.at, problem))
  }

  /** The scalar's text: trimmed where it is plain, dedented and chomped in a block, literal in quotes. */
  private text(plan: TextPlan): string {
    const inBlock = plan.style === 'literal' || plan.style === 'folded'
    let text = ''
    for (const part of plan.parts) {
      if (typeof part === 'string') text += part
      else {
        const hole = this.hole(part)
        const printed = hole.text ?? pythonStr(hole.value)
        text += inBlock ? textInBlock(printed, plan.indent, plan.style === 'folded') : printed
      }
    }
    if (plan.style === 'plain') return trimmed(text)
    return inBlock && endsWithHole(plan) ? chomped(text, plan) : text
  }

  private openMap(plan: OpenMapPlan): Value {
    const own = plan.own.map((entry) => this.entry(entry))
    const texts = new Set(own.map((entry) => entry.text))
    const merged = plan.merged.flatMap((entry) =>
      'key' in entry ? [this.entry(entry)] : this.mergedHole(entry, plan.at),
    )
    const list = [...merged.filter((entry) => !texts.has(entry.text)), ...own]
    const seen = new Set<unknown>()
    for (const { key, at } of list) {
      const identity = keyIdentity(key)
      if (seen.has(identity)) throw conflictError({ text: this.document.text, name: this.name }, plan.at, key, at)
      seen.add(identity)
    }
    if (list.some(({ key }) => needsDict(key))) return new Dict(list.map(({ key, value }) => [key, value()]))
    const map: Mapping = {}
    for (const { key, value } of list) map[String(key)] = value()
    return map
  }

  private entry(entry: Entry): FilledEntry {
    const value = (): Value => this.value(entry.value)
    if (entry.key.kind === 'constant') return { key: entry.key.value, text: entry.text, value, at: entry.at }
    const key = this.scalar(entry.key)
    if (Array.isArray(key) || isMap(key)) throw this.error(entry.at, `found unacceptable key ${pythonStr(key)}`)
    return { key, text: typeof key === 'string' ? key : this.text(entry.key), value, at: entry.at }
  }

  /** `<<` with a printed map, or a printed list of maps. */
  private mergedHole(plan: TextPlan, at: number): FilledEntry[] {
    const value = this.scalar(plan)
    const maps = Array.isArray(value) ? [...value].reverse() : [value]
    return maps.flatMap((map) => {
      if (isMap(map)) {
        return entries(map).map(([key, item]) => ({ key, text: pythonStr(key), value: () => item, at: plan.at }))
      }
      throw new YamlError(
        {
          kind: 'ConstructorError',
          context: 'while constructing a mapping',
          contextAt: at,
          problem: 'expected a mapping or list of mappings for merging, but found scalar',
          at: plan.at,
        },
        this.document.text,
        this.name,
      )
    })
  }

  private error(at: number, problem: string): YamlError {
    return new YamlError({ kind: 'ConstructorError', problem, at }, this.document.text, this.name)
  }
}

interface FilledEntry {
  readonly key: Value
  readonly text: string
  readonly value: () => Value
  readonly at: number
}

function endsWithHole(plan: TextPlan): boolean {
  const last = plan.parts.findLast((part) => typeof part === 'number' || withoutLineEnds(part) !== '')
  return typeof last === 'number'
}

function chomped(text: string, plan: TextPlan): string {
  if (plan.chomping === 'keep') return text
  const body = withoutLineEnds(text)
  return plan.chomping === 'strip' || body === '' ? body : `${body}\n`
}
