// `x.name`, `x[key]` and `x[a:b:c]`: allow-listed, never the prototype; undefined with Jinja's message where nothing is.
import { Float, isFloat, Tuple } from '../../value/index.ts'
import { charAt, characters } from './code-points.ts'
import {
  DICT_METHODS,
  FLOAT_METHODS,
  LIST_METHODS,
  NUMBER_METHODS,
  numberAttribute,
  TUPLE_METHODS,
} from './collection-methods.ts'
import { BoundFunction, type Datum, isDict, plain, TemplateObject, TextObject, textOf, typeName } from './datum.ts'
import { type DictDatum, dictItem } from './dict.ts'
import { GroupTuple } from './group-tuple.ts'
import type { Method } from './method.ts'
import { asIndex } from './numbers.ts'
import { typeError, valueError } from './python-error.ts'
import type { Run } from './run.ts'
import { Undefined } from './undefined.ts'

/** Names that every Python object has and no template may reach. */
const SPECIAL = new Set(
  `class delattr dir doc eq format ge getattribute getstate gt hash init init_subclass le lt ne new reduce reduce_ex repr
  setattr sizeof str subclasshook add contains getitem iter len mul rmul setitem delitem iadd imul reversed class_getitem
  or ror ior getnewargs mod rmod abs and bool ceil divmod float floor floordiv index int invert lshift neg pos pow radd
  rand rdivmod rfloordiv rlshift round rpow rrshift rshift rsub rtruediv rxor sub truediv trunc xor dict module weakref
  call code globals closure defaults name qualname self func wrapped mro bases subclasses`
    .split(/\s+/)
    .map((name) => `__${name}__`),
)

/** The method of a type by name, without binding it. */
export function methodOf(object: Datum, name: string, run: Run): Method<never> | undefined {
  if (typeof object === 'string' || object instanceof TextObject) return run.builtins.textMethods.get(name)
  if (typeof object !== 'object') return (isFloat(object) ? FLOAT_METHODS : NUMBER_METHODS).get(name)
  if (object === null) return undefined
  if (Array.isArray(object)) return (object instanceof Tuple ? TUPLE_METHODS : LIST_METHODS).get(name)
  if (object instanceof Float) return FLOAT_METHODS.get(name)
  if (object instanceof TemplateObject) return undefined
  return DICT_METHODS.get(name)
}

/** True for the names that are methods of every dict, so that a lookup of another name goes straight to the item. */
export function isDictMethod(name: string): boolean {
  return DICT_METHODS.has(name)
}

/** Python's `getattr`, `undefined` where there is no such attribute. */
function ownAttribute(object: Datum, name: string, run: Run): Datum | undefined {
  if (object instanceof Undefined) return object.fail()
  if (object instanceof TemplateObject && !(object instanceof TextObject)) {
    const found = object.attribute(name, run)
    if (found !== undefined) return found
  } else {
    const method = methodOf(object, name, run) as Method<Datum> | undefined
    if (method !== undefined) return new BoundFunction(name, (args, kwargs) => method(object, args, kwargs, run))
    if (
      typeof object === 'number' ||
      typeof object === 'bigint' ||
      typeof object === 'boolean' ||
      object instanceof Float
    ) {
      const found = numberAttribute(object, name)
      if (found !== undefined) return found
    }
    if (object instanceof GroupTuple) {
      if (name === 'grouper') return (object as Datum[])[0]
      if (name === 'list') return (object as Datum[])[1]
    }
  }
  if (SPECIAL.has(name)) {
    const hint = `access to attribute '${name}' of '${typeName(object)}' object is unsafe.`
    return run.undefined({ hint, name, object, exception: 'SecurityError' })
  }
  return undefined
}

/** `object[key]` by Python's rules alone, `undefined` where Python raises. */
function ownItem(object: Datum, key: Datum, run: Run): Datum | undefined {
  if (isDict(object)) {
    if (isDict(key) || (Array.isArray(key) && !(key instanceof Tuple))) return undefined
    return dictItem(object as DictDatum, key)
  }
  if (Array.isArray(object)) {
    const index = asIndex(key)
    return index === undefined ? undefined : object[index < 0 ? object.length + index : index]
  }
  const text = textOf(object)
  if (text !== undefined) {
    const index = asIndex(key)
    return index === undefined ? undefined : charAt(text, index)
  }
  return object instanceof TemplateObject ? object.item(key, run) : undefined
}

/** `object.name`: the attribute, else the item. */
export function attributeOf(object: Datum, name: string, run: Run): Datum {
  const attribute = ownAttribute(object, name, run)
  if (attribute !== undefined) return attribute
  const item = ownItem(object, name, run)
  return item === undefined ? run.undefined({ object, name }) : item
}

/** `object[key]`: the item, else for a text key the attribute. */
export function itemOf(object: Datum, given: Datum, run: Run): Datum {
  const key = plain(given)
  const item = ownItem(object, key, run)
  if (item !== undefined) return item
  const attribute = typeof key === 'string' ? ownAttribute(object, key, run) : undefined
  return attribute === undefined ? run.undefined({ object, name: key }) : attribute
}

/** The attribute alone, as the `attr` filter looks it up. */
export function attributeOnly(object: Datum, name: string, run: Run): Datum {
  const attribute = ownAttribute(object, name, run)
  return attribute === undefined ? run.undefined({ object, name }) : attribute
}

function bound(datum: Datum): number | undefined {
  if (datum === null) return undefined
  const index = asIndex(datum)
  if (index !== undefined) return index
  if (datum instanceof Undefined) datum.fail()
  throw typeError('slice indices must be integers or None or have an __index__ method')
}

/** The indexes that `start:stop:step` picks from a sequence of a length. */
export function sliceIndexes(length: number, start: Datum, stop: Datum, step: Datum): number[] {
  const by = bound(step) ?? 1
  if (by === 0) throw valueError('slice step cannot be zero')
  const clamp = (given: number | undefined, otherwise: number, low: number, high: number): number => {
    if (given === undefined) return otherwise
    return Math.min(Math.max(given < 0 ? given + length : given, low), high)
  }
  const indexes: number[] = []
  if (by > 0) {
    const end = clamp(bound(stop), length, 0, length)
    for (let at = clamp(bound(start), 0, 0, length); at < end; at += by) indexes.push(at)
  } else {
    const end = clamp(bound(stop), -1, -1, length - 1)
    for (let at = clamp(bound(start), length - 1, -1, length - 1); at > end; at += by) indexes.push(at)
  }
  return indexes
}

/** `object[start:stop:step]`. */
export function sliceOf(object: Datum, start: Datum, stop: Datum, step: Datum, run: Run): Datum {
  const text = textOf(object)
  if (text !== undefined) {
    const chars = characters(text)
    run.charge(chars.length / 8)
    return sliceIndexes(chars.length, start, stop, step)
      .map((index) => chars[index])
      .join('')
  }
  if (Array.isArray(object)) {
    const picked: Datum[] = object instanceof Tuple ? (new Tuple() as Datum[]) : []
    const indexes = sliceIndexes(object.length, start, stop, step)
    run.charge(indexes.length)
    for (const index of indexes) picked.push(object[index] ?? null)
    return picked
  }
  if (object instanceof Undefined) object.fail()
  if (isDict(object)) throw typeError("unhashable type: 'slice'")
  const sliced = object instanceof TemplateObject ? object.slice(start, stop, step) : undefined
  if (sliced !== undefined) return sliced
  throw typeError(`'${typeName(object)}' object is not subscriptable`)
}
