// The `salt` variable: functions by `salt['a.b']` and `salt.a.b`, answered by pure functions or asked for by a Need.
import { entries, isMap, pythonTruth, stringifyJson, type Value } from '../../value/index.ts'
import { HostFunction } from './call.ts'
import { BoundFunction, type Datum, isDict, TemplateObject, textOf } from './datum.ts'
import { dictSet } from './dict.ts'
import type { SaltSource } from './environment.ts'
import { Need } from './need.ts'
import { toValue } from './printed.ts'
import type { Run } from './run.ts'

/** The function, arguments and keyword arguments of a call as one text: the key of its answer. */
export function callKey(fun: string, args: readonly Value[], kwargs: Readonly<Record<string, Value>>): string {
  return stringifyJson([fun, [...args], { ...kwargs }], { sortKeys: true, separators: [',', ':'] })
}

function has(source: SaltSource, fun: string): boolean {
  return Object.hasOwn(source.pure, fun) || source.answerable?.(fun) === true
}

/** Whether a function lays what it returns into its first argument, as `{% do salt['defaults.merge'](a, b) %}` wants it. */
function changesFirst(fun: string, values: readonly Value[], named: Readonly<Record<string, Value>>): boolean {
  if (fun === 'slsutil.update') return true
  if (fun !== 'defaults.merge') return false
  return pythonTruth(named.in_place ?? values[3] ?? true)
}

function saltFunction(source: SaltSource, fun: string): Datum {
  return new HostFunction(fun, (args, kwargs, run) => {
    const values = args.map((arg) => toValue(arg))
    const named: Record<string, Value> = {}
    for (const [key, value] of kwargs) named[key] = toValue(value)
    if (Object.hasOwn(source.pure, fun)) {
      const answer = source.pure[fun]?.(values, named, run.environment)
      const into = args[0] ?? kwargs.get('dest') ?? null
      if (changesFirst(fun, values, named) && isDict(into) && isMap(answer)) {
        for (const [key, value] of entries(answer)) dictSet(into, key as Datum, value as Datum, run)
        return into
      }
      return answer === undefined ? null : (answer as Datum)
    }
    const answer = source.answers?.get(callKey(fun, values, named))
    if (answer === undefined) throw new Need(fun, values, named)
    return answer as Datum
  })
}

/** All functions there are; what there is not is undefined, as in a dict. */
export class SaltFunctions extends TemplateObject {
  readonly typeName = 'dict'
  private readonly source: SaltSource

  constructor(source: SaltSource) {
    super()
    this.source = source
  }

  override get qualifiedName(): string {
    return this.source.typeName ?? this.typeName
  }

  override repr(): string {
    return '<salt functions>'
  }

  override item(key: Datum): Datum | undefined {
    const fun = textOf(key)
    return fun !== undefined && has(this.source, fun) ? saltFunction(this.source, fun) : undefined
  }

  override attribute(name: string): Datum | undefined {
    if (name === 'get') {
      return new BoundFunction('get', ([key = null, otherwise = null]: readonly Datum[]) => {
        const found = this.item(key)
        return found === undefined ? otherwise : found
      })
    }
    const prefix = `${name}.`
    const known = Object.keys(this.source.pure).some((fun) => fun.startsWith(prefix))
    return known || this.source.answerable?.(`${prefix}*`) === true ? new SaltModule(this.source, name) : undefined
  }

  override contains(item: Datum): boolean {
    const fun = textOf(item)
    return fun !== undefined && has(this.source, fun)
  }
}

/** The functions of one module: `salt.pillar`. */
class SaltModule extends TemplateObject {
  readonly typeName = 'dict'
  private readonly source: SaltSource
  private readonly module: string

  constructor(source: SaltSource, module: string) {
    super()
    this.source = source
    this.module = module
  }

  override attribute(name: string, _run: Run): Datum | undefined {
    const fun = `${this.module}.${name}`
    return has(this.source, fun) ? saltFunction(this.source, fun) : undefined
  }

  override item(key: Datum, run: Run): Datum | undefined {
    const name = textOf(key)
    return name === undefined ? undefined : this.attribute(name, run)
  }
}
