// Salt's verify_high: what is wrong with high data before it is compiled, in Salt's words.
import { entries, isFloat, isList, isMap, pythonStr, type Value } from '../value/index.ts'
import type { HighId } from './high.ts'
import { REQUISITE_KEYWORDS } from './requisite-kinds.ts'

/** Every error in the reactions of the file `sls`, in the order Salt lists them; empty where it may be compiled. */
export function verifyHigh(ids: readonly HighId[], sls: string): string[] {
  const errors: string[] = []
  for (const { id, body } of ids) {
    const name = pythonStr(id)
    if (typeof id !== 'string') {
      const type = pythonType(id)
      errors.push(
        `ID '${name}' in SLS '${sls}' is not formed as a string, but is type ${type}. It may need to be quoted.`,
      )
    } else if (id.startsWith('__')) continue
    for (const [state, args] of body) {
      if (!state.startsWith('__')) verifyState(name, sls, state, args, errors)
    }
  }
  return errors
}

function verifyState(id: string, sls: string, state: string, args: Value, errors: string[]): void {
  if (args === null) {
    errors.push(
      `ID '${id}' in SLS '${sls}' contains a short declaration (${state}) with a trailing colon. ` +
        'When not passing any arguments to a state, the colon must be omitted.',
    )
    return
  }
  if (!isList(args)) {
    errors.push(`State '${id}' in SLS '${sls}' is not formed as a list`)
    return
  }
  const dot = state.indexOf('.')
  const functions = dot < 0 ? [] : [state.slice(dot + 1)]
  for (const arg of args) {
    if (typeof arg === 'string') {
      functions.push(arg)
      if (arg.trim().includes(' ')) {
        errors.push(
          `The function "${arg}" in state "${id}" in SLS "${sls}" has whitespace, a function with whitespace is not ` +
            'supported, perhaps this is an argument that is missing a ":"',
        )
      }
    } else if (isMap(arg)) verifyArgument(id, sls, entries(arg), errors)
  }
  if (functions.length === 0) errors.push(`No function declared in state '${id}' in SLS '${sls}'`)
  if (functions.length > 1) {
    const choice = functions.join(', ')
    errors.push(
      `Too many functions declared in state '${id}' in SLS '${sls}'. Please choose one of the following: ${choice}`,
    )
  }
}

/** Salt looks at the first key alone to find `names` and requisites; an empty map makes it fail. */
function verifyArgument(id: string, sls: string, arg: readonly [Value, Value][], errors: string[]): void {
  const [first] = arg
  if (first === undefined) {
    errors.push(`An argument of state '${id}' in SLS '${sls}' is an empty map. Remove it.`)
    return
  }
  const [key, value] = first
  if (key === 'names' && !isList(value)) {
    errors.push(`The 'names' argument in state '${id}' in SLS '${sls}' needs to be formed as a list`)
  }
  if (typeof key !== 'string' || !REQUISITE_KEYWORDS.has(key)) return
  if (isList(value)) for (const requisite of value) verifyRequisite(id, sls, requisite, errors)
  else errors.push(`The ${key} statement in state '${id}' in SLS '${sls}' needs to be formed as a list`)
  if (arg.length !== 1) errors.push(`Multiple dictionaries defined in argument of state '${id}' in SLS '${sls}'`)
}

function verifyRequisite(id: string, sls: string, requisite: Value, errors: string[]): void {
  if (typeof requisite === 'string') return
  const pairs = isMap(requisite) ? entries(requisite) : []
  const [only] = pairs
  if (only === undefined || pairs.length !== 1) {
    const text = pythonStr(requisite)
    errors.push(`Requisite declaration ${text} in state ${id} in SLS ${sls} is not formed as a single key dictionary`)
    return
  }
  const type = pythonStr(only[0])
  const dot = type.indexOf('.')
  if (dot >= 0) {
    errors.push(
      `Invalid requisite type '${type}' in state '${id}', in SLS '${sls}'. ` +
        `Requisite types must not contain dots, did you mean '${type.slice(0, dot)}'?`,
    )
  }
  if (isList(only[1]) || isMap(only[1])) {
    errors.push(`Illegal requisite "${pythonStr(only[1])}" in SLS "${sls}", please check your syntax.`)
  }
}

function pythonType(value: Value): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (isList(value)) return 'tuple'
  return isFloat(value) ? 'float' : 'int'
}
