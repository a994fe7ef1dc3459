// The children of every node of a syntax tree, in the order Jinja visits them.
import type { Arguments, Expression, Statement, Text } from './syntax-tree.ts'

/** Anything in the tree. */
export type Node = Statement | Expression | Text

/** The node's direct children. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'const':
    case 'name':
    case 'nsref':
    case 'text':
    case 'break':
    case 'continue':
      return []
    case 'tuple':
    case 'list':
    case 'concat':
    case 'output':
      return node.items
    case 'dict':
      return node.pairs.flat()
    case 'binary':
    case 'and':
    case 'or':
      return [node.left, node.right]
    case 'unary':
      return [node.operand]
    case 'compare':
      return [node.first, ...node.rest.map((part) => part.operand)]
    case 'conditional':
      return present([node.test, node.value, node.otherwise])
    case 'attribute':
      return [node.object]
    case 'item':
      return [node.object, node.key]
    case 'slice':
      return present([node.start, node.stop, node.step])
    case 'call':
      return [node.callee, ...argumentsOf(node)]
    case 'filter':
    case 'test':
      return [...present([node.input]), ...argumentsOf(node)]
    case 'for':
      return [node.target, node.iterable, ...node.body, ...node.otherwise, ...present([node.test])]
    case 'if':
      return [node.test, ...node.body, ...node.elifs, ...node.otherwise]
    case 'macro':
      return [...node.params, ...node.defaults, ...node.body]
    case 'callblock':
      return [node.call, ...node.params, ...node.defaults, ...node.body]
    case 'filterblock':
      return [...node.body, node.filter]
    case 'with':
      return [...node.targets, ...node.values, ...node.body]
    case 'autoescape':
      return [node.value, ...node.body]
    case 'assign':
      return [node.target, node.value]
    case 'assignblock':
      return [node.target, ...present([node.filter]), ...node.body]
    case 'load':
      return [...node.body, node.target]
    case 'do':
      return [node.value]
    case 'extends':
    case 'include':
    case 'import':
    case 'fromimport':
      return [node.template]
    case 'block':
    case 'group':
      return node.body
  }
}

function argumentsOf(node: Arguments): readonly Node[] {
  return [...node.args, ...node.kwargs.map(({ value }) => value), ...present([node.dynArgs, node.dynKwargs])]
}

function present(nodes: readonly (Node | undefined)[]): Node[] {
  return nodes.filter((node) => node !== undefined)
}
