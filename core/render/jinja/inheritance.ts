// `self` and `super()`: blocks as a template calls them.
import type { Context } from './context.ts'
import { type Datum, type Kwargs, repr, TemplateObject, textOf } from './datum.ts'
import { type BlockCode, runBlock } from './program.ts'
import type { Run } from './run.ts'

/** The `self` of a template: its blocks as attributes. */
export class TemplateReference extends TemplateObject {
  readonly typeName = 'TemplateReference'
  private readonly context: Context
  private readonly name: string | undefined

  constructor(context: Context, name: string | undefined) {
    super()
    this.context = context
    this.name = name
  }

  override get qualifiedName(): string {
    return 'jinja2.runtime.TemplateReference'
  }

  override repr(): string {
    return `<TemplateReference ${this.name === undefined ? 'None' : repr(this.name)}>`
  }

  override item(key: Datum): Datum | undefined {
    const name = textOf(key)
    const codes = name === undefined ? undefined : this.context.blocks.get(name)
    return name === undefined || codes === undefined ? undefined : new BlockReference(name, this.context, codes, 0)
  }

  /** What `super` is in a block: the block that the given one overrides. */
  parentOf(code: BlockCode, run: Run): Datum {
    const codes = this.context.blocks.get(code.name) ?? []
    const index = codes.indexOf(code) + 1
    if (index >= codes.length) return noParent(code.name, run)
    return new BlockReference(code.name, this.context, codes, index)
  }
}

function noParent(name: string, run: Run): Datum {
  return run.undefined({ hint: `there is no parent block called ${repr(name)}.`, name: 'super' })
}

/** One block, called to render it. */
class BlockReference extends TemplateObject {
  readonly typeName = 'BlockReference'
  private readonly name: string
  private readonly context: Context
  private readonly codes: readonly BlockCode[]
  private readonly index: number

  constructor(name: string, context: Context, codes: readonly BlockCode[], index: number) {
    super()
    this.name = name
    this.context = context
    this.codes = codes
    this.index = index
  }

  override get qualifiedName(): string {
    return 'jinja2.runtime.BlockReference'
  }

  override get callable(): boolean {
    return true
  }

  override attribute(name: string, run: Run): Datum | undefined {
    if (name !== 'super') return undefined
    if (this.index + 1 >= this.codes.length) return noParent(this.name, run)
    return new BlockReference(this.name, this.context, this.codes, this.index + 1)
  }

  override call(_args: readonly Datum[], _kwargs: Kwargs, run: Run): Datum {
    const code = this.codes[this.index]
    return run.capture(() => {
      if (code !== undefined) runBlock(code, this.context, run)
    })
  }
}
