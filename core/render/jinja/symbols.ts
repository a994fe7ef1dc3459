// Which variable a name means where: Jinja's identifier tracking, with slots of an activation in place of Python locals.
import type { Expression, For, Statement } from './syntax-tree.ts'
import { childrenOf, type Node } from './syntax-walk.ts'

/** One compiled function (root, block, macro, recursive loop, loop test): its variables are slots of one activation. */
export class FunctionScope {
  readonly parent: FunctionScope | undefined
  readonly depth: number
  size = 0
  private readonly variables = new Map<string, Variable>()

  constructor(parent: FunctionScope | undefined) {
    this.parent = parent
    this.depth = parent === undefined ? 0 : parent.depth + 1
  }

  /** The variable of a name at a nesting level; scopes that follow one another at one level share it. */
  variable(level: number, name: string): Variable {
    const key = `${level}:${name}`
    const known = this.variables.get(key)
    if (known !== undefined) return known
    const variable: Variable = { owner: this, slot: this.size++, name }
    this.variables.set(key, variable)
    return variable
  }

  /** A slot that no name refers to. */
  temporary(): number {
    return this.size++
  }
}

/** A slot, and the function whose activation holds it. */
export interface Variable {
  readonly owner: FunctionScope
  readonly slot: number
  readonly name: string
}

/** What a scope does with a variable when it is entered. */
export type LoadRule =
  | { readonly kind: 'parameter' }
  | { readonly kind: 'resolve'; readonly name: string }
  | { readonly kind: 'alias'; readonly of: Variable }
  | { readonly kind: 'missing' }

/** The names of one scope. */
export class Symbols {
  readonly scope: FunctionScope
  readonly parent: Symbols | undefined
  readonly level: number
  refs = new Map<string, Variable>()
  loads = new Map<Variable, LoadRule>()
  stores = new Set<string>()

  constructor(scope: FunctionScope, parent: Symbols | undefined) {
    this.scope = scope
    this.parent = parent
    this.level = parent === undefined ? 0 : parent.level + 1
  }

  copy(): Symbols {
    const made = new Symbols(this.scope, this.parent)
    made.refs = new Map(this.refs)
    made.loads = new Map(this.loads)
    made.stores = new Set(this.stores)
    return made
  }

  private define(name: string, rule: LoadRule): Variable {
    const variable = this.scope.variable(this.level, name)
    this.refs.set(name, variable)
    this.loads.set(variable, rule)
    return variable
  }

  find(name: string): Variable | undefined {
    return this.refs.get(name) ?? this.parent?.find(name)
  }

  findLoad(variable: Variable): LoadRule | undefined {
    return this.loads.get(variable) ?? this.parent?.findLoad(variable)
  }

  /** The variable a name was found to mean; every name the compiler asks for has been analysed before. */
  ref(name: string): Variable {
    return this.find(name) ?? this.define(name, { kind: 'resolve', name })
  }

  store(name: string): void {
    this.stores.add(name)
    if (this.refs.has(name)) return
    const outer = this.parent?.find(name)
    this.define(name, outer === undefined ? { kind: 'missing' } : { kind: 'alias', of: outer })
  }

  declareParameter(name: string): Variable {
    this.stores.add(name)
    return this.define(name, { kind: 'parameter' })
  }

  load(name: string): void {
    if (this.find(name) === undefined) this.define(name, { kind: 'resolve', name })
  }

  /** Joins the branches of an `if`: what only some of them store falls back to the outer variable. */
  private branchUpdate(branches: readonly Symbols[]): void {
    const stores = new Set<string>()
    for (const branch of branches) for (const name of branch.stores) if (!this.stores.has(name)) stores.add(name)
    for (const branch of branches) {
      for (const [name, variable] of branch.refs) this.refs.set(name, variable)
      for (const [variable, rule] of branch.loads) this.loads.set(variable, rule)
      for (const name of branch.stores) this.stores.add(name)
    }
    for (const name of stores) {
      const target = this.find(name)
      if (target === undefined) continue
      const outer = this.parent?.find(name)
      this.loads.set(target, outer === undefined ? { kind: 'resolve', name } : { kind: 'alias', of: outer })
    }
  }

  /** Every stored name that is visible here, with its variable. */
  visibleStores(): Map<string, Variable> {
    const found = new Map<string, Variable>()
    for (let symbols: Symbols | undefined = this; symbols !== undefined; symbols = symbols.parent) {
      for (const name of [...symbols.stores].sort()) {
        const variable = found.has(name) ? undefined : this.find(name)
        if (variable !== undefined) found.set(name, variable)
      }
    }
    return found
  }

  /** Analyses the nodes as part of this scope; nested scopes are left to themselves. */
  visit(node: Node): void {
    switch (node.kind) {
      case 'name':
        if (node.use === 'param') this.declareParameter(node.name)
        else if (node.use === 'store') this.store(node.name)
        else this.load(node.name)
        return
      case 'nsref':
        this.load(node.name)
        return
      case 'if': {
        this.visit(node.test)
        const branch = (nodes: readonly Statement[]): Symbols => {
          const copy = this.copy()
          for (const child of nodes) copy.visit(child)
          return copy
        }
        this.branchUpdate([branch(node.body), branch(node.elifs), branch(node.otherwise)])
        return
      }
      case 'macro':
        this.store(node.name)
        return
      case 'import':
        this.visit(node.template)
        this.store(node.target)
        return
      case 'fromimport':
        this.visit(node.template)
        for (const [, alias] of node.names) this.store(alias)
        return
      case 'assign':
        this.visit(node.value)
        this.visit(node.target)
        return
      case 'for':
        this.visit(node.iterable)
        return
      case 'callblock':
        this.visit(node.call)
        return
      case 'filterblock':
        this.visit(node.filter)
        return
      case 'with':
        for (const value of node.values) this.visit(value)
        return
      case 'assignblock':
      case 'load':
        this.visit(node.target)
        return
      case 'block':
      case 'autoescape':
        return
      default:
        for (const child of childrenOf(node)) this.visit(child)
    }
  }

  visitAll(nodes: Iterable<Node>): void {
    for (const node of nodes) this.visit(node)
  }

  /** Declares a loop's targets as parameters of its scope. */
  visitLoopTarget(target: Expression): void {
    if (target.kind === 'name') this.declareParameter(target.name)
    else if (target.kind === 'tuple') for (const item of target.items) this.visitLoopTarget(item)
  }
}

/** Which of the names are read in the nodes before they are stored there; blocks are not looked into. */
export function findUndeclared(nodes: Iterable<Node>, names: readonly string[]): Set<string> {
  const wanted = new Set(names)
  const found = new Set<string>()
  const visit = (node: Node): void => {
    if (node.kind === 'block') return
    if (node.kind === 'name') {
      if (node.use !== 'load') wanted.delete(node.name)
      else if (wanted.has(node.name)) found.add(node.name)
      return
    }
    for (const child of childrenOf(node)) visit(child)
  }
  for (const node of nodes) visit(node)
  return found
}

/** Whether a loop must keep its `loop` variable: recursive, read in its body, or a scoped block inside. */
export function needsLoopObject(node: For): boolean {
  return (
    node.recursive ||
    findUndeclared(node.body, ['loop']).has('loop') ||
    containsScopedBlock([...node.body, ...node.otherwise])
  )
}

function containsScopedBlock(nodes: Iterable<Node>): boolean {
  for (const node of nodes) {
    if (node.kind === 'block' && node.scoped) return true
    if (containsScopedBlock(childrenOf(node))) return true
  }
  return false
}
