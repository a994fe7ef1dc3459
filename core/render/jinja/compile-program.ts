// Compiles a whole template: its root and its blocks.

import { stringRepr } from '../../value/index.ts'
import { HOLE_CLOSE, HOLE_OPEN } from '../hole.ts'
import { analyse, type Compilation, CompileFrame, enterFrame } from './compile-frame.ts'
import { StatementCompiler } from './compile-statement.ts'
import { TemplateReference } from './inheritance.ts'
import type { BlockCode, Program } from './program.ts'
import { PythonError } from './python-error.ts'
import type { Mode } from './run.ts'
import { findUndeclared } from './symbols.ts'
import type { Block, Expression, Statement, Text } from './syntax-tree.ts'
import { childrenOf, type Node } from './syntax-walk.ts'
import type { Template } from './template.ts'
import { syntaxError } from './token.ts'

/** Compiles a syntax tree for a mode. Throws a PythonError `TemplateSyntaxError`. */
export function compileProgram(template: Template, body: readonly Statement[], mode: Mode, text: string): Program {
  if (mode === 'holes') refuseReserved(body, text)
  const blocks = new Map<string, Block>()
  findBlocks(body, blocks)
  const compilation: Compilation = { template, mode, extendsSoFar: 0, hasKnownExtends: false }
  const compiler = new StatementCompiler(compilation)
  const frame = CompileFrame.root()
  const self = findUndeclared(body, ['self']).has('self') ? frame.symbols.declareParameter('self') : undefined
  analyse(frame, body)
  frame.toplevel = true
  frame.rootlevel = true
  frame.checksOutput = contains(body, 'extends')
  const execute = compiler.statements(body, frame)
  const enter = enterFrame(frame)
  const compiledBlocks = new Map<string, BlockCode>()
  for (const block of blocks.values()) compiledBlocks.set(block.name, compileBlock(compiler, block, template))
  return {
    template,
    size: frame.symbols.scope.size,
    blocks: compiledBlocks,
    execute: (activation) => {
      if (self !== undefined) activation.slots[self.slot] = new TemplateReference(activation.context, template.name)
      enter(activation)
      return execute(activation)
    },
  }
}

function compileBlock(compiler: StatementCompiler, block: Block, template: Template): BlockCode {
  const frame = CompileFrame.root()
  const undeclared = findUndeclared(block.body, ['self', 'super'])
  const self = undeclared.has('self') ? frame.symbols.declareParameter('self') : undefined
  const parent = undeclared.has('super') ? frame.symbols.declareParameter('super') : undefined
  analyse(frame, block.body)
  const execute = compiler.statements(block.body, frame)
  const enter = enterFrame(frame)
  const code: BlockCode = {
    name: block.name,
    template,
    size: frame.symbols.scope.size,
    execute: (activation) => {
      const reference = new TemplateReference(activation.context, template.name)
      if (self !== undefined) activation.slots[self.slot] = reference
      if (parent !== undefined) activation.slots[parent.slot] = reference.parentOf(code, activation.run)
      enter(activation)
      return execute(activation)
    },
  }
  return code
}

function findBlocks(nodes: Iterable<Node>, found: Map<string, Block>): void {
  for (const node of nodes) {
    if (node.kind === 'block') {
      if (found.has(node.name)) throw syntaxError(`block ${stringRepr(node.name)} defined twice`, node.line)
      found.set(node.name, node)
    }
    findBlocks(childrenOf(node), found)
  }
}

function contains(nodes: Iterable<Node>, kind: Node['kind']): boolean {
  for (const node of nodes) if (node.kind === kind || contains(childrenOf(node), kind)) return true
  return false
}

const RESERVED = new RegExp(`[${HOLE_OPEN}${HOLE_CLOSE}]`)

/** Tokens are written with two characters that a template may not hold, not even as an escape. */
function refuseReserved(body: readonly Statement[], text: string): void {
  if (!RESERVED.test(text) && !/\\[uU]|\\N/.test(text)) return
  const visit = (node: Text | Statement | Expression): void => {
    const chars = node.kind === 'text' ? node.text : node.kind === 'const' ? String(node.value) : ''
    if (RESERVED.test(chars)) {
      const error = new PythonError(
        'TemplateSyntaxError',
        'the characters U+E000 and U+E001 are reserved',
        'Take them out of the template; data may hold them.',
      )
      error.saltLine = node.line
      throw error
    }
    for (const child of childrenOf(node)) visit(child)
  }
  for (const node of body) visit(node)
}
