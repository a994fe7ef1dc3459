// The state of one render: output, holes, budgets, what changed, and where evaluation stands.
import type { Value } from '../../value/index.ts'
import type { Hole } from '../hole.ts'
import { type Budgets, budgetError } from './budget.ts'
import type { Builtins } from './builtins.ts'
import { Changes } from './changes.ts'
import { type Datum, TemplateObject, TextObject } from './datum.ts'
import type { Environment, Outside } from './environment.ts'
import { escapeHtml } from './html.ts'
import { printed, printedValue } from './printed.ts'
import { PythonError } from './python-error.ts'
import type { Template } from './template.ts'
import { Markup, Rope, TypedText, token } from './text-object.ts'
import { type Missing, Undefined } from './undefined.ts'

/** Text mode prints as Salt does; holes mode prints data as tokens. */
export type Mode = 'text' | 'holes'

/** One render of one template and of all it includes and imports. */
export class Run {
  readonly environment: Environment
  readonly builtins: Builtins
  readonly mode: Mode
  readonly holesMode: boolean
  readonly strict: boolean
  /** What was printed since the innermost capture began. */
  out = ''
  readonly holes: Hole[] = []
  /** The line being evaluated, in {@link template}. */
  line = 1
  /** The template being evaluated. */
  template: Template
  autoescape = false
  /** True once output was captured, so that holes may be out of order or unused at the end. */
  captured = false
  depth = 0
  /** Modules by template name, evaluated once a render. */
  modules: Map<string, TemplateObject> | undefined
  /** Templates by name, loaded once a render. */
  templates: Map<string, Template> | undefined
  /** Where included templates were found, which is not always as they were named. */
  paths: Map<Template, string> | undefined
  /** `tplfile`, `tpldir` and `tpldot` of the file loaded last, which imported templates see. */
  loadedFrom: Readonly<Record<string, string>> | undefined
  private steps = 0
  private readonly budgets: Budgets
  #own: Changes | undefined

  constructor(environment: Environment, template: Template, mode: Mode, budgets: Budgets, builtins: Builtins) {
    this.environment = environment
    this.builtins = builtins
    this.template = template
    this.mode = mode
    this.holesMode = mode === 'holes'
    this.strict = environment.allowUndefined !== true
    this.budgets = budgets
  }

  /** Counts work done; throws when the budget is used up. */
  charge(steps: number): void {
    this.steps += steps
    if (this.steps > this.budgets.steps) throw budgetError('steps', this.budgets.steps)
  }

  /** Runs `body` one level deeper; throws when nesting gets too deep. */
  enter(): void {
    if (++this.depth > this.budgets.depth) {
      throw budgetError('macros, loops, includes and blocks inside one another', this.budgets.depth)
    }
    this.charge(1)
  }

  /** A random number from the outside; `who` needs it. */
  random(who: string): number {
    return this.outside('random', who)()
  }

  /** Something only the outside knows. Throws where the render was not given it. */
  outside<Name extends 'now' | 'random'>(name: Name, who: string): NonNullable<Outside[Name]> {
    const found = this.environment.outside?.[name]
    if (found !== undefined) return found
    const what = name === 'now' ? 'the time' : 'random numbers'
    throw new PythonError('Unavailable', `${who} needs ${what}, which this render was not given`)
  }

  undefined(missing: Missing): Undefined {
    return new Undefined(missing, this.strict)
  }

  /** Prints structure: template text. */
  write(text: string): void {
    this.out += text
    if (this.out.length > this.budgets.output) throw budgetError('characters of output', this.budgets.output)
  }

  /** Prints what an expression gave. */
  print(datum: Datum): void {
    if (this.autoescape) this.printEscaped(datum)
    else if (this.holesMode) this.write(this.structure(datum))
    else this.write(typeof datum === 'string' ? datum : printed(datum))
  }

  private printEscaped(datum: Datum): void {
    if (datum instanceof TextObject && datum.markup) this.write(this.holesMode ? this.structure(datum) : datum.text())
    else if (datum instanceof Rope && !datum.hasHoles) this.write(escapeHtml(datum.raw))
    else {
      const text = escapeHtml(printed(datum))
      this.write(this.holesMode ? this.structure(text) : text)
    }
  }

  /** In holes mode: a datum as structure, data as a token for it. */
  structure(datum: Datum): string {
    if (typeof datum === 'string') return datum === '' ? '' : token(this.holes.push({ value: datum, typed: false }) - 1)
    if (datum instanceof Rope) return datum.raw
    if (datum instanceof TypedText) return token(this.holes.push(datum.hole()) - 1)
    const value = holeValue(datum)
    if (value === '') return ''
    return token(
      this.holes.push(typeof value === 'object' && value !== null ? new Printed(value) : { value, typed: false }) - 1,
    )
  }

  /** Output printed by `body` as one text: a rope in holes mode. */
  capture(body: () => void): Datum {
    const outer = this.out
    this.out = ''
    this.captured = true
    body()
    const text = this.out
    this.out = outer
    return this.text(text)
  }

  /** Captured output as a datum. */
  text(raw: string): Datum {
    if (this.holesMode) return new Rope(raw, this.holes, this.autoescape)
    return this.autoescape ? new Markup(raw) : raw
  }

  /** To be called before a list or map is changed in place: it is put back, at the end or by who gave the {@link Changes}. */
  changes(target: Datum[] | Map<Datum, Datum> | { [key: string]: Datum }): void {
    this.#own ??= this.environment.changes === undefined ? new Changes() : undefined
    if ((this.environment.changes ?? this.#own)?.note(target) === true) this.charge(1)
  }

  /** Puts back what was changed, unless others go on from it. */
  restore(): void {
    this.#own?.restore()
  }

  /** Fills in where an error happened, once: the frame that failed is the innermost that catches it. */
  locate(error: unknown, isSaltLine: boolean): void {
    if (!(error instanceof PythonError)) return
    error.place ??= { name: this.template.name, line: error.saltLine ?? this.line, source: this.template.source }
    if (!isSaltLine) return
    error.saltLine ??= this.line
    const name = this.paths?.get(this.template) ?? this.template.name
    error.saltTemplate ??= { name, source: this.template.source }
  }
}

/** The hole of a printed list or map; its text is made only where it stands inside other text. */
class Printed implements Hole {
  readonly value: Value
  readonly typed = false
  constructor(value: Value) {
    this.value = value
  }

  get text(): string {
    return printed(this.value as Datum)
  }
}

/** What a hole holds for a printed datum: lists and maps as values, other objects as the text they print. */
function holeValue(datum: Datum): Value {
  if (datum instanceof TemplateObject) return datum.str()
  return typeof datum !== 'object' || datum === null ? datum : printedValue(datum)
}
