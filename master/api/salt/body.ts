// What a request's body says: JSON, YAML, a form, or a text that may be JSON.
import { yamlifyArg } from '../../../core/arguments/index.ts'
import { BrineError } from '../../../core/error.ts'
import { loadYaml, YamlError } from '../../../core/render/yaml/index.ts'
import { isMap, parseJson, type Value } from '../../../core/value/index.ts'
import { ApiError } from './error-page.ts'

/** A body as data and as it came. */
export interface Body {
  /** `null` where there is none. */
  readonly data: Value
  readonly raw: string
}

/** Reads a body by its content type. Throws 400 for what does not parse, 406 for a type that is not read. */
export function readBody(contentType: string | null, raw: string): Body {
  switch ((contentType ?? '').split(';')[0]?.trim().toLowerCase()) {
    case 'application/x-www-form-urlencoded':
      return { data: raw === '' ? null : readForm(raw), raw }
    case 'application/json':
      return { data: raw === '' ? null : readJson(raw), raw }
    case 'application/x-yaml':
    case 'text/yaml':
      return { data: readYaml(raw), raw }
    case 'text/plain':
      return { data: raw === '' ? null : readText(raw), raw }
    default:
      if (raw === '') return { data: null, raw }
      throw new ApiError(406, 'Content type not supported')
  }
}

function readJson(raw: string): Value {
  try {
    return parseJson(raw)
  } catch (error) {
    if (error instanceof BrineError) throw new ApiError(400, 'Invalid JSON document')
    throw error
  }
}

/** SaltGUI posts JSON as text. */
function readText(raw: string): Value {
  try {
    return parseJson(raw)
  } catch (error) {
    if (error instanceof BrineError) return raw
    throw error
  }
}

function readYaml(raw: string): Value {
  try {
    return loadYaml(raw)
  } catch (error) {
    if (error instanceof YamlError) throw new ApiError(400, 'Invalid YAML document')
    throw error
  }
}

/** Fields without a value are left out; a repeated one is a list. `arg` and `kwarg` are read as on the command line. */
function readForm(raw: string): Value {
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(raw)) {
    if (value !== '') fields.set(name, [...(fields.get(name) ?? []), value])
  }
  return Object.fromEntries(
    [...fields].map(([name, values]): [string, Value] => {
      if (name === 'arg') return [name, values.map((value) => yamlifyArg(value))]
      const [only = ''] = values
      if (name === 'kwarg' && values.length === 1) return [name, yamlifyArg(only)]
      return [name, values.length === 1 ? only : values]
    }),
  )
}

/** The list of calls that a body means: one map is a list of one. Anything else is handed on as it is. */
export function lowstateOf(data: Value): Value {
  return isMap(data) && (data instanceof Map ? data.size : Object.keys(data).length) > 0 ? [data] : data
}
