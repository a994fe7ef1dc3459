// From a text to a parsed document, from a document to a value, and a memory of parsed documents.
import type { Value } from '../../value/value.ts'
import type { Hole } from '../hole.ts'
import { composeYaml } from './composer.ts'
import { fillDocument } from './fill.ts'
import type { ParsedDocument, YamlSource } from './plan.ts'
import { Planner } from './planner.ts'
import { checkCharacters } from './reader.ts'

/** Reads YAML as Salt's loader does; an empty document is null. Throws YamlError. */
export function loadYaml(text: string, source: YamlSource = {}): Value {
  return fillDocument(parse(text, source.name, false), [])
}

/**
 * Parses a text in which tokens stand for holes. What it answers depends on the text alone. Throws YamlError, also for
 * a token in an anchor, a tag, a directive or the header of a block scalar.
 */
export function parseDocument(text: string, source: YamlSource = {}): ParsedDocument {
  return parse(text, source.name, true)
}

/** {@link parseDocument} and {@link fillDocument} at once; with a cache, a text is parsed when it is first seen. */
export function loadYamlWithHoles(
  text: string,
  holes: readonly Hole[],
  options: YamlSource & { readonly cache?: DocumentCache } = {},
): Value {
  const document = options.cache === undefined ? parseDocument(text, options) : options.cache.parse(text, options)
  return fillDocument(document, holes, options)
}

function parse(text: string, name: string | undefined, holes: boolean): ParsedDocument {
  checkCharacters(text, name)
  const node = composeYaml(text, name)
  const planner = new Planner({ text, name, holes })
  const root = node === undefined ? ({ kind: 'constant', value: null } as const) : planner.plan(node)
  return { root, text, name, shares: planner.shares }
}

/** What a parsed document costs in memory, roughly, for each character of its text. */
const BYTES_PER_CHARACTER = 24

/** Remembers parsed documents by their text, the latest used first, up to a number of bytes. */
export class DocumentCache {
  private bytes = 0
  private readonly documents = new Map<string, ParsedDocument>()
  private readonly limit: number

  /** `limit` in bytes, estimated from the length of the texts. */
  constructor(limit: number) {
    this.limit = limit
  }

  /** The parsed document of a text. A text that fails is not remembered. */
  parse(text: string, source: YamlSource = {}): ParsedDocument {
    const known = this.documents.get(text)
    if (known !== undefined) {
      this.documents.delete(text)
      this.documents.set(text, known)
      return known
    }
    const document = parseDocument(text, source)
    this.remember(text, document)
    return document
  }

  /** How many documents it holds. */
  get size(): number {
    return this.documents.size
  }

  private remember(text: string, document: ParsedDocument): void {
    const cost = text.length * BYTES_PER_CHARACTER
    if (cost > this.limit) return
    if (!this.documents.has(text)) this.bytes += cost
    this.documents.set(text, document)
    for (const oldest of this.documents.keys()) {
      if (this.bytes <= this.limit) return
      this.documents.delete(oldest)
      this.bytes -= oldest.length * BYTES_PER_CHARACTER
    }
  }
}
