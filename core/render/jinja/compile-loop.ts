// Compiles `for`: plain loops, loops with a `loop` variable, filtered and recursive ones.
import { Activation, BREAK, type Evaluate, type Execute, NORMAL } from './activation.ts'
import { type Assignment, assignTo } from './compile-assign.ts'
import { analyse, CompileFrame, enterFrame } from './compile-frame.ts'
import type { StatementCompiler } from './compile-statement.ts'
import { type Datum, type Source, truth } from './datum.ts'
import { Generator, iterate } from './iterate.ts'
import { LoopContext, type Recurse } from './loop-context.ts'
import { needsLoopObject, Symbols } from './symbols.ts'
import type { For } from './syntax-tree.ts'
import { childrenOf, type Node } from './syntax-walk.ts'
import { syntaxError } from './token.ts'

/** The items to loop over, out of what the loop was given. */
type Select = (iterable: Datum, activation: Activation) => Datum

/** Compiles a loop. */
export function compileFor(compiler: StatementCompiler, node: For, frame: CompileFrame): Execute {
  refuseLoopTarget([node])
  const extended = needsLoopObject(node)
  const bodyFrame = node.recursive ? frame.function() : frame.inner()
  bodyFrame.inLoop = true
  const loopSlot = extended ? bodyFrame.symbols.declareParameter('loop').slot : -1
  bodyFrame.symbols.visitLoopTarget(node.target)
  analyse(bodyFrame, node.body)
  const elseFrame = node.recursive
    ? new CompileFrame(new Symbols(bodyFrame.symbols.scope, frame.symbols))
    : frame.inner()
  analyse(elseFrame, node.otherwise)
  const select = compileTest(compiler, node, frame)
  const iterable = compiler.compile(node.iterable, frame)
  const target = assignTo(node.target, bodyFrame)
  const body = compiler.statements(node.body, bodyFrame)
  const enter = enterFrame(bodyFrame)
  const otherwise = node.otherwise.length === 0 ? undefined : elseBody(compiler, node, elseFrame)
  const turns = loopTurns({ target, body, enter, loopSlot, otherwise, line: node.line })
  if (node.recursive) return recursive(turns, iterable, select, bodyFrame, node.line)
  return (activation) => {
    activation.run.line = node.line
    const items = select(iterable(activation), activation)
    turns(items, activation, undefined, 0)
    return NORMAL
  }
}

function elseBody(compiler: StatementCompiler, node: For, frame: CompileFrame): Execute {
  const body = compiler.statements(node.otherwise, frame)
  const enter = enterFrame(frame)
  return (activation) => {
    enter(activation)
    return body(activation)
  }
}

interface Parts {
  readonly target: Assignment
  readonly body: Execute
  readonly enter: Execute
  readonly loopSlot: number
  readonly otherwise: Execute | undefined
  readonly line: number
}

type Turns = (items: Datum, activation: Activation, recurse: Recurse | undefined, depth: number) => void

function loopTurns({ target, body, enter, loopSlot, otherwise, line }: Parts): Turns {
  return (items, activation, recurse, depth) => {
    const { run } = activation
    if (loopSlot < 0 && Array.isArray(items)) {
      for (let at = 0; at < items.length; at++) {
        run.charge(1)
        target.set(activation, items[at] ?? null)
        enter(activation)
        if (body(activation) === BREAK) break
        run.line = line
      }
      if (items.length === 0) otherwise?.(activation)
      return
    }
    let empty = true
    const loop = loopSlot < 0 ? undefined : new LoopContext(items, run, recurse, depth)
    const source: Source = loop ?? iterate(items, run)
    for (let item = source.next(); item !== undefined; item = source.next()) {
      empty = false
      if (loop !== undefined) activation.slots[loopSlot] = loop
      target.set(activation, item)
      enter(activation)
      if (body(activation) === BREAK) break
      run.line = line
    }
    if (empty) otherwise?.(activation)
  }
}

function recursive(turns: Turns, iterable: Evaluate, select: Select, frame: CompileFrame, line: number): Execute {
  const { scope } = frame.symbols
  return (activation) => {
    const { run, context } = activation
    run.line = line
    const recurse: Recurse = (items, depth) => {
      run.enter()
      const text = run.capture(() => {
        const inner = new Activation(scope.size, activation, context, run)
        turns(select(items, activation), inner, recurse, depth)
      })
      run.depth--
      return text
    }
    run.print(recurse(iterable(activation), 0))
    return NORMAL
  }
}

/** `for x in y if test`: the test has variables of its own, so that looking ahead leaves the body's alone. */
function compileTest(compiler: StatementCompiler, node: For, frame: CompileFrame): Select {
  if (node.test === undefined) return (iterable) => iterable
  const testFrame = frame.function()
  testFrame.symbols.visitLoopTarget(node.target)
  analyse(testFrame, [node.test])
  const target = assignTo(node.target, testFrame)
  const test = compiler.compile(node.test, testFrame, true)
  const enter = enterFrame(testFrame)
  const { scope } = testFrame.symbols
  return (iterable, activation) => {
    const { run } = activation
    const inner = new Activation(scope.size, activation, activation.context, run)
    const source = iterate(iterable, run)
    enter(inner)
    const next = (): Datum | undefined => {
      for (let item = source.next(); item !== undefined; item = source.next()) {
        target.set(inner, item)
        if (truth(test(inner))) return item
      }
      return undefined
    }
    return new Generator({ next })
  }
}

function refuseLoopTarget(nodes: Iterable<Node>): void {
  for (const node of nodes) {
    if (node.kind === 'name' && node.use === 'store' && node.name === 'loop') {
      throw syntaxError("Can't assign to special loop variable in for-loop target", node.line)
    }
    refuseLoopTarget(childrenOf(node))
  }
}
