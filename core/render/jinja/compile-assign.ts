// Compiles assignment targets: names, tuples of targets, attributes of namespaces.
import type { Activation } from './activation.ts'
import { type CompileFrame, readVariable } from './compile-frame.ts'
import { type Datum, typeName } from './datum.ts'
import { collect, isIterable, iterate } from './iterate.ts'
import { Namespace } from './namespace.ts'
import { PythonError, typeError, valueError } from './python-error.ts'
import type { Expression } from './syntax-tree.ts'

/** Stores a value in a target; `check` comes before the value is computed. */
export interface Assignment {
  readonly check: ((activation: Activation) => void) | undefined
  readonly set: (activation: Activation, value: Datum) => void
}

/** The assignment to a target. */
export function assignTo(target: Expression, frame: CompileFrame): Assignment {
  if (target.kind === 'name') {
    const { slot } = frame.symbols.ref(target.name)
    return {
      check: undefined,
      set: (activation, value) => {
        activation.slots[slot] = value
      },
    }
  }
  if (target.kind === 'nsref') return namespaceAttribute(target.name, target.attribute, frame)
  if (target.kind === 'tuple') return unpacking(target.items, frame)
  throw new PythonError('TemplateSyntaxError', `can't assign to '${target.kind}'`)
}

function namespaceAttribute(name: string, attribute: string, frame: CompileFrame): Assignment {
  const read = readVariable(frame.symbols.scope, frame.symbols.ref(name))
  const check = (activation: Activation): Namespace => {
    const namespace = read(activation)
    if (namespace instanceof Namespace) return namespace
    throw new PythonError('TemplateRuntimeError', 'cannot assign attribute on non-namespace object')
  }
  return { check, set: (activation, value) => check(activation).set(attribute, value) }
}

function unpacking(targets: readonly Expression[], frame: CompileFrame): Assignment {
  const parts = targets.map((target) => assignTo(target, frame))
  const checks = parts.flatMap(({ check }) => (check === undefined ? [] : [check]))
  return {
    check:
      checks.length === 0
        ? undefined
        : (activation) => {
            for (const check of checks) check(activation)
          },
    set: (activation, value) => {
      if (!isIterable(value)) throw typeError(`cannot unpack non-iterable ${typeName(value)} object`)
      const items = Array.isArray(value) ? collect(value, activation.run) : limited(value, parts.length, activation)
      if (items.length > parts.length) {
        throw valueError(`too many values to unpack (expected ${parts.length})`)
      }
      if (items.length < parts.length) {
        throw valueError(`not enough values to unpack (expected ${parts.length}, got ${items.length})`)
      }
      for (const [index, { set }] of parts.entries()) set(activation, items[index] ?? null)
    },
  }
}

/** At most one item more than wanted, so that an endless iterator ends. */
function limited(value: Datum, wanted: number, activation: Activation): Datum[] {
  const source = iterate(value, activation.run)
  const items: Datum[] = []
  for (let item = source.next(); item !== undefined && items.length <= wanted; item = source.next()) items.push(item)
  return items
}

/** The names a target stores. */
export function storedNames(target: Expression): string[] {
  if (target.kind === 'name') return [target.name]
  return target.kind === 'tuple' ? target.items.flatMap(storedNames) : []
}
