// Renders a template: as text, or as text with holes.
import type { Hole } from '../hole.ts'
import { HOLE_CLOSE, HOLE_OPEN } from '../hole.ts'
import { budgetError, DEFAULT_BUDGETS } from './budget.ts'
import type { Builtins } from './builtins.ts'
import { Context, RootScope } from './context.ts'
import type { Environment } from './environment.ts'
import { FILTERS } from './filters.ts'
import { GLOBALS } from './globals.ts'
import { Need } from './need.ts'
import { DEFAULT_OPTIONS, type JinjaOptions } from './options.ts'
import { runProgram } from './program.ts'
import { type Mode, Run } from './run.ts'
import { STRING_METHODS } from './string-methods.ts'
import { cachedTemplate, type Template } from './template.ts'
import { templateError } from './template-error.ts'
import { TESTS } from './tests.ts'
import { token } from './text-object.ts'

const builtins: Builtins = { filters: FILTERS, tests: TESTS, globals: GLOBALS, textMethods: STRING_METHODS }

/** Text with tokens, and what they stand for. */
export interface HolesText {
  readonly text: string
  readonly holes: readonly Hole[]
}

/**
 * The template of a text, compiled once and kept; `options` are Jinja's environment settings. A `#jinja2:` header is
 * heeded. Throws a TemplateError for what Jinja would refuse in any template.
 */
export function compileTemplate(
  text: string,
  name?: string,
  options: Partial<JinjaOptions> = DEFAULT_OPTIONS,
): Template {
  try {
    const template = cachedTemplate(text, name, options, true)
    template.program('text')
    return template
  } catch (error) {
    throw templateError(error, name, text)
  }
}

/** What Salt prints for a template. Throws only TemplateError and Need. */
export function renderText(template: Template, environment: Environment): string {
  return render(template, environment, 'text').out + template.ending
}

/** The template's structure with tokens where it prints data. Throws only TemplateError and Need. */
export function renderHoles(template: Template, environment: Environment): HolesText {
  const run = render(template, environment, 'holes')
  const text = run.out + template.ending
  return run.captured && !inOrder(text, run.holes.length) ? renumber(text, run) : { text, holes: run.holes }
}

function render(template: Template, environment: Environment, mode: Mode): Run {
  const budgets = environment.budgets === undefined ? DEFAULT_BUDGETS : { ...DEFAULT_BUDGETS, ...environment.budgets }
  const run = new Run(environment, template, mode, budgets, builtins)
  try {
    const program = template.program(mode)
    runProgram(program, new Context(new RootScope(run, false), program.blocks), run)
    return run
  } catch (error) {
    if (error instanceof Need) throw error
    throw templateError(error, template.name, template.source)
  } finally {
    run.restore()
  }
}

/** Whether every hole is printed once, one after the other. */
function inOrder(text: string, holes: number): boolean {
  let next = 0
  for (let at = text.indexOf(HOLE_OPEN); at >= 0; at = text.indexOf(HOLE_OPEN, at + 1)) {
    if (!text.startsWith(`${next}${HOLE_CLOSE}`, at + 1)) return false
    next++
  }
  return next === holes
}

const TOKENS = new RegExp(`${HOLE_OPEN}(\\d+)${HOLE_CLOSE}`, 'g')

/** Holes in the order they are printed, without those that never were. */
function renumber(text: string, run: Run): HolesText {
  const holes: Hole[] = []
  const places = new Map<string, number>()
  let printed = text.length
  const numbered = text.replace(TOKENS, (_, index: string) => {
    const hole = run.holes[Number(index)]
    const known = places.get(index)
    if (hole === undefined) return ''
    printed += typeof hole.value === 'string' ? hole.value.length : 0
    if (known !== undefined) return token(known)
    places.set(index, holes.length)
    return token(holes.push(hole) - 1)
  })
  if (printed > 4 * DEFAULT_BUDGETS.output) {
    throw templateError(
      budgetError('characters of output', DEFAULT_BUDGETS.output),
      run.template.name,
      run.template.source,
    )
  }
  return { text: numbered, holes }
}
