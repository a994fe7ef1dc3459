// Macros and callers as a template calls them.
import type { Activation } from './activation.ts'
import { type Datum, type Kwargs, repr, TemplateObject, tuple } from './datum.ts'
import { newDict } from './dict.ts'
import { typeError } from './python-error.ts'
import type { Run } from './run.ts'
import { Markup } from './text-object.ts'

/** The arguments of a call after binding; `undefined` where a default is to be used. */
export interface MacroCall {
  readonly args: readonly (Datum | undefined)[]
  readonly caller: Datum
  readonly kwargs: Datum
  readonly varargs: Datum
}

/** What compiling a macro gives. */
export interface MacroCode {
  readonly name: string | undefined
  readonly params: readonly string[]
  /** Where the body finds `caller`; negative where it does not use it. */
  readonly callerSlot: number
  readonly catchesKwargs: boolean
  readonly catchesVarargs: boolean
  readonly run: (call: MacroCall, activation: Activation) => Datum
}

/** A macro with the variables of the place it was defined at. */
export class Macro extends TemplateObject {
  readonly typeName = 'Macro'
  private readonly code: MacroCode
  private readonly activation: Activation

  constructor(code: MacroCode, activation: Activation) {
    super()
    this.code = code
    this.activation = activation
  }

  override get qualifiedName(): string {
    return 'jinja2.runtime.Macro'
  }

  override get callable(): boolean {
    return true
  }

  override repr(): string {
    const { name } = this.code
    return `<Macro ${name === undefined ? 'anonymous' : repr(name)}>`
  }

  override attribute(name: string): Datum | undefined {
    const { code } = this
    if (name === 'name') return code.name ?? null
    if (name === 'arguments') return tuple(code.params)
    if (name === 'catch_kwargs') return code.catchesKwargs
    if (name === 'catch_varargs') return code.catchesVarargs
    return name === 'caller' ? code.callerSlot >= 0 : undefined
  }

  override call(args: readonly Datum[], kwargs: Kwargs, run: Run): Datum {
    const { params, catchesKwargs, catchesVarargs, callerSlot } = this.code
    const bound: (Datum | undefined)[] = args.slice(0, params.length)
    let rest: Map<string, Datum> | undefined
    if (kwargs.size > 0) {
      rest = new Map(kwargs)
      for (let index = bound.length; index < params.length; index++) {
        const param = params[index] ?? ''
        bound.push(rest.get(param))
        rest.delete(param)
      }
    }
    let caller: Datum = null
    if (callerSlot >= 0) {
      caller = rest?.get('caller') ?? null
      if (caller === null) caller = run.undefined({ hint: 'No caller defined', name: 'caller' })
      rest?.delete('caller')
    }
    if (!catchesKwargs && rest !== undefined && rest.size > 0) this.refuse(rest)
    if (!catchesVarargs && args.length > params.length) {
      throw typeError(`macro ${this.shown} takes not more than ${params.length} argument(s)`)
    }
    const text = this.code.run(
      {
        args: bound,
        caller,
        kwargs: catchesKwargs ? newDict(rest ?? []) : null,
        varargs: catchesVarargs ? tuple(args.slice(params.length)) : null,
      },
      this.activation,
    )
    return run.autoescape && typeof text === 'string' ? new Markup(text) : text
  }

  private get shown(): string {
    return this.code.name === undefined ? 'None' : repr(this.code.name)
  }

  private refuse(rest: ReadonlyMap<string, Datum>): never {
    if (rest.has('caller')) {
      throw typeError(
        `macro ${this.shown} was invoked with two values for the special caller argument. This is most likely a bug.`,
      )
    }
    const [first = ''] = rest.keys()
    throw typeError(`macro ${this.shown} takes no keyword argument ${repr(first)}`)
  }
}
