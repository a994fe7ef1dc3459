// `salt['…']()` functions that answer from their arguments and the template's own variables: grains, pillar, opts.

import { matchTag } from '../event/tag-glob.ts'
import { type Dict, entries, get, isMap, type Mapping, pythonStr, type Value } from '../value/index.ts'
import { mergeDeep } from '../value/merge.ts'
import { traverse } from '../value/traverse.ts'
import type { Environment, SaltFunction } from './jinja/index.ts'

type Arguments = Parameters<SaltFunction>

/** An argument by place or by name. */
function argument([args, kwargs]: Arguments, place: number, name: string): Value | undefined {
  return args[place] ?? kwargs[name]
}

/** A variable of the template that is a map. */
function variable(environment: Environment, name: string): Mapping | Dict {
  const value = environment.context[name]
  return value !== undefined && isMap(value) ? value : {}
}

/** `<name>.get(key, default, delimiter)` over a variable. */
function getter(name: string, missing: Value): SaltFunction {
  return (...call) => {
    const delimiter = pythonStr(call[1].delimiter ?? ':')
    const found = traverse(variable(call[2], name), argument(call, 0, 'key') ?? '', delimiter)
    return found ?? argument(call, 1, 'default') ?? missing
  }
}

/** `config.get`: the configuration, then grains, then pillar, as on a master. */
const configGet: SaltFunction = (...call) => {
  const key = argument(call, 0, 'key') ?? ''
  for (const name of ['opts', 'grains', 'pillar']) {
    const found = traverse(variable(call[2], name), key)
    if (found !== undefined) return found
  }
  return argument(call, 1, 'default') ?? ''
}

/** `grains.filter_by(table, grain='os_family', merge, default='default', base)`. */
function filterBy(source: string, decides: string): SaltFunction {
  return (...call) => {
    const table = argument(call, 0, 'lookup_dict')
    if (table === undefined || !isMap(table)) return null
    const value = traverse(variable(call[2], source), argument(call, 1, decides) ?? 'os_family') ?? []
    const wanted = (Array.isArray(value) ? value : [value]).map(pythonStr)
    const found = entries(table).find(
      ([key, item]) => item !== null && wanted.some((text) => matchTag(pythonStr(key), text)),
    )?.[1]
    const picked = found ?? get(table, pythonStr(argument(call, 3, 'default') ?? 'default')) ?? null
    const base = argument(call, 4, 'base')
    const under = base === undefined || base === null ? undefined : get(table, pythonStr(base))
    const laid =
      under !== undefined && isMap(under) && picked !== null && isMap(picked)
        ? mergeDeep(under, picked)
        : (picked ?? under ?? null)
    const merge = argument(call, 2, 'merge')
    if (merge === undefined || merge === null || !isMap(merge)) return laid
    return laid !== null && isMap(laid) ? mergeDeep(laid, merge) : merge
  }
}

/** Functions that need nothing but the template's own variables. */
export const saltFunctions: Readonly<Record<string, SaltFunction>> = {
  'grains.get': getter('grains', ''),
  'grains.items': (...call) => variable(call[2], 'grains'),
  'grains.filter_by': filterBy('grains', 'grain'),
  'pillar.get': getter('pillar', ''),
  'pillar.items': (...call) => variable(call[2], 'pillar'),
  'pillar.filter_by': filterBy('pillar', 'pillar'),
  'config.get': configGet,
  'test.echo': (...call) => argument(call, 0, 'text') ?? '',
  'test.ping': () => true,
}
