// Which form an answer takes: JSON or YAML, by the Accept header as CherryPy reads it.
import { stringifyJson, type Value } from '../../../core/value/index.ts'
import { ApiError } from './error-page.ts'

/** The forms there are, best first. */
const forms = ['application/json', 'application/x-yaml'] as const

/** A form of an answer. */
export type Form = (typeof forms)[number]

interface Range {
  readonly value: string
  readonly text: string
  readonly quality: number
}

/** The form asked for. Throws 406, naming what there is. */
export function chosenForm(accept: string | null): Form {
  if (accept === null || accept.trim() === '') return forms[0]
  for (const { value, quality } of rangesOf(accept)) {
    if (quality <= 0) continue
    if (value === '*/*') return forms[0]
    const found = value.endsWith('/*')
      ? forms.find((form) => form.startsWith(value.slice(0, -1)))
      : forms.find((form) => form === value)
    if (found !== undefined) return found
  }
  throw new ApiError(
    406,
    `Your client sent this Accept header: ${accept}. But this resource only emits these media types: ${forms.join(', ')}.`,
  )
}

/** By quality; of equal ones CherryPy takes the last in the order of their texts. */
function rangesOf(accept: string): Range[] {
  return accept
    .split(',')
    .map((part): Range => {
      const [value = '', ...parameters] = part.split(';').map((text) => text.trim())
      const given = parameters.map((text) => /^q=(.*)$/i.exec(text)?.[1]).find((text) => text !== undefined)
      const quality = given === undefined ? 1 : Number(given)
      return { value, text: part.trim(), quality: Number.isNaN(quality) ? 1 : quality }
    })
    .sort((a, b) => b.quality - a.quality || (a.text < b.text ? 1 : a.text > b.text ? -1 : 0))
}

/** The text of an answer. What writes YAML is loaded with the first that asks for it. */
export async function written(value: Value, form: Form): Promise<string> {
  if (form === 'application/json') return stringifyJson(value, { ascii: false })
  return (await import('../../../core/yaml-writer/index.ts')).dumpYaml(value)
}
