// Calling what a template calls.
import { type Datum, type Kwargs, TemplateObject, typeName } from './datum.ts'
import type { Method } from './method.ts'
import { typeError } from './python-error.ts'
import type { Run } from './run.ts'

/** `callee(*args, **kwargs)`. */
export function callDatum(callee: Datum, args: readonly Datum[], kwargs: Kwargs, run: Run): Datum {
  run.charge(1)
  if (callee instanceof TemplateObject) return callee.call(args, kwargs, run)
  throw typeError(`'${typeName(callee)}' object is not callable`)
}

/** A builtin method on its object, without binding it first. */
export function callMethod(
  self: Datum,
  method: Method<never>,
  args: readonly Datum[],
  kwargs: Kwargs,
  run: Run,
): Datum {
  run.charge(1)
  return (method as Method<Datum>)(self, args, kwargs, run)
}

/** A function of the host as something a template can call. */
export class HostFunction extends TemplateObject {
  readonly typeName = 'function'
  private readonly name: string
  private readonly body: (args: readonly Datum[], kwargs: Kwargs, run: Run) => Datum

  constructor(name: string, body: (args: readonly Datum[], kwargs: Kwargs, run: Run) => Datum) {
    super()
    this.name = name
    this.body = body
  }

  override get callable(): boolean {
    return true
  }

  override repr(): string {
    return `<function ${this.name} at 0x7f0000000000>`
  }

  override call(args: readonly Datum[], kwargs: Kwargs, run: Run): Datum {
    return this.body(args, kwargs, run)
  }
}
