// A template: its text, how it is read, and its compiled forms, kept in a cache bounded in bytes.

import { compileProgram } from './compile-program.ts'
import { DEFAULT_OPTIONS, type JinjaOptions, mergeOptions, readHeader } from './options.ts'
import type { Program } from './program.ts'
import type { Mode } from './run.ts'
import { parseTemplate } from './statement-grammar.ts'

/** A template that parsed; it is compiled for a mode when it first runs in it. */
export class Template {
  /** The path or other name it was given. */
  readonly name: string | undefined
  /** The text as given. */
  readonly source: string
  /** The text that is evaluated: without the `#jinja2:` header. */
  private readonly body: string
  private readonly options: JinjaOptions
  private readonly programs: { text?: Program; holes?: Program } = {}

  constructor(source: string, name: string | undefined, options: JinjaOptions, withHeader: boolean) {
    const read = withHeader ? readHeader(source, options) : { text: source, options }
    this.name = name
    this.source = source
    this.body = read.text
    this.options = read.options
  }

  /** The line break that Salt puts back behind the output. */
  get ending(): string {
    return this.source.endsWith('\n') ? '\n' : ''
  }

  /** Throws a PythonError `TemplateSyntaxError`. */
  program(mode: Mode): Program {
    const known = this.programs[mode]
    if (known !== undefined) return known
    const program = compileProgram(this, parseTemplate(this.body, this.options), mode, this.body)
    this.programs[mode] = program
    return program
  }

  /** Another template read with the settings of this one. */
  sibling(source: string, name: string): Template {
    return cachedTemplate(source, name, this.options, false)
  }
}

const MAX_CACHED = 8_000_000
/** What a compiled template costs, in characters of its text. */
const OVERHEAD = 500

interface Cached {
  readonly name: string | undefined
  readonly options: JinjaOptions
  readonly withHeader: boolean
  readonly template: Template
}

const cache = new Map<string, Cached[]>()
let cached = 0

/** The template of a text, from the cache where it was made before. */
export function cachedTemplate(
  source: string,
  name: string | undefined,
  options: Readonly<Record<string, unknown>> | JinjaOptions,
  withHeader: boolean,
): Template {
  const known = cache.get(source)
  const merged =
    options === DEFAULT_OPTIONS ? DEFAULT_OPTIONS : mergeOptions(DEFAULT_OPTIONS, options as Record<string, unknown>)
  const found = known?.find(
    (one) => one.name === name && one.withHeader === withHeader && sameOptions(one.options, merged),
  )
  if (known !== undefined && found !== undefined) {
    cache.delete(source)
    cache.set(source, known)
    return found.template
  }
  const template = new Template(source, name, merged, withHeader)
  cache.delete(source)
  cache.set(source, [...(known ?? []), { name, options: merged, withHeader, template }])
  cached += source.length + OVERHEAD
  for (const [oldest, templates] of cache) {
    if (cached <= MAX_CACHED || oldest === source) break
    cache.delete(oldest)
    cached -= (oldest.length + OVERHEAD) * templates.length
  }
  return template
}

function sameOptions(a: JinjaOptions, b: JinjaOptions): boolean {
  return a === b || (Object.keys(a) as (keyof JinjaOptions)[]).every((key) => a[key] === b[key])
}
