// `require_in` and its kin turned round, `use` and `use_in` copied: from the declaring state to the one that is meant.
import { Dict, entries, isList, isMap, pythonEquals, pythonStr, size, type Value } from '../value/index.ts'
import { applyExtend } from './extend.ts'
import { findByNameArgument, findName, findSlsStates, type Place } from './find-name.ts'
import { bodyOf, firstPair, type High, listAt, listMadeAt, statesOf } from './high.ts'
import { INVERTED, NOT_USED } from './requisite-words.ts'

/**
 * Applies every inverted requisite of the high data, in place. A name that nothing bears is passed over where it stands
 * without a type, and is an error of `extend` where it has one, as in Salt. Keywords that are `disabled` are passed over.
 */
export function applyRequisiteIn(high: High, disabled: ReadonlySet<string> = new Set()): string[] {
  const inversion = new Inversion(high)
  for (const id of high.keys()) {
    const body = bodyOf(high, id)
    if (body === undefined) continue
    for (const [state, args] of statesOf(body)) {
      if (!isList(args)) continue
      for (const argument of args) {
        const [key, items] = firstPair(argument) ?? []
        if (typeof key === 'string' && INVERTED.has(key) && !disabled.has(key))
          inversion.add({ id, state, body }, key, items ?? null)
      }
    }
  }
  return inversion.apply()
}

interface Declaring {
  readonly id: Value
  readonly state: string
  readonly body: Dict
}

class Inversion {
  readonly #high: High
  readonly #extend = new Dict()
  readonly #errors: string[] = []

  constructor(high: High) {
    this.#high = high
  }

  add(from: Declaring, key: string, items: Value): void {
    const kind = key.split('_', 1)[0] ?? key
    if (isMap(items)) {
      for (const [type, name] of entries(items)) {
        const state = this.#undotted(kind, pythonStr(type), `for ${pythonStr(name)} in SLS`, from)
        this.#require([name, state], kind, from)
      }
    }
    if (!isList(items)) return
    // What earlier items named is gone through again with each later one, as in Salt.
    let places: Place[] = []
    for (const item of items) {
      const place = this.#placeOf(item)
      if (place === undefined) continue
      const [name, type] = place
      if (type === 'sls') places = findSlsStates(name, this.#high)
      else places.push(place)
      this.#undotted(kind, type, `for ${pythonStr(name)}, in SLS`, from)
      for (const target of places) {
        if (key === 'use') this.#use(target, from)
        else if (key === 'use_in') this.#useIn(target, from)
        else this.#require(target, kind, from)
      }
    }
  }

  apply(): string[] {
    this.#high.set(
      '__extend__',
      [...this.#extend].map(([id, body]) => new Dict([[id, body]])),
    )
    return [...this.#errors, ...applyExtend(this.#high, true)]
  }

  #placeOf(item: Value): Place | undefined {
    if (isMap(item)) {
      const [type, name] = firstPair(item) ?? []
      return type === undefined || name === undefined ? undefined : [name, pythonStr(type)]
    }
    const body = bodyOf(this.#high, item)
    const [state] = body === undefined ? [] : (statesOf(body)[0] ?? [])
    if (state !== undefined) return [item, state]
    return findByNameArgument(item, this.#high)
  }

  /** The type without the function that must not follow it, which is an error. */
  #undotted(kind: string, type: string, where: string, from: Declaring): string {
    const dot = type.indexOf('.')
    if (dot < 0) return type
    const module = type.slice(0, dot)
    this.#errors.push(
      `Invalid requisite in ${kind}: ${type} ${where} '${pythonStr(from.body.get('__sls__') ?? null)}'. ` +
        `Requisites must not contain dots, did you mean '${module}'?`,
    )
    return module
  }

  #extensionOf(id: Value): Dict {
    const known = this.#extend.get(id)
    if (known instanceof Dict) return known
    const made = new Dict()
    this.#extend.set(id, made)
    return made
  }

  #require([name, state]: Place, kind: string, { id, state: declaring, body }: Declaring): void {
    const extension = this.#extensionOf(name)
    const args = listMadeAt(extension, state)
    for (const key of ['__env__', '__sls__']) extension.set(key, body.get(key) ?? null)
    let found = false
    for (const argument of args) {
      const [key, requisites] = firstPair(argument) ?? []
      if (key !== kind || !isList(requisites)) continue
      requisites.push({ [declaring]: id })
      found = true
    }
    if (!found) args.push({ [kind]: [{ [declaring]: id }] })
  }

  /** The declaring state's own arguments go to the one named. */
  #useIn([name, state]: Place, from: Declaring): void {
    for (const [id, place] of findName(name, state, this.#high, true)) {
      this.#copy(listAt(from.body, from.state), id, place, argumentNames(this.#high, id, state))
    }
  }

  /** The arguments of the one named go to the declaring state. */
  #use([name, state]: Place, from: Declaring): void {
    for (const [id, place] of findName(name, state, this.#high, true)) {
      const given = listAt(bodyOf(this.#high, id) ?? new Dict(), place)
      this.#copy(given, from.id, from.state, argumentNames(this.#high, from.id, from.state))
    }
  }

  #copy(given: readonly Value[], id: Value, state: string, own: readonly Value[]): void {
    const args = listMadeAt(this.#extensionOf(id), state)
    for (const argument of given) {
      const [key] = (isMap(argument) && size(argument) === 1 ? firstPair(argument) : undefined) ?? []
      if (key === undefined || key === 'name' || key === 'names') continue
      if (typeof key === 'string' && NOT_USED.has(key)) continue
      if (!own.some((known) => pythonEquals(known, key))) args.push(argument)
    }
  }
}

function argumentNames(high: High, id: Value, state: string): Value[] {
  const args = listAt(bodyOf(high, id) ?? new Dict(), state)
  return args.flatMap((argument) => {
    const [key] = (isMap(argument) && size(argument) === 1 ? firstPair(argument) : undefined) ?? []
    return key === undefined ? [] : [key]
  })
}
