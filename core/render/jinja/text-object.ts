// Strings that are more than characters: markup, typed text, and ropes of template structure and printed data.
import type { Value } from '../../value/index.ts'
import { pythonStr } from '../../value/index.ts'
import { HOLE_CLOSE, HOLE_OPEN, type Hole } from '../hole.ts'
import { TextObject } from './datum.ts'

const TOKEN = /\uE000(\d+)\uE001/g

/** Text that HTML escaping leaves alone: what `safe`, `escape` and `json` give outside holes mode. */
export class Markup extends TextObject {
  private readonly chars: string
  constructor(chars: string) {
    super()
    this.chars = chars
  }

  override readonly typeName = 'Markup'

  override get qualifiedName(): string {
    return 'markupsafe.Markup'
  }

  override get markup(): boolean {
    return true
  }

  override text(): string {
    return this.chars
  }

  override repr(): string {
    return `Markup(${super.repr()})`
  }
}

/**
 * The text of a value that is to stay the value it is when it stands alone: what `json`, `yaml` and the quoting filters
 * give in holes mode.
 */
export class TypedText extends TextObject {
  readonly value: Value
  private made: string | undefined
  private readonly make: () => string
  private readonly isMarkup: boolean
  constructor(value: Value, make: () => string, isMarkup: boolean) {
    super()
    this.value = value
    this.make = make
    this.isMarkup = isMarkup
  }

  override get markup(): boolean {
    return this.isMarkup
  }

  override text(): string {
    this.made ??= this.make()
    return this.made
  }

  /** The hole it is printed as. */
  hole(): Hole {
    return new TypedHole(this)
  }

  /** The same value printed differently: indented or trimmed. */
  reprinted(chars: string): TypedText {
    return new TypedText(this.value, () => chars, this.isMarkup)
  }
}

/** A typed hole; its text is made only where it stands inside other text. */
class TypedHole implements Hole {
  readonly value: Value
  readonly typed = true
  private readonly source: TypedText
  constructor(source: TypedText) {
    this.value = source.value
    this.source = source
  }

  get text(): string {
    return this.source.text()
  }
}

/** Template structure with tokens where data was printed; only holes mode makes them. */
export class Rope extends TextObject {
  /** Structure and tokens. */
  readonly raw: string
  /** What the tokens of {@link raw} stand for: the holes of the running render. */
  readonly holes: readonly Hole[]
  private readonly isMarkup: boolean
  constructor(raw: string, holes: readonly Hole[], isMarkup = false) {
    super()
    this.raw = raw
    this.holes = holes
    this.isMarkup = isMarkup
  }

  override get markup(): boolean {
    return this.isMarkup
  }

  get hasHoles(): boolean {
    return this.raw.includes(HOLE_OPEN)
  }

  override text(): string {
    return this.hasHoles ? this.raw.replace(TOKEN, (_, index: string) => holeText(this.holes[Number(index)])) : this.raw
  }

  override truth(): boolean {
    return this.raw !== ''
  }

  /** The parts in order: structure as text, holes as their index. */
  parts(): (string | number)[] {
    if (!this.hasHoles) return [this.raw]
    const parts: (string | number)[] = []
    let at = 0
    for (const match of this.raw.matchAll(TOKEN)) {
      if (match.index > at) parts.push(this.raw.slice(at, match.index))
      parts.push(Number(match[1]))
      at = match.index + match[0].length
    }
    if (at < this.raw.length) parts.push(this.raw.slice(at))
    return parts
  }
}

/** What a hole prints inside other text. */
export function holeText(hole: Hole | undefined): string {
  if (hole === undefined) return ''
  return hole.text ?? pythonStr(hole.value)
}

/** The token of a hole. */
export function token(index: number): string {
  return HOLE_OPEN + index + HOLE_CLOSE
}
