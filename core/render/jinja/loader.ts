// Other templates: include, import and extends find them by path, relative ones beside the template.
import type { Activation } from './activation.ts'
import { Context, RootScope } from './context.ts'
import { type Datum, repr, str, TemplateObject, textOf } from './datum.ts'
import { collect } from './iterate.ts'
import { runProgram } from './program.ts'
import { PythonError } from './python-error.ts'
import type { Run } from './run.ts'
import type { Template } from './template.ts'
import { Rope } from './text-object.ts'
import { Undefined } from './undefined.ts'

/** What an import names, and the variables it hands over: absent without context. */
export interface ImportRequest {
  readonly template: Datum
  readonly locals: ReadonlyMap<string, Datum> | undefined
}

/** An imported template: what it exported, and what it printed. */
export class TemplateModule extends TemplateObject {
  readonly typeName = 'TemplateModule'
  private readonly name: string
  private readonly context: Context
  /** The output, in holes mode with its holes. */
  readonly body: Datum

  constructor(name: string, context: Context, body: Datum) {
    super()
    this.name = name
    this.context = context
    this.body = body
  }

  override get qualifiedName(): string {
    return 'jinja2.environment.TemplateModule'
  }

  /** How messages name it. */
  get shownName(): string {
    return repr(this.name)
  }

  override repr(): string {
    return `<TemplateModule ${this.shownName}>`
  }

  override str(): string {
    return str(this.body)
  }

  override attribute(name: string): Datum | undefined {
    return this.context.exported.has(name) ? this.context.vars.get(name) : undefined
  }
}

function notFound(message: string): PythonError {
  return new PythonError('TemplateNotFound', message, 'Check the path: it is looked for in the file roots.')
}

/** The template a path names. Throws `TemplateNotFound`, or what `files` throws. */
export function loadTemplate(path: Datum, run: Run): Template {
  if (path instanceof Undefined) path.fail()
  const name = textOf(path)
  if (name === undefined) {
    if (Array.isArray(path) || path instanceof TemplateObject) return selectTemplate(path, run)
    throw new PythonError('TypeError', 'no loader can load a template by this name')
  }
  return load(name, run)
}

function selectTemplate(paths: Datum, run: Run): Template {
  const names = collect(paths, run)
  if (names.length === 0) throw notFound('Tried to select from an empty list of templates.')
  for (const name of names) {
    try {
      return load(str(name), run)
    } catch (error) {
      if (!(error instanceof PythonError) || error.exception !== 'TemplateNotFound') throw error
    }
  }
  throw notFound(`none of the templates given were found: ${names.map(str).join(', ')}`)
}

function load(name: string, run: Run): Template {
  const known = run.templates?.get(name)
  if (known !== undefined) return known
  const relative = /^\.\.?(\/|$)/.test(name)
  const tpldir = relative ? currentDirectory(run) : undefined
  const path = tpldir === undefined ? name : normalize(`${tpldir}/${name}`)
  if (path === undefined || (relative && tpldir === undefined)) throw notFound(name)
  const text = run.environment.files?.(path)
  if (text === undefined) throw notFound(name)
  const directory = relative ? (tpldir ?? '') : path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  run.loadedFrom = {
    tplfile: relative ? name : path,
    tpldir: directory === '' ? '.' : directory,
    tpldot: directory.replaceAll('/', '.'),
  }
  const template = run.template.sibling(text, name)
  run.paths ??= new Map()
  run.paths.set(template, path)
  try {
    template.program(run.mode)
  } catch (error) {
    if (error instanceof PythonError) error.saltTemplate ??= { name: path, source: text }
    throw error
  }
  run.templates ??= new Map()
  run.templates.set(name, template)
  return template
}

function currentDirectory(run: Run): string | undefined {
  const known = run.loadedFrom?.tpldir ?? run.environment.context.tpldir
  return known === undefined ? undefined : str(known)
}

/** The path without `.` and `..`, `undefined` where it leaves the root. */
function normalize(path: string): string | undefined {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** Prints another template; `locals` hands over the variables, absent without context. */
export function includeTemplate(
  path: Datum,
  { context, run }: Activation,
  locals: ReadonlyMap<string, Datum> | undefined,
  ignoreMissing: boolean,
): void {
  let template: Template
  try {
    template = loadTemplate(path, run)
  } catch (error) {
    if (ignoreMissing && error instanceof PythonError && error.exception === 'TemplateNotFound') return
    throw error
  }
  if (locals === undefined) {
    const { body } = moduleOf(template, template.name ?? '', run)
    run.write(body instanceof Rope ? body.raw : str(body))
    return
  }
  const program = template.program(run.mode)
  runProgram(program, context.forTemplate(locals, program.blocks), run)
}

/** Imports a template: without context it is evaluated once a render. */
export function importModule({ template: path, locals }: ImportRequest, { context, run }: Activation): TemplateModule {
  const template = loadTemplate(path, run)
  const name = template.name ?? ''
  if (locals === undefined) return moduleOf(template, name, run)
  const program = template.program(run.mode)
  return evaluateModule(template, name, context.forTemplate(locals, program.blocks), run)
}

function moduleOf(template: Template, name: string, run: Run): TemplateModule {
  const known = run.modules?.get(name)
  if (known instanceof TemplateModule) return known
  const program = template.program(run.mode)
  const module = evaluateModule(template, name, new Context(new RootScope(run, true), program.blocks), run)
  run.modules ??= new Map()
  run.modules.set(name, module)
  return module
}

function evaluateModule(template: Template, name: string, context: Context, run: Run): TemplateModule {
  const body = run.capture(() => runProgram(template.program(run.mode), context, run))
  return new TemplateModule(name, context, body)
}
