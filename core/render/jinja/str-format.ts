// Python's `str.format` and `str.format_map`, with fields looked up as Jinja's sandbox does.
import { type Datum, type Kwargs, repr, str, textOf } from './datum.ts'
import { type DictDatum, dictItem, keyError } from './dict.ts'
import { formatValue } from './format-spec.ts'
import { attributeOf, itemOf } from './lookup.ts'
import { PythonError, valueError } from './python-error.ts'
import { type FormatPart, joinFormatted } from './rope.ts'
import type { Run } from './run.ts'
import { Rope } from './text-object.ts'
import { defined } from './undefined.ts'

interface Field {
  readonly name: string
  readonly conversion: string | undefined
  readonly spec: string
}

/** `format.format(*args, **kwargs)`; `map` is what `format_map` was given instead. */
export function formatText(
  format: Datum,
  args: readonly Datum[],
  kwargs: Kwargs,
  map: DictDatum | undefined,
  run: Run,
): Datum {
  const source = format instanceof Rope && format.hasHoles ? format.text() : format
  const formatter = new Formatter(args, kwargs, map, run)
  return joinFormatted(source, formatter.parts(textOf(source) ?? '', 2), run)
}

class Formatter {
  private automatic = 0
  private readonly args: readonly Datum[]
  private readonly kwargs: Kwargs
  private readonly map: DictDatum | undefined
  private readonly run: Run

  constructor(args: readonly Datum[], kwargs: Kwargs, map: DictDatum | undefined, run: Run) {
    this.args = args
    this.kwargs = kwargs
    this.map = map
    this.run = run
  }

  parts(text: string, depth: number): FormatPart[] {
    if (depth < 0) throw valueError('Max string recursion exceeded')
    const parts: FormatPart[] = []
    let literal = ''
    for (let at = 0; at < text.length; at++) {
      const char = text[at] ?? ''
      if (char !== '{' && char !== '}') {
        literal += char
        continue
      }
      if (text[at + 1] === char) {
        literal += char
        at++
        continue
      }
      if (char === '}') throw valueError("Single '}' encountered in format string")
      const end = closing(text, at + 1)
      if (literal !== '') parts.push({ literal })
      literal = ''
      parts.push(this.field(readField(text.slice(at + 1, end)), depth))
      at = end
    }
    if (literal !== '') parts.push({ literal })
    return parts
  }

  private field(field: Field, depth: number): FormatPart {
    const found = this.value(field.name)
    const spec = field.spec.includes('{') ? this.flat(field.spec, depth - 1) : field.spec
    if (field.conversion === undefined && spec === '') return { datum: found }
    const value = field.conversion === undefined ? found : convert(found, field.conversion)
    return { formatted: formatValue(value, spec) }
  }

  private flat(text: string, depth: number): string {
    return this.parts(text, depth)
      .map((part) => ('literal' in part ? part.literal : 'formatted' in part ? part.formatted : str(part.datum)))
      .join('')
  }

  private value(name: string): Datum {
    const [, first = '', rest = ''] = /^([^.[]*)([\s\S]*)$/.exec(name) ?? []
    let value = this.first(first)
    for (const step of rest.matchAll(/\.([^.[]*)|\[([^\]]*)\]/g)) {
      const [, attribute, item = ''] = step
      if (attribute !== undefined) value = defined(attributeOf(value, attribute, this.run))
      else value = defined(itemOf(value, /^\d+$/.test(item) ? Number(item) : item, this.run))
    }
    return value
  }

  private first(name: string): Datum {
    if (name === '' || /^\d+$/.test(name)) {
      if (this.map !== undefined) throw valueError('Format string contains positional fields')
      if (name === '' ? this.automatic < 0 : this.automatic > 0) {
        throw valueError('cannot switch from manual field specification to automatic field numbering')
      }
      const index = name === '' ? this.automatic++ : Number(name)
      if (name !== '') this.automatic = -1
      const value = this.args[index]
      if (value === undefined) {
        throw new PythonError('IndexError', 'tuple index out of range')
      }
      return value
    }
    const value = this.map === undefined ? this.kwargs.get(name) : dictItem(this.map, name)
    if (value === undefined) throw keyError(name)
    return value
  }
}

function convert(value: Datum, conversion: string): Datum {
  if (conversion === 's') return str(value)
  if (conversion === 'r' || conversion === 'a') return repr(value)
  throw valueError(`Unknown conversion specifier ${conversion}`)
}

/** The index of the brace that closes the one before `start`. */
function closing(text: string, start: number): number {
  let depth = 1
  let inItem = false
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '[' && depth === 1) inItem = true
    else if (char === ']') inItem = false
    else if (inItem) continue
    else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return at
  }
  throw valueError(
    start >= text.length ? "Single '{' encountered in format string" : "expected '}' before end of string",
  )
}

function readField(text: string): Field {
  const match = /^((?:[^[\]!:]|\[[^\]]*\])*)(?:!([^:]*))?(?::([\s\S]*))?$/.exec(text)
  if (match === null) throw valueError("expected ':' after conversion specifier")
  const [, name = '', conversion, spec = ''] = match
  if (conversion !== undefined && conversion.length !== 1) {
    throw valueError(conversion === '' ? "unmatched '{' in format spec" : "expected ':' after conversion specifier")
  }
  return { name, conversion, spec }
}
