// The syntax tree of a template: Jinja's nodes, each with the line Jinja gives it.

/** A literal. */
export interface Const {
  readonly kind: 'const'
  readonly line: number
  readonly value: null | boolean | number | bigint | string
  /** True where the literal is a float, so that `2.0` does not read as `2`. */
  readonly float?: boolean
}

/** A name, read or written. */
export interface Name {
  readonly kind: 'name'
  readonly line: number
  readonly name: string
  /** What is done with the name; set by the parser when it turns out to be a target. */
  use: 'load' | 'store' | 'param'
}

/** `ns.attribute` as a target of `set`. */
export interface NamespaceRef {
  readonly kind: 'nsref'
  readonly line: number
  readonly name: string
  readonly attribute: string
}

/** A tuple or list display; a tuple also as a target. */
export interface Sequence {
  readonly kind: 'tuple' | 'list'
  readonly line: number
  readonly items: readonly Expression[]
}

/** `{key: value}`. */
export interface DictLiteral {
  readonly kind: 'dict'
  readonly line: number
  readonly pairs: readonly (readonly [Expression, Expression])[]
}

/** Arithmetic on two operands. */
export interface Binary {
  readonly kind: 'binary'
  readonly line: number
  readonly operator: '+' | '-' | '*' | '/' | '//' | '%' | '**'
  readonly left: Expression
  readonly right: Expression
}

/** `and`, `or`: yields one of the operands, as in Python. */
export interface Logic {
  readonly kind: 'and' | 'or'
  readonly line: number
  readonly left: Expression
  readonly right: Expression
}

/** A sign, or `not`. */
export interface Unary {
  readonly kind: 'unary'
  readonly line: number
  readonly operator: '+' | '-' | 'not'
  readonly operand: Expression
}

/** `~`: the texts of all items, joined. */
export interface Concat {
  readonly kind: 'concat'
  readonly line: number
  readonly items: readonly Expression[]
}

/** Jinja's own names of the comparisons. */
export type ComparisonOperator = 'eq' | 'ne' | 'lt' | 'lteq' | 'gt' | 'gteq' | 'in' | 'notin'

/** A chain of comparisons: `a < b < c` looks at `b` once. */
export interface Compare {
  readonly kind: 'compare'
  readonly line: number
  readonly first: Expression
  readonly rest: readonly { readonly operator: ComparisonOperator; readonly operand: Expression }[]
}

/** `value if test else otherwise`; without `else`, undefined. */
export interface Conditional {
  readonly kind: 'conditional'
  readonly line: number
  readonly test: Expression
  readonly value: Expression
  readonly otherwise: Expression | undefined
}

/** `object.name`: the attribute, then the item. */
export interface GetAttribute {
  readonly kind: 'attribute'
  readonly line: number
  readonly object: Expression
  readonly name: string
}

/** `object[key]`: the item, then the attribute. */
export interface GetItem {
  readonly kind: 'item'
  readonly line: number
  readonly object: Expression
  readonly key: Expression
}

/** `start:stop:step` as the key of an item. */
export interface Slice {
  readonly kind: 'slice'
  readonly line: number
  readonly start: Expression | undefined
  readonly stop: Expression | undefined
  readonly step: Expression | undefined
}

/** What stands between the parentheses of a call, filter or test. */
export interface Arguments {
  readonly args: readonly Expression[]
  readonly kwargs: readonly { readonly name: string; readonly value: Expression }[]
  readonly dynArgs: Expression | undefined
  readonly dynKwargs: Expression | undefined
}

/** `callee(…)`. */
export interface Call extends Arguments {
  readonly kind: 'call'
  readonly line: number
  readonly callee: Expression
}

/** `input | name(…)`. */
export interface Filter extends Arguments {
  readonly kind: 'filter'
  readonly line: number
  /** `undefined` in a filter block and a filtered `set` block: what was captured. */
  readonly input: Expression | undefined
  readonly name: string
}

/** `input is name …`. */
export interface Test extends Arguments {
  readonly kind: 'test'
  readonly line: number
  readonly input: Expression
  readonly name: string
}

/** Whatever has a value. */
export type Expression =
  | Const
  | Name
  | NamespaceRef
  | Sequence
  | DictLiteral
  | Binary
  | Logic
  | Unary
  | Concat
  | Compare
  | Conditional
  | GetAttribute
  | GetItem
  | Slice
  | Call
  | Filter
  | Test

/** Template text outside tags. */
export interface Text {
  readonly kind: 'text'
  readonly line: number
  readonly text: string
}

/** Text and printed expressions that follow one another. */
export interface Output {
  readonly kind: 'output'
  readonly line: number
  readonly items: readonly (Text | Expression)[]
}

/** `for target in iterable if test recursive`, with its `else`. */
export interface For {
  readonly kind: 'for'
  readonly line: number
  readonly target: Expression
  readonly iterable: Expression
  readonly test: Expression | undefined
  readonly recursive: boolean
  readonly body: readonly Statement[]
  readonly otherwise: readonly Statement[]
}

/** `if`, its `elif`s and its `else`. */
export interface If {
  readonly kind: 'if'
  readonly line: number
  readonly test: Expression
  readonly body: readonly Statement[]
  readonly elifs: readonly If[]
  readonly otherwise: readonly Statement[]
}

/** Name, arguments and defaults of a macro or call block. */
export interface Signature {
  readonly params: readonly Name[]
  readonly defaults: readonly Expression[]
}

/** `macro name(…)`. */
export interface Macro extends Signature {
  readonly kind: 'macro'
  readonly line: number
  readonly name: string
  readonly body: readonly Statement[]
}

/** `call(…) macro(…)`: the body is the macro's `caller`. */
export interface CallBlock extends Signature {
  readonly kind: 'callblock'
  readonly line: number
  readonly call: Call
  readonly body: readonly Statement[]
}

/** `filter name(…)`: what the body prints, filtered. */
export interface FilterBlock {
  readonly kind: 'filterblock'
  readonly line: number
  readonly filter: Filter
  readonly body: readonly Statement[]
}

/** `with`: names for the body alone. */
export interface With {
  readonly kind: 'with'
  readonly line: number
  readonly targets: readonly Expression[]
  readonly values: readonly Expression[]
  readonly body: readonly Statement[]
}

/** `autoescape`: Jinja's switch for HTML. */
export interface Autoescape {
  readonly kind: 'autoescape'
  readonly line: number
  readonly value: Expression
  readonly body: readonly Statement[]
}

/** `set target = value`. */
export interface Assign {
  readonly kind: 'assign'
  readonly line: number
  readonly target: Expression
  readonly value: Expression
}

/** `set target`: what the body prints, filtered where a filter stands. */
export interface AssignBlock {
  readonly kind: 'assignblock'
  readonly line: number
  readonly target: Expression
  readonly filter: Filter | undefined
  readonly body: readonly Statement[]
}

/** `block name`: a part that a child template may replace. */
export interface Block {
  readonly kind: 'block'
  readonly line: number
  readonly name: string
  readonly scoped: boolean
  readonly required: boolean
  readonly body: readonly Statement[]
}

/** `extends`: the template whose blocks are replaced. */
export interface Extends {
  readonly kind: 'extends'
  readonly line: number
  readonly template: Expression
}

/** `include`: another template, printed here. */
export interface Include {
  readonly kind: 'include'
  readonly line: number
  readonly template: Expression
  readonly ignoreMissing: boolean
  readonly withContext: boolean
}

/** `import … as target`: another template's names under one. */
export interface Import {
  readonly kind: 'import'
  readonly line: number
  readonly template: Expression
  readonly target: string
  readonly withContext: boolean
}

/** `from … import`: single names of another template. */
export interface FromImport {
  readonly kind: 'fromimport'
  readonly line: number
  readonly template: Expression
  /** Name in the other template and name here. */
  readonly names: readonly (readonly [string, string])[]
  readonly withContext: boolean
}

/** An expression evaluated for its effect: `do`. */
export interface Do {
  readonly kind: 'do'
  readonly line: number
  readonly value: Expression
}

/** `break` and `continue`. */
export interface LoopControl {
  readonly kind: 'break' | 'continue'
  readonly line: number
}

/** Salt's `load_yaml`, `load_json` and `load_text` blocks. */
export interface Load {
  readonly kind: 'load'
  readonly line: number
  readonly filter: Filter
  readonly target: Expression
  readonly body: readonly Statement[]
}

/** Several statements without a scope of their own: what one of Salt's tags stands for. */
export interface Group {
  readonly kind: 'group'
  readonly line: number
  readonly body: readonly Statement[]
}

/** Whatever stands between `{%` and `%}`, and the text around it. */
export type Statement =
  | Output
  | For
  | If
  | Macro
  | CallBlock
  | FilterBlock
  | With
  | Autoescape
  | Assign
  | AssignBlock
  | Block
  | Extends
  | Include
  | Import
  | FromImport
  | Do
  | LoopControl
  | Load
  | Group
