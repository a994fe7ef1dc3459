// The `loop` variable.
import { BoundFunction, type Datum, equal, type Kwargs, type Source, TemplateObject, tuple } from './datum.ts'
import { iterate, lengthOf } from './iterate.ts'
import { typeError } from './python-error.ts'
import type { Run } from './run.ts'

/** Renders the loop's body for other items, one level deeper. */
export type Recurse = (items: Datum, depth: number) => Datum

/** Draws the items and knows where it stands. */
export class LoopContext extends TemplateObject implements Source {
  readonly typeName = 'LoopContext'
  private readonly items: Datum
  private source: Source
  private readonly run: Run
  private readonly recurse: Recurse | undefined
  private readonly depth0: number
  private index0 = -1
  private known: number | undefined
  private after: Datum | undefined
  private peeked = false
  private current: Datum | undefined
  private before: Datum | undefined
  private lastChanged: Datum | undefined

  constructor(items: Datum, run: Run, recurse: Recurse | undefined, depth0: number) {
    super()
    this.items = items
    this.run = run
    this.source = iterate(items, run)
    this.recurse = recurse
    this.depth0 = depth0
  }

  override get qualifiedName(): string {
    return 'jinja2.runtime.LoopContext'
  }

  next(): Datum | undefined {
    const item = this.peeked ? this.after : this.source.next()
    this.peeked = false
    this.after = undefined
    if (item === undefined) return undefined
    this.index0++
    this.before = this.current
    this.current = item
    return item
  }

  private peek(): Datum | undefined {
    if (!this.peeked) {
      this.after = this.source.next()
      this.peeked = true
    }
    return this.after
  }

  override length(): number {
    if (this.known !== undefined) return this.known
    const direct = lengthOf(this.items)
    if (direct !== undefined) {
      this.known = direct
      return direct
    }
    const rest: Datum[] = []
    for (let item = this.source.next(); item !== undefined; item = this.source.next()) rest.push(item)
    this.source = iterate(rest, this.run)
    this.known = rest.length + this.index0 + 1 + (this.peeked && this.after !== undefined ? 1 : 0)
    return this.known
  }

  override iterate(): Source {
    return { next: () => this.pair() }
  }

  private pair(): Datum | undefined {
    const item = this.next()
    return item === undefined ? undefined : tuple([item, this])
  }

  override repr(): string {
    return `<LoopContext ${this.index0 + 1}/${this.length()}>`
  }

  override attribute(name: string, run: Run): Datum | undefined {
    switch (name) {
      case 'index':
        return this.index0 + 1
      case 'index0':
        return this.index0
      case 'first':
        return this.index0 === 0
      case 'last':
        return this.peek() === undefined
      case 'length':
        return this.length()
      case 'revindex':
        return this.length() - this.index0
      case 'revindex0':
        return this.length() - this.index0 - 1
      case 'depth':
        return this.depth0 + 1
      case 'depth0':
        return this.depth0
      case 'previtem':
        return this.index0 === 0 ? run.undefined({ hint: 'there is no previous item' }) : (this.before ?? null)
      case 'nextitem':
        return this.nextItem(run)
      case 'cycle':
        return new BoundFunction('cycle', (args) => this.cycle(args))
      case 'changed':
        return new BoundFunction('changed', (args) => this.changed(args))
      default:
        return undefined
    }
  }

  private nextItem(run: Run): Datum {
    const item = this.peek()
    return item === undefined ? run.undefined({ hint: 'there is no next item' }) : item
  }

  private cycle(args: readonly Datum[]): Datum {
    if (args.length === 0) throw typeError('no items for cycling given')
    return args[this.index0 % args.length] ?? null
  }

  private changed(args: readonly Datum[]): boolean {
    const value = tuple(args)
    if (this.lastChanged !== undefined && equal(this.lastChanged, value)) return false
    this.lastChanged = value
    return true
  }

  override get callable(): boolean {
    return true
  }

  override call(args: readonly Datum[], _kwargs: Kwargs): Datum {
    if (this.recurse === undefined) {
      throw typeError("The loop must have the 'recursive' marker to be called recursively.")
    }
    const [items] = args
    if (items === undefined || args.length > 1) throw typeError('loop() takes exactly one argument')
    return this.recurse(items, this.depth0 + 1)
  }
}
