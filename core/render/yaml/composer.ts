// Turns tokens into nodes: libyaml's grammar, anchors and aliases, tag handles, one document.
import { type MappingNode, type Node, type Pair, type ScalarNode, type SequenceNode, YAML_TAG } from './node.ts'
import type { TagText } from './scan-property.ts'
import { Scanner } from './scanner.ts'
import type { BareKind, Token, TokenKind } from './token.ts'
import type { YamlError } from './yaml-error.ts'

const DEPTH = 300

/** A node's anchor and tag, and where they begin. */
interface Properties {
  readonly at: number
  readonly anchor: { readonly name: string; readonly at: number } | undefined
  readonly tag: string | undefined
}

/** What an anchor names; the node is missing while it is still being read. */
interface Anchor {
  readonly at: number
  node?: Node
}

/** The root node of a text that holds at most one document; `undefined` for an empty one. Throws YamlError. */
export function composeYaml(text: string, name?: string): Node | undefined {
  return new Composer(text, name).document()
}

class Composer {
  private readonly scanner: Scanner
  private readonly anchors = new Map<string, Anchor>()
  private handles = new Map<string, string>()
  private depth = 0

  constructor(text: string, name?: string) {
    this.scanner = new Scanner(text, name)
  }

  document(): Node | undefined {
    if (this.scanner.peek().kind === 'streamEnd') return undefined
    const explicit = this.documentStart(true)
    const first = this.scanner.peek()
    const ends: readonly TokenKind[] = ['directive', 'documentStart', 'documentEnd', 'streamEnd']
    const root = explicit && ends.includes(first.kind) ? this.empty(first.at) : this.node(true, false)
    this.documentEnd()
    const next = this.scanner.peek()
    if (next.kind !== 'streamEnd') {
      this.documentStart(false)
      throw this.scanner.error({
        kind: 'ComposerError',
        context: 'expected a single document in the stream',
        contextAt: root.at,
        problem: 'but found another document',
        at: next.at,
      })
    }
    return root
  }

  /** Passes directives and `---`; false where the document begins without them. */
  private documentStart(implicit: boolean): boolean {
    const first = this.scanner.peek()
    this.handles = new Map([
      ['!', '!'],
      ['!!', YAML_TAG],
    ])
    if (first.kind === 'documentStart') {
      this.scanner.next()
      return true
    }
    if (implicit && first.kind !== 'directive') return false
    this.directives()
    const start = this.scanner.peek()
    if (start.kind !== 'documentStart') throw this.parserError('did not find expected <document start>', start.at)
    this.scanner.next()
    return true
  }

  private directives(): void {
    let version = false
    const tags = new Set<string>()
    for (;;) {
      const token = this.scanner.peek()
      if (token.kind !== 'directive') return
      this.scanner.next()
      if (token.directive.kind === 'version') {
        if (version) throw this.parserError('found duplicate %YAML directive', token.at)
        const { major, minor } = token.directive
        if (major !== 1 || (minor !== 1 && minor !== 2)) {
          throw this.parserError('found incompatible YAML document', token.at)
        }
        version = true
      } else {
        const { handle, prefix } = token.directive
        if (tags.has(handle)) throw this.parserError('found duplicate %TAG directive', token.at)
        tags.add(handle)
        this.handles.set(handle, prefix)
      }
    }
  }

  private documentEnd(): void {
    while (this.scanner.peek().kind === 'documentEnd') this.scanner.next()
  }

  private node(block: boolean, indentless: boolean): Node {
    const first = this.scanner.peek()
    if (first.kind === 'alias') {
      this.scanner.next()
      return this.alias(first.name, first.at)
    }
    const properties = this.properties()
    const token = this.scanner.peek()
    const anchor = this.declare(properties)
    const node = this.content(token, properties, block, indentless)
    if (anchor !== undefined) anchor.node = node
    return node
  }

  private content(token: Token, properties: Properties, block: boolean, indentless: boolean): Node {
    const { at, tag } = properties
    if (indentless && token.kind === 'blockEntry') return this.nested(() => this.indentless(at, tag))
    if (token.kind === 'scalar') {
      this.scanner.next()
      const typed = tag === '!' || (tag === undefined && token.scalar.style === 'plain')
      return { kind: 'scalar', at, tag: tag === '!' ? undefined : tag, text: token.scalar, typed }
    }
    if (token.kind === 'flowSequence') return this.nested(() => this.flowSequence(at, tag))
    if (token.kind === 'flowMapping') return this.nested(() => this.flowMapping(at, tag))
    if (block && token.kind === 'blockSequence') return this.nested(() => this.blockSequence(at, tag))
    if (block && token.kind === 'blockMapping') return this.nested(() => this.blockMapping(at, tag))
    if (tag !== undefined || properties.anchor !== undefined) return this.empty(at, tag)
    throw this.parserError(
      'did not find expected node content',
      token.at,
      block ? 'while parsing a block node' : 'while parsing a flow node',
      at,
    )
  }

  private nested<Kind extends Node>(read: () => Kind): Kind {
    if (++this.depth > DEPTH) {
      throw this.parserError(`the document is nested deeper than ${DEPTH} levels`, this.scanner.peek().at)
    }
    const node = read()
    this.depth--
    return node
  }

  private properties(): Properties {
    const at = this.scanner.peek().at
    let anchor: Properties['anchor']
    let tag: string | undefined
    for (;;) {
      const token = this.scanner.peek()
      if (token.kind === 'anchor' && anchor === undefined) anchor = { name: token.name, at }
      else if (token.kind === 'tag' && tag === undefined) tag = this.fullTag(token.tag, token.at, at)
      else return { at, anchor, tag }
      this.scanner.next()
    }
  }

  private fullTag(tag: TagText, at: number, start: number): string {
    if (tag.handle === '') return tag.suffix
    const prefix = this.handles.get(tag.handle)
    if (prefix === undefined) throw this.parserError('found undefined tag handle', at, 'while parsing a node', start)
    return prefix + tag.suffix
  }

  private declare(properties: Properties): Anchor | undefined {
    if (properties.anchor === undefined) return undefined
    const { name, at } = properties.anchor
    const known = this.anchors.get(name)
    if (known !== undefined) {
      throw this.scanner.error({
        kind: 'ComposerError',
        context: 'found duplicate anchor; first occurrence',
        contextAt: known.at,
        problem: 'second occurrence',
        at,
      })
    }
    const anchor: Anchor = { at }
    this.anchors.set(name, anchor)
    return anchor
  }

  private alias(name: string, at: number): Node {
    const anchor = this.anchors.get(name)
    if (anchor === undefined) throw this.scanner.error({ kind: 'ComposerError', problem: 'found undefined alias', at })
    if (anchor.node === undefined) {
      throw this.scanner.error({ kind: 'ConstructorError', problem: 'found unconstructable recursive node', at })
    }
    return anchor.node
  }

  private empty(at: number, tag?: string): ScalarNode {
    const text = { value: '', style: 'plain' } as const
    return { kind: 'scalar', at, tag: tag === '!' ? undefined : tag, text, typed: tag === undefined }
  }

  /** Passes an indicator and reads the node after it, unless one of `kinds` follows: then it was left out. */
  private nodeAfter(kinds: readonly BareKind[], block: boolean, indentless: boolean): Node {
    const indicator = this.scanner.next()
    const left = (kinds as readonly TokenKind[]).includes(this.scanner.peek().kind)
    return left ? this.empty(indicator.at + (indicator.kind === 'key' ? 0 : 1)) : this.node(block, indentless)
  }

  private blockSequence(at: number, tag: string | undefined): SequenceNode {
    const start = this.scanner.next().at
    const items: Node[] = []
    for (;;) {
      const token = this.scanner.peek()
      if (token.kind === 'blockEnd') {
        this.scanner.next()
        return { kind: 'sequence', at, tag, items }
      }
      if (token.kind !== 'blockEntry') {
        throw this.parserError(
          "did not find expected '-' indicator",
          token.at,
          'while parsing a block collection',
          start,
        )
      }
      items.push(this.nodeAfter(['blockEntry', 'blockEnd'], true, false))
    }
  }

  private indentless(at: number, tag: string | undefined): SequenceNode {
    const items: Node[] = []
    while (this.scanner.peek().kind === 'blockEntry') {
      items.push(this.nodeAfter(['blockEntry', 'key', 'value', 'blockEnd'], true, false))
    }
    return { kind: 'sequence', at, tag, items }
  }

  private blockMapping(at: number, tag: string | undefined): MappingNode {
    const start = this.scanner.next().at
    const pairs: Pair[] = []
    for (;;) {
      const token = this.scanner.peek()
      if (token.kind === 'blockEnd') {
        this.scanner.next()
        return { kind: 'mapping', at, tag, pairs }
      }
      if (token.kind !== 'key') {
        throw this.parserError('did not find expected key', token.at, 'while parsing a block mapping', start)
      }
      const key = this.nodeAfter(['key', 'value', 'blockEnd'], true, true)
      pairs.push([key, this.blockValue()])
    }
  }

  private blockValue(): Node {
    const token = this.scanner.peek()
    if (token.kind !== 'value') return this.empty(token.at)
    return this.nodeAfter(['key', 'value', 'blockEnd'], true, true)
  }

  private flowSequence(at: number, tag: string | undefined): SequenceNode {
    const start = this.scanner.next().at
    const items: Node[] = []
    for (;;) {
      if (this.flowEnd('flowSequenceEnd', start, items.length === 0)) return { kind: 'sequence', at, tag, items }
      const token = this.scanner.peek()
      if (token.kind === 'key') {
        items.push({ kind: 'mapping', at: token.at, tag: undefined, pairs: [this.flowPair()] })
      } else items.push(this.node(false, false))
    }
  }

  /** A pair in a list. libyaml loses a token where the key after `?` is missing, and so do we. */
  private flowPair(): Pair {
    const after: readonly BareKind[] = ['value', 'flowEntry', 'flowSequenceEnd']
    this.scanner.next()
    const token = this.scanner.peek()
    if (!(after as readonly TokenKind[]).includes(token.kind)) {
      return [this.node(false, false), this.flowValue('flowSequenceEnd')]
    }
    this.scanner.next()
    return [this.empty(token.at), this.flowValue('flowSequenceEnd')]
  }

  private flowMapping(at: number, tag: string | undefined): MappingNode {
    const start = this.scanner.next().at
    const pairs: Pair[] = []
    for (;;) {
      if (this.flowEnd('flowMappingEnd', start, pairs.length === 0)) return { kind: 'mapping', at, tag, pairs }
      const token = this.scanner.peek()
      if (token.kind === 'key') {
        const key = this.nodeAfter(['value', 'flowEntry', 'flowMappingEnd'], false, false)
        pairs.push([key, this.flowValue('flowMappingEnd')])
      } else {
        const key = this.node(false, false)
        pairs.push([key, this.empty(this.scanner.peek().at)])
      }
    }
  }

  private flowValue(end: 'flowSequenceEnd' | 'flowMappingEnd'): Node {
    const token = this.scanner.peek()
    if (token.kind !== 'value') return this.empty(token.at)
    return this.nodeAfter(['flowEntry', end], false, false)
  }

  /** Passes the comma between two entries and says whether the collection ends here. */
  private flowEnd(end: 'flowSequenceEnd' | 'flowMappingEnd', start: number, first: boolean): boolean {
    if (!first && this.scanner.peek().kind !== end) {
      const token = this.scanner.peek()
      if (token.kind !== 'flowEntry') {
        const sequence = end === 'flowSequenceEnd'
        throw this.parserError(
          `did not find expected ',' or '${sequence ? ']' : '}'}'`,
          token.at,
          sequence ? 'while parsing a flow sequence' : 'while parsing a flow mapping',
          start,
        )
      }
      this.scanner.next()
    }
    if (this.scanner.peek().kind !== end) return false
    this.scanner.next()
    return true
  }

  private parserError(problem: string, at: number, context?: string, contextAt?: number): YamlError {
    return this.scanner.error({
      kind: 'ParserError',
      problem,
      at,
      ...(context === undefined ? {} : { context }),
      ...(contextAt === undefined ? {} : { contextAt }),
    })
  }
}
