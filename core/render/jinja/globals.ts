// The functions every template has: range, dict, namespace, cycler, joiner, lipsum, raise, odict, show_full_context, ifelse.
import { HostFunction } from './call.ts'
import { updateDict } from './collection-methods.ts'
import { BoundFunction, type Datum, type Kwargs, str, TemplateObject } from './datum.ts'
import { newDict } from './dict.ts'
import { ifelse } from './ifelse.ts'
import { lipsum } from './lipsum.ts'
import { Namespace } from './namespace.ts'
import { PythonError, typeError } from './python-error.ts'
import { makeRange } from './range.ts'
import type { Run } from './run.ts'
import { showFullContext } from './show-context.ts'
import { bind, parseSignature } from './signature.ts'

type Body = (args: readonly Datum[], kwargs: Kwargs, run: Run) => Datum

function makeDict(args: readonly Datum[], kwargs: Kwargs, run: Run): Map<Datum, Datum> {
  const dict = newDict()
  const [from] = args
  if (args.length > 1) throw typeError(`dict expected at most 1 argument, got ${args.length}`)
  if (from !== undefined) updateDict(dict, from, run)
  for (const [key, value] of kwargs) dict.set(key, value)
  return dict
}

/** `cycler(*items)`. */
class Cycler extends TemplateObject {
  readonly typeName = 'Cycler'
  private readonly items: readonly Datum[]
  private at = 0

  constructor(items: readonly Datum[]) {
    super()
    this.items = items
  }

  override get qualifiedName(): string {
    return 'jinja2.utils.Cycler'
  }

  override attribute(name: string): Datum | undefined {
    if (name === 'current') return this.items[this.at]
    if (name === 'pos') return this.at
    if (name === 'items') return [...this.items]
    if (name === 'next') return new BoundFunction(name, () => this.next())
    if (name === 'reset') return new BoundFunction(name, () => this.reset())
    return undefined
  }

  private next(): Datum {
    const item = this.items[this.at] ?? null
    this.at = (this.at + 1) % this.items.length
    return item
  }

  private reset(): Datum {
    this.at = 0
    return null
  }
}

/** `joiner(sep)`. */
class Joiner extends TemplateObject {
  readonly typeName = 'Joiner'
  private readonly separator: Datum
  private used = false

  constructor(separator: Datum) {
    super()
    this.separator = separator
  }

  override get qualifiedName(): string {
    return 'jinja2.utils.Joiner'
  }

  override get callable(): boolean {
    return true
  }

  override attribute(name: string): Datum | undefined {
    return name === 'sep' ? this.separator : name === 'used' ? this.used : undefined
  }

  override call(): Datum {
    if (this.used) return this.separator
    this.used = true
    return ''
  }
}

const RAISE = parseSignature('jinja_raise', 'msg')

const BODIES: Readonly<Record<string, Body>> = {
  range: (args) => makeRange(args),
  dict: makeDict,
  odict: makeDict,
  namespace: (args, kwargs, run) => new Namespace(makeDict(args, kwargs, run)),
  cycler: (args) => {
    if (args.length === 0) throw new PythonError('RuntimeError', 'at least one item has to be provided')
    return new Cycler(args)
  },
  joiner: ([separator = ', '], kwargs) => new Joiner(kwargs.get('sep') ?? separator),
  lipsum,
  raise: (args, kwargs) => {
    const [message = null] = bind(RAISE, args, kwargs).values
    throw new PythonError('SaltException', str(message))
  },
  ifelse,
  show_full_context: (_args, _kwargs, run) => showFullContext(run),
}

/** The functions by name. */
export const GLOBALS: ReadonlyMap<string, Datum> = new Map(
  Object.entries(BODIES).map(([name, body]) => [name, new HostFunction(name, body)]),
)
