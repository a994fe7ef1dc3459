// Jinja's statements (with do, break, continue) and Salt's load, import and profile tags, from tokens to syntax tree.
import { stringRepr } from '../../value/index.ts'
import { ExpressionGrammar } from './expression-grammar.ts'
import { tokenize } from './lexer.ts'
import type { JinjaOptions } from './options.ts'
import type {
  Block,
  Expression,
  Filter,
  For,
  FromImport,
  If,
  Import,
  Macro,
  Name,
  Output,
  Signature,
  Statement,
  Text,
  With,
} from './syntax-tree.ts'
import { describeExpected, TokenStream } from './token.ts'

const KINDS: Readonly<Record<string, string>> = {
  const: 'const',
  name: 'name',
  tuple: 'tuple',
  list: 'list',
  dict: 'dict',
}
const NO_ARGUMENTS = { args: [], kwargs: [], dynArgs: undefined, dynKwargs: undefined } as const
const MAX_NESTING = 150

/** The syntax tree of a template. Throws a PythonError `TemplateSyntaxError` in Jinja's words. */
export function parseTemplate(text: string, options: JinjaOptions): Statement[] {
  return new StatementGrammar(new TokenStream(tokenize(text, options))).template()
}

class StatementGrammar extends ExpressionGrammar {
  private readonly tags: string[] = []
  private readonly endings: (readonly string[])[] = []

  template(): Statement[] {
    return this.body(undefined)
  }

  private body(ends: readonly string[] | undefined): Statement[] {
    const statements: Statement[] = []
    let output: (Text | Expression)[] = []
    const flush = (): void => {
      const [first] = output
      if (first !== undefined) statements.push({ kind: 'output', line: first.line, items: output } satisfies Output)
      output = []
    }
    if (ends !== undefined) this.endings.push(ends)
    if (this.endings.length > MAX_NESTING) throw this.fail('too many statically nested blocks')
    while (this.stream.current.type !== 'eof') {
      const token = this.stream.next()
      if (token.type === 'data') output.push({ kind: 'text', line: token.line, text: token.value })
      else if (token.type === 'variable_begin') {
        output.push(this.tuple())
        this.stream.expect('variable_end')
      } else {
        flush()
        if (ends?.some((end) => this.stream.test(end))) break
        statements.push(this.statement())
        this.stream.expect('block_end')
      }
    }
    flush()
    if (ends !== undefined) this.endings.pop()
    return statements
  }

  private statement(): Statement {
    const { type, value, line } = this.stream.current
    if (type !== 'name') throw this.fail('tag name expected', line)
    const read = Object.hasOwn(this.readers, value) ? this.readers[value] : undefined
    if (read === undefined) throw this.unexpectedEnd(value, this.endings, line)
    this.tags.push(value)
    const statement = read()
    this.tags.pop()
    return statement
  }

  private readonly readers: Readonly<Record<string, () => Statement>> = {
    for: () => this.for(),
    if: () => this.if(),
    block: () => this.block(),
    extends: () => ({ kind: 'extends', line: this.stream.next().line, template: this.expression() }),
    print: () => this.print(),
    macro: () => this.macro(),
    include: () => this.include(),
    from: () => this.from(),
    import: () => this.import(),
    set: () => this.set(),
    with: () => this.with(),
    autoescape: () => this.autoescape(),
    call: () => this.callBlock(),
    filter: () => this.filterBlock(),
    do: () => ({ kind: 'do', line: this.stream.next().line, value: this.tuple() }),
    break: () => ({ kind: 'break', line: this.stream.next().line }),
    continue: () => ({ kind: 'continue', line: this.stream.next().line }),
    load_yaml: () => this.load(),
    load_json: () => this.load(),
    load_text: () => this.load(),
    import_yaml: () => this.importData(),
    import_json: () => this.importData(),
    import_text: () => this.importData(),
    profile: () => this.profile(),
  }

  /** Reads up to one of the tags that end a body; the stream then stands on its name, or after it with `drop`. */
  private statements(ends: readonly string[], drop: boolean): Statement[] {
    this.stream.skipIf('colon')
    this.stream.expect('block_end')
    const result = this.body(ends)
    if (this.stream.current.type === 'eof') throw this.unexpectedEnd(undefined, [...this.endings, ends])
    if (drop) this.stream.next()
    return result
  }

  private unexpectedEnd(name: string | undefined, endings: readonly (readonly string[])[], line?: number): Error {
    const message = [
      name === undefined ? 'Unexpected end of template.' : `Encountered unknown tag ${stringRepr(name)}.`,
    ]
    const last = endings.at(-1)
    if (last !== undefined) {
      const looking = last.map((end) => stringRepr(describeExpected(end))).join(' or ')
      const expected = endings.some((ends) => ends.some((end) => describeExpected(end) === name))
      message.push(
        name !== undefined && expected
          ? `You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for ${looking}.`
          : `Jinja was looking for the following tags: ${looking}.`,
      )
    }
    const tag = this.tags.at(-1)
    if (tag !== undefined) message.push(`The innermost block that needs to be closed is ${stringRepr(tag)}.`)
    return this.fail(message.join(' '), line)
  }

  private set(): Statement {
    const { line } = this.stream.next()
    const target = this.target({ withNamespace: true })
    if (this.stream.skipIf('assign')) return { kind: 'assign', line, target, value: this.tuple() }
    const filter = this.filterChain(undefined, false)
    return { kind: 'assignblock', line, target, filter, body: this.statements(['name:endset'], true) }
  }

  private for(): For {
    const { line } = this.stream.expect('name:for')
    const target = this.target({})
    this.stream.expect('name:in')
    const iterable = this.tuple({ withoutCondition: true })
    const test = this.stream.skipIf('name:if') ? this.expression() : undefined
    const recursive = this.stream.skipIf('name:recursive')
    const body = this.statements(['name:endfor', 'name:else'], false)
    const otherwise = this.stream.next().value === 'endfor' ? [] : this.statements(['name:endfor'], true)
    return { kind: 'for', line, target, iterable, test, recursive, body, otherwise }
  }

  private if(): If {
    const { line } = this.stream.expect('name:if')
    const first = this.branch(line)
    const elifs: If[] = []
    let otherwise: Statement[] = []
    for (;;) {
      const token = this.stream.next()
      if (token.type === 'name' && token.value === 'elif') {
        elifs.push(this.branch(this.stream.current.line))
        continue
      }
      if (token.type === 'name' && token.value === 'else') otherwise = this.statements(['name:endif'], true)
      return { ...first, elifs, otherwise }
    }
  }

  private branch(line: number): If {
    const test = this.tuple({ withoutCondition: true })
    const body = this.statements(['name:elif', 'name:else', 'name:endif'], false)
    return { kind: 'if', line, test, body, elifs: [], otherwise: [] }
  }

  private with(): With {
    const { line } = this.stream.next()
    const targets: Expression[] = []
    const values: Expression[] = []
    while (this.stream.current.type !== 'block_end') {
      if (targets.length > 0) this.stream.expect('comma')
      const target = this.target({})
      setUse(target, 'param')
      targets.push(target)
      this.stream.expect('assign')
      values.push(this.expression())
    }
    return { kind: 'with', line, targets, values, body: this.statements(['name:endwith'], true) }
  }

  private autoescape(): Statement {
    const { line } = this.stream.next()
    const value = this.expression()
    return { kind: 'autoescape', line, value, body: this.statements(['name:endautoescape'], true) }
  }

  private block(): Block {
    const { line } = this.stream.next()
    const name = this.stream.expect('name').value
    const scoped = this.stream.skipIf('name:scoped')
    const required = this.stream.skipIf('name:required')
    if (this.stream.current.type === 'sub') {
      throw this.fail(
        'Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.',
      )
    }
    const body = this.statements(['name:endblock'], true)
    const blank = (item: Text | Expression): boolean => item.kind === 'text' && item.text.trim() === ''
    if (required && !body.every((part) => part.kind === 'output' && part.items.every(blank))) {
      throw this.fail('Required blocks can only contain comments or whitespace')
    }
    this.stream.skipIf(`name:${name}`)
    return { kind: 'block', line, name, scoped, required, body }
  }

  /** `with context` or `without context`, where either follows. */
  private importContext(otherwise: boolean): boolean {
    const { type, value } = this.stream.current
    if (type !== 'name' || (value !== 'with' && value !== 'without')) return otherwise
    if (!this.stream.lookTest('name:context')) return otherwise
    this.stream.next()
    this.stream.next()
    return value === 'with'
  }

  private include(): Statement {
    const { line } = this.stream.next()
    const template = this.expression()
    const ignoreMissing = this.stream.test('name:ignore') && this.stream.lookTest('name:missing')
    if (ignoreMissing) {
      this.stream.next()
      this.stream.next()
    }
    return { kind: 'include', line, template, ignoreMissing, withContext: this.importContext(true) }
  }

  private import(): Import {
    const { line } = this.stream.next()
    const template = this.expression()
    this.stream.expect('name:as')
    const target = this.stream.expect('name')
    this.refuseConstant(target)
    return { kind: 'import', line, template, target: target.value, withContext: this.importContext(false) }
  }

  private from(): FromImport {
    const { line } = this.stream.next()
    const template = this.expression()
    this.stream.expect('name:import')
    const names: [string, string][] = []
    let withContext: boolean | undefined
    for (;;) {
      if (names.length > 0) this.stream.expect('comma')
      if (this.stream.current.type !== 'name') {
        this.stream.expect('name')
        break
      }
      if (this.atContext()) {
        withContext = this.importContext(false)
        break
      }
      const target = this.stream.expect('name')
      this.refuseConstant(target)
      if (target.value.startsWith('_')) {
        throw this.fail('names starting with an underline can not be imported', target.line)
      }
      if (this.stream.skipIf('name:as')) {
        const alias = this.stream.expect('name')
        this.refuseConstant(alias)
        names.push([target.value, alias.value])
      } else names.push([target.value, target.value])
      if (this.atContext()) {
        withContext = this.importContext(false)
        break
      }
      if (!this.stream.test('comma')) break
    }
    return { kind: 'fromimport', line, template, names, withContext: withContext ?? false }
  }

  private atContext(): boolean {
    const { value } = this.stream.current
    return (value === 'with' || value === 'without') && this.stream.lookTest('name:context')
  }

  private refuseConstant(token: { readonly value: string; readonly line: number }): void {
    if (!CONSTANTS.has(token.value)) return
    throw this.fail("can't assign to 'name'", token.line)
  }

  private signature(): Signature {
    const params: Name[] = []
    const defaults: Expression[] = []
    this.stream.expect('lparen')
    while (this.stream.current.type !== 'rparen') {
      if (params.length > 0) this.stream.expect('comma')
      const token = this.stream.expect('name')
      this.refuseConstant(token)
      if (this.stream.skipIf('assign')) defaults.push(this.expression())
      else if (defaults.length > 0) throw this.fail('non-default argument follows default argument')
      params.push({ kind: 'name', line: token.line, name: token.value, use: 'param' })
    }
    this.stream.expect('rparen')
    return { params, defaults }
  }

  private macro(): Macro {
    const { line } = this.stream.next()
    const name = this.stream.expect('name')
    this.refuseConstant(name)
    const signature = this.signature()
    return { kind: 'macro', line, name: name.value, ...signature, body: this.statements(['name:endmacro'], true) }
  }

  private callBlock(): Statement {
    const { line } = this.stream.next()
    const signature = this.stream.current.type === 'lparen' ? this.signature() : { params: [], defaults: [] }
    const call = this.expression()
    if (call.kind !== 'call') throw this.fail('expected call', line)
    return { kind: 'callblock', line, ...signature, call, body: this.statements(['name:endcall'], true) }
  }

  private filterBlock(): Statement {
    const { line } = this.stream.next()
    const filter = this.filterChain(undefined, true)
    if (filter === undefined) throw this.fail('expected filter', line)
    return { kind: 'filterblock', line, filter, body: this.statements(['name:endfilter'], true) }
  }

  private print(): Statement {
    const { line } = this.stream.next()
    const items: Expression[] = []
    while (this.stream.current.type !== 'block_end') {
      if (items.length > 0) this.stream.expect('comma')
      items.push(this.expression())
    }
    return { kind: 'output', line, items }
  }

  private load(): Statement {
    const { value, line } = this.stream.next()
    this.stream.expect('name:as')
    const target = this.target({})
    const filter: Filter = { kind: 'filter', line, input: undefined, name: value, ...NO_ARGUMENTS }
    return { kind: 'load', line, target, filter, body: this.statements(['name:endload'], true) }
  }

  private importData(): Statement {
    const converter = this.stream.current.value.slice('import_'.length)
    const imported = this.import()
    const { line, target } = imported
    const input: Expression = { kind: 'name', line, name: target, use: 'load' }
    const value: Filter = { kind: 'filter', line, input, name: `load_${converter}`, ...NO_ARGUMENTS }
    const store: Expression = { kind: 'name', line, name: target, use: 'store' }
    return { kind: 'group', line, body: [imported, { kind: 'assign', line, target: store, value }] }
  }

  private profile(): Statement {
    const { line } = this.stream.next()
    this.stream.expect('name:as')
    const value = this.expression()
    const body = this.statements(['name:endprofile'], true)
    return { kind: 'group', line, body: [{ kind: 'do', line, value }, ...body] }
  }

  private target(options: { withNamespace?: boolean }): Expression {
    const target = this.tuple({ simplified: true, ...options })
    const bad = notAssignable(target)
    if (bad !== undefined) throw this.fail(`can't assign to ${stringRepr(KINDS[bad] ?? bad)}`, target.line)
    setUse(target, 'store')
    return target
  }
}

const CONSTANTS = new Set(['true', 'false', 'none', 'True', 'False', 'None'])

function notAssignable(target: Expression): string | undefined {
  if (target.kind === 'name' || target.kind === 'nsref') return undefined
  if (target.kind === 'tuple')
    return target.items.some((item) => notAssignable(item) !== undefined) ? 'tuple' : undefined
  return target.kind
}

function setUse(target: Expression, use: 'store' | 'param'): void {
  if (target.kind === 'name') target.use = use
  else if (target.kind === 'tuple') for (const item of target.items) setUse(item, use)
}
