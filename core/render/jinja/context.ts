// Jinja's context: the variables a template was given, those it set at its top level, and its blocks.
import type { Datum } from './datum.ts'
import type { BlockCode } from './program.ts'
import type { Run } from './run.ts'
import { SaltFunctions } from './salt-object.ts'

/** Somewhere names are looked up. */
export interface Scope {
  resolve(name: string): Datum | undefined
  names(): Iterable<string>
}

/** The variables of the render over the globals; imported templates see the place they were loaded from. */
export class RootScope implements Scope {
  private readonly run: Run
  private readonly imported: boolean
  constructor(run: Run, imported: boolean) {
    this.run = run
    this.imported = imported
  }

  resolve(name: string): Datum | undefined {
    const { context, salt } = this.run.environment
    const loadedFrom = this.imported ? this.run.loadedFrom : undefined
    if (loadedFrom !== undefined && Object.hasOwn(loadedFrom, name)) return loadedFrom[name]
    if (Object.hasOwn(context, name)) return context[name]
    if (name === 'salt' && salt !== undefined) return new SaltFunctions(salt)
    return this.run.builtins.globals.get(name)
  }

  *names(): Iterable<string> {
    yield* this.run.builtins.globals.keys()
    if (this.run.environment.salt !== undefined) yield 'salt'
    yield* Object.keys(this.run.environment.context)
  }
}

/** Variables handed to an included template or a scoped block, over the context they come from. */
class LocalScope implements Scope {
  private readonly locals: ReadonlyMap<string, Datum>
  private readonly outer: Scope
  constructor(locals: ReadonlyMap<string, Datum>, outer: Scope) {
    this.locals = locals
    this.outer = outer
  }

  resolve(name: string): Datum | undefined {
    const local = this.locals.get(name)
    return local === undefined ? this.outer.resolve(name) : local
  }

  *names(): Iterable<string> {
    yield* this.outer.names()
    yield* this.locals.keys()
  }
}

/** The context of one template's evaluation. */
export class Context implements Scope {
  /** What the template set at its top level. */
  readonly vars = new Map<string, Datum>()
  /** The names among {@link vars} that an import sees. */
  readonly exported = new Set<string>()
  /** Blocks by name, the most derived first. */
  blocks: Map<string, BlockCode[]>
  private readonly outer: Scope

  constructor(outer: Scope, blocks: ReadonlyMap<string, BlockCode>) {
    this.outer = outer
    this.blocks = new Map()
    if (blocks.size > 0) for (const [name, code] of blocks) this.blocks.set(name, [code])
  }

  resolve(name: string): Datum | undefined {
    const own = this.vars.get(name)
    return own === undefined ? this.outer.resolve(name) : own
  }

  *names(): Iterable<string> {
    yield* this.outer.names()
    yield* this.vars.keys()
  }

  /** Sets a top-level variable. */
  set(name: string, value: Datum): void {
    this.vars.set(name, value)
    if (!name.startsWith('_')) this.exported.add(name)
  }

  /** A context for a scoped block: the same blocks, the caller's variables. */
  derived(locals: ReadonlyMap<string, Datum>): Context {
    const made = new Context(new LocalScope(locals, this), new Map())
    made.blocks = this.blocks
    return made
  }

  /** A context for another template that sees this one's variables. */
  forTemplate(locals: ReadonlyMap<string, Datum>, blocks: ReadonlyMap<string, BlockCode>): Context {
    return new Context(new LocalScope(locals, this), blocks)
  }

  /** Every variable, later ones over earlier. */
  all(): Map<string, Datum> {
    const found = new Map<string, Datum>()
    for (const name of this.names()) {
      const value = this.resolve(name)
      if (value !== undefined) found.set(name, value)
    }
    return found
  }
}
