// One rendered SLS file on its way into high data: its declarations are named after file and environment and numbered.
import { Dict, entries, isList, isMap, pythonStr, type Value } from '../value/index.ts'
import { firstPair, type High, listMadeAt, thawedBody } from './high.ts'

/** Where a file's declarations come from. */
export interface Origin {
  readonly sls: string
  readonly env: string
}

/** Moves `extend` to `__extend__`, with the origin noted in each body. */
export function takeExtend(state: High, { sls, env }: Origin, errors: string[]): void {
  const written = state.get('extend')
  if (written === undefined) return
  state.delete('extend')
  if (!isMap(written)) {
    errors.push(`Extension value in SLS '${sls}' is not a dictionary`)
    return
  }
  const extension = new Dict()
  for (const [id, body] of entries(written)) {
    if (!isMap(body)) {
      errors.push(`Extension name '${pythonStr(id)}' in SLS '${sls}' is not a dictionary`)
      extension.set(id, body)
      continue
    }
    const named = thawedBody(body)
    if (!named.has('__sls__')) named.set('__sls__', sls)
    if (!named.has('__env__')) named.set('__env__', env)
    for (const key of [...named.keys()]) if (isDotted(key, named.get(key))) splitKey(named, key)
    extension.set(id, named)
  }
  listMadeAt(state, '__extend__').push(extension)
}

/** Moves `exclude` to `__exclude__`. */
export function takeExclude(state: High, { sls }: Origin, errors: string[]): void {
  const written = state.get('exclude')
  if (written === undefined) return
  state.delete('exclude')
  if (!isList(written)) errors.push(`Exclude Declaration in SLS ${sls} is not formed as a list`)
  listMadeAt(state, '__exclude__').push(...iterated(written))
}

/** What Python makes of a list that is none: the characters of a text, the keys of a map. */
function iterated(value: Value): readonly Value[] {
  if (isList(value)) return value
  if (isMap(value)) return entries(value).map(([key]) => key)
  return typeof value === 'string' ? [...value] : []
}

/** Pads short declarations of high data that comes from no file, in place: `id: module.function`, `module.function: […]`. */
export function padStates(high: High): void {
  for (const [id, body] of [...high]) {
    if (body instanceof Dict) takeBody(body, pythonStr(id), '', [])
    else if (typeof body === 'string' && typeof id === 'string' && !id.startsWith('__')) {
      const short = shortBody(body, '', '')
      if (short === undefined) continue
      for (const key of ['__sls__', '__env__']) short.delete(key)
      high.set(id, short)
    }
  }
}

/** Pads short declarations, takes `module.function:` apart and notes file and environment in every body. */
export function takeStates(state: High, { sls, env }: Origin, errors: string[]): void {
  for (const [id, body] of [...state]) {
    if (body instanceof Dict) {
      takeBody(body, pythonStr(id), sls, errors)
      if (!body.has('__sls__')) body.set('__sls__', sls)
      if (!body.has('__env__')) body.set('__env__', env)
    } else if (id !== '__extend__' && id !== '__exclude__') {
      const short = typeof body === 'string' ? shortBody(body, sls, env) : undefined
      if (short !== undefined) state.set(id, short)
      else errors.push(`ID ${pythonStr(id)} in SLS ${sls} is not a dictionary`)
    }
  }
}

/** `id: module.function`, of which anything after a second dot is lost, as in Salt. */
function shortBody(text: string, sls: string, env: string): Dict | undefined {
  const [module, fun] = text.split('.')
  if (module === undefined || fun === undefined) return undefined
  return new Dict([
    ['__sls__', sls],
    ['__env__', env],
    [module, [fun]],
  ])
}

function takeBody(body: Dict, id: string, sls: string, errors: string[]): void {
  const seen = new Set<string>()
  for (const key of [...body.keys()]) {
    if (typeof key !== 'string') {
      errors.push(`ID '${id}' in SLS '${sls}' has the key ${pythonStr(key)}, which is no text. Quote it.`)
    } else if (!key.startsWith('_') && isList(body.get(key))) {
      const [module = ''] = key.split('.', 1)
      if (key !== module && seen.has(module)) {
        errors.push(`ID '${id}' in SLS '${sls}' contains multiple state declarations of the same type`)
        continue
      }
      if (key !== module) splitKey(body, key)
      seen.add(module)
    }
  }
}

function isDotted(key: Value, args: Value | undefined): key is string {
  return typeof key === 'string' && !key.startsWith('_') && isList(args) && key.includes('.')
}

/** `module.function: […]` becomes `module` at the end of the body, with the function at the end of its list. */
function splitKey(body: Dict, key: Value): void {
  const args = body.get(key)
  const [module = '', fun = ''] = pythonStr(key).split('.')
  body.delete(key)
  body.set(module, isList(args) ? [...args, fun] : [fun])
}

/** Numbers what has no `order` yet; `next` is the first number, what comes back the first that is left. */
export function autoOrder(state: High, next: number): number {
  let order = next
  for (const body of state.values()) {
    // Salt gives up at the first ID that holds a number or nothing.
    if (!(body instanceof Dict) && !isList(body) && typeof body !== 'string') return order
    if (!(body instanceof Dict)) continue
    for (const [key, args] of body) {
      if (typeof key !== 'string' || key.startsWith('_') || !isList(args)) continue
      if (args.some((argument) => firstPair(argument)?.[0] === 'order')) continue
      args.push({ order })
      order++
    }
  }
  return order
}
