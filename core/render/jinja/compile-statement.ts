// Compiles statements to closures.
import { type Activation, BREAK, CONTINUE, type Ending, type Execute, NORMAL } from './activation.ts'
import { assignTo, storedNames } from './compile-assign.ts'
import { ExpressionCompiler } from './compile-expression.ts'
import { analyse, type CompileFrame, enterFrame } from './compile-frame.ts'
import { compileFor } from './compile-loop.ts'
import { compileMacro } from './compile-macro.ts'
import { inOrder, onLine, visibleLocals, writing } from './compile-step.ts'
import { type Datum, str, truth } from './datum.ts'
import { type ImportRequest, importModule, includeTemplate, loadTemplate } from './loader.ts'
import { runBlock } from './program.ts'
import { PythonError } from './python-error.ts'
import type * as Tree from './syntax-tree.ts'
import { syntaxError } from './token.ts'

type Statement = Tree.Statement

/** Compiles the statements of one template in one mode. */
export class StatementCompiler extends ExpressionCompiler {
  /** Several statements as one. */
  statements(nodes: readonly Statement[], frame: CompileFrame): Execute {
    const steps: Execute[] = []
    for (const node of nodes) {
      const step = this.statement(node, frame)
      if (step !== undefined) steps.push(step)
      if (node.kind === 'break' || node.kind === 'continue') break
    }
    const [first, second] = steps
    if (first === undefined) return () => NORMAL
    if (second === undefined) return first
    return (activation) => {
      for (const step of steps) {
        const ending = step(activation)
        if (ending !== NORMAL) return ending
      }
      return NORMAL
    }
  }

  private statement(node: Statement, frame: CompileFrame): Execute | undefined {
    switch (node.kind) {
      case 'output':
        return this.output(node, frame)
      case 'if':
        return this.if(node, frame)
      case 'for':
        return compileFor(this, node, frame)
      case 'assign':
        return this.assign(node, frame)
      case 'assignblock':
        return this.assignBlock(node, frame)
      case 'load':
        return this.load(node, frame)
      case 'macro':
        return this.macro(node, frame)
      case 'callblock':
        return this.callBlock(node, frame)
      case 'filterblock':
        return this.filterBlock(node, frame)
      case 'with':
        return this.with(node, frame)
      case 'autoescape':
        return this.autoescape(node, frame)
      case 'block':
        return this.block(node, frame)
      case 'extends':
        return this.extends(node, frame)
      case 'include':
        return this.include(node, frame)
      case 'import':
        return this.import(node, frame)
      case 'fromimport':
        return this.fromImport(node, frame)
      case 'do': {
        const value = this.compile(node.value, frame)
        return onLine(node.line, value)
      }
      case 'group':
        return this.statements(node.body, frame)
      case 'break':
      case 'continue': {
        if (!frame.inLoop) throw syntaxError(`'${node.kind}' outside loop`, node.line)
        const ending = node.kind === 'break' ? BREAK : CONTINUE
        return () => ending
      }
    }
  }

  private output(node: Tree.Output, frame: CompileFrame): Execute | undefined {
    if (frame.checksOutput && this.compilation.hasKnownExtends) return undefined
    const parts = node.items.map((item): Execute => {
      if (item.kind === 'text') return writing(item.text)
      if (item.kind === 'const' && item.float !== true && !/[&<>'"]/.test(str(item.value)))
        return writing(str(item.value))
      const value = this.compile(item, frame)
      const { line } = item
      return (activation) => {
        const { run } = activation
        run.line = line
        run.print(value(activation))
        return NORMAL
      }
    })
    const all = inOrder(parts)
    if (!frame.checksOutput) return all
    return (activation) => (activation.parentProgram === undefined ? all(activation) : NORMAL)
  }

  private if(node: Tree.If, frame: CompileFrame): Execute {
    const soft = frame.softened()
    const branches = [node, ...node.elifs].map((branch) => ({
      line: branch.line,
      test: this.compile(branch.test, soft, true),
      body: this.statements(branch.body, soft),
    }))
    const otherwise = this.statements(node.otherwise, soft)
    return (activation) => {
      for (const { line, test, body } of branches) {
        activation.run.line = line
        if (truth(test(activation))) return body(activation)
      }
      return otherwise(activation)
    }
  }

  private assign(node: Tree.Assign, frame: CompileFrame): Execute {
    const value = this.compile(node.value, frame)
    const store = assignTo(node.target, frame)
    const publish = this.publish(node.target, frame)
    const { line } = node
    return (activation) => {
      activation.run.line = line
      activation.run.charge(1)
      store.check?.(activation)
      store.set(activation, value(activation))
      publish?.(activation)
      return NORMAL
    }
  }

  /** Exports what a target stored at the top level. */
  private publish(target: Tree.Expression, frame: CompileFrame): ((activation: Activation) => void) | undefined {
    if (!frame.toplevel) return undefined
    const names = storedNames(target).map((name) => [name, frame.symbols.ref(name).slot] as const)
    return (activation) => {
      for (const [name, slot] of names) {
        const value = activation.slots[slot]
        if (value !== undefined) activation.context.set(name, value)
      }
    }
  }

  private assignBlock(node: Tree.AssignBlock, frame: CompileFrame): Execute {
    return this.captured(node, frame, node.filter)
  }

  private load(node: Tree.Load, frame: CompileFrame): Execute {
    return this.captured(node, frame, node.filter)
  }

  private captured(node: Tree.AssignBlock | Tree.Load, frame: CompileFrame, filter: Tree.Filter | undefined): Execute {
    const inner = frame.inner()
    inner.checksOutput = false
    analyse(inner, node.body)
    const body = this.statements(node.body, inner)
    const result = this.filtered(filter, inner)
    const enter = enterFrame(inner)
    const store = assignTo(node.target, frame)
    const publish = this.publish(node.target, frame)
    const { line } = node
    return (activation) => {
      const { run } = activation
      run.line = line
      run.charge(1)
      enter(activation)
      let ending: Ending = NORMAL
      const text = run.capture(() => {
        ending = body(activation)
      })
      if (ending !== NORMAL) return ending
      run.line = line
      store.check?.(activation)
      store.set(activation, result(text, activation))
      publish?.(activation)
      return NORMAL
    }
  }

  private filtered(
    filter: Tree.Filter | undefined,
    frame: CompileFrame,
  ): (text: Datum, activation: Activation) => Datum {
    if (filter === undefined) return (text) => text
    const slot = frame.symbols.scope.temporary()
    const apply = this.filter(filter, frame, (activation) => activation.slots[slot] ?? '')
    return (text, activation) => {
      activation.slots[slot] = text
      return apply(activation)
    }
  }

  private filterBlock(node: Tree.FilterBlock, frame: CompileFrame): Execute {
    const inner = frame.inner()
    analyse(inner, [...node.body, node.filter])
    const body = this.statements(node.body, inner)
    const result = this.filtered(node.filter, inner)
    const enter = enterFrame(inner)
    const { line } = node
    return (activation) => {
      const { run } = activation
      run.line = line
      enter(activation)
      let ending: Ending = NORMAL
      const text = run.capture(() => {
        ending = body(activation)
      })
      if (ending !== NORMAL) return ending
      run.line = line
      run.print(result(text, activation))
      return NORMAL
    }
  }

  private macro(node: Tree.Macro, frame: CompileFrame): Execute {
    const make = compileMacro(this, node, node.name, frame)
    const { slot } = frame.symbols.ref(node.name)
    const { name } = node
    const { toplevel } = frame
    return (activation) => {
      const macro = make(activation)
      activation.slots[slot] = macro
      if (toplevel) activation.context.set(name, macro)
      return NORMAL
    }
  }

  private callBlock(node: Tree.CallBlock, frame: CompileFrame): Execute {
    const caller = compileMacro(this, node, undefined, frame)
    const call = this.callWith(node.call, frame, caller)
    const { line } = node
    return (activation) => {
      const { run } = activation
      run.line = line
      const value = call(activation)
      run.line = line
      run.print(value)
      return NORMAL
    }
  }

  private with(node: Tree.With, frame: CompileFrame): Execute {
    const inner = frame.inner()
    analyse(inner, [...node.targets, ...node.body])
    const values = node.values.map((value) => this.compile(value, frame))
    const stores = node.targets.map((target) => assignTo(target, inner))
    const body = this.statements(node.body, inner)
    const enter = enterFrame(inner)
    const { line } = node
    return (activation) => {
      activation.run.line = line
      enter(activation)
      stores.forEach((store, index) => {
        store.set(activation, values[index]?.(activation) ?? null)
      })
      return body(activation)
    }
  }

  private autoescape(node: Tree.Autoescape, frame: CompileFrame): Execute {
    const inner = frame.inner()
    analyse(inner, [node.value, ...node.body])
    const value = this.compile(node.value, inner)
    const body = this.statements(node.body, inner)
    const enter = enterFrame(inner)
    return (activation) => {
      const { run } = activation
      const before = run.autoescape
      enter(activation)
      run.autoescape = truth(value(activation))
      const ending = body(activation)
      run.autoescape = before
      return ending
    }
  }

  private block(node: Tree.Block, frame: CompileFrame): Execute | undefined {
    if (frame.toplevel && this.compilation.hasKnownExtends) return undefined
    const checksParent = frame.toplevel && this.compilation.extendsSoFar > 0
    const locals = node.scoped ? visibleLocals(frame) : undefined
    const { name, line, required } = node
    return (activation) => {
      if (checksParent && activation.parentProgram !== undefined) return NORMAL
      const { context, run } = activation
      run.line = line
      const codes = context.blocks.get(name) ?? []
      if (required && codes.length <= 1) {
        throw new PythonError('TemplateRuntimeError', `Required block '${name}' not found`)
      }
      const [code] = codes
      if (code !== undefined) runBlock(code, locals === undefined ? context : context.derived(locals(activation)), run)
      return NORMAL
    }
  }

  private extends(node: Tree.Extends, frame: CompileFrame): Execute {
    if (!frame.toplevel) throw syntaxError('cannot use extend from a non top-level scope', node.line)
    const again = this.compilation.extendsSoFar > 0
    const template = this.compile(node.template, frame, true)
    if (frame.rootlevel) this.compilation.hasKnownExtends = true
    this.compilation.extendsSoFar++
    const { line } = node
    return (activation) => {
      const { run, context } = activation
      run.line = line
      if (again && activation.parentProgram !== undefined) {
        throw new PythonError('TemplateRuntimeError', 'extended multiple times')
      }
      const parent = loadTemplate(template(activation), run).program(run.mode)
      activation.parentProgram = parent
      for (const [name, code] of parent.blocks) {
        const codes = context.blocks.get(name)
        if (codes === undefined) context.blocks.set(name, [code])
        else codes.push(code)
      }
      return NORMAL
    }
  }

  private include(node: Tree.Include, frame: CompileFrame): Execute {
    const template = this.compile(node.template, frame, true)
    const locals = visibleLocals(frame)
    const { line, ignoreMissing, withContext } = node
    const include: Execute = (activation) => {
      activation.run.line = line
      includeTemplate(template(activation), activation, withContext ? locals(activation) : undefined, ignoreMissing)
      activation.run.line = line
      return NORMAL
    }
    return include
  }

  private request(node: Tree.Import | Tree.FromImport, frame: CompileFrame): (activation: Activation) => ImportRequest {
    const template = this.compile(node.template, frame, true)
    const locals = visibleLocals(frame)
    const { withContext, line } = node
    return (activation) => {
      activation.run.line = line
      return { template: template(activation), locals: withContext ? locals(activation) : undefined }
    }
  }

  private import(node: Tree.Import, frame: CompileFrame): Execute {
    const request = this.request(node, frame)
    const { slot } = frame.symbols.ref(node.target)
    const { toplevel } = frame
    const { target, line } = node
    return (activation) => {
      const module = importModule(request(activation), activation)
      activation.run.line = line
      activation.slots[slot] = module
      if (toplevel) {
        activation.context.vars.set(target, module)
        activation.context.exported.delete(target)
      }
      return NORMAL
    }
  }

  private fromImport(node: Tree.FromImport, frame: CompileFrame): Execute {
    const request = this.request(node, frame)
    const names = node.names.map(([name, alias]) => ({ name, alias, slot: frame.symbols.ref(alias).slot }))
    const { toplevel } = frame
    const { line } = node
    const { name: here } = this.compilation.template
    const where = here === undefined ? `line ${line}` : `line ${line} in '${here}'`
    return (activation) => {
      const { run, context } = activation
      const module = importModule(request(activation), activation)
      run.line = line
      for (const { name, alias, slot } of names) {
        const hint = `the template ${module.shownName} (imported on ${where}) does not export the requested name '${name}'`
        const found = module.attribute(name)
        const value = found === undefined ? run.undefined({ hint, name }) : found
        activation.slots[slot] = value
        if (toplevel) {
          context.vars.set(alias, value)
          context.exported.delete(alias)
        }
      }
      return NORMAL
    }
  }
}
