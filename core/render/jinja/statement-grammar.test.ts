// Trees of statements and expressions: precedence, lines, what is refused.
import { describe, expect, it } from 'vitest'
import { DEFAULT_OPTIONS } from './options.ts'
import { parseTemplate } from './statement-grammar.ts'
import type { Expression } from './syntax-tree.ts'

/** An expression with all its brackets. */
function shown(node: Expression): string {
  switch (node.kind) {
    case 'const':
      return String(node.value)
    case 'name':
      return node.name
    case 'binary':
      return `(${shown(node.left)} ${node.operator} ${shown(node.right)})`
    case 'and':
    case 'or':
      return `(${shown(node.left)} ${node.kind} ${shown(node.right)})`
    case 'unary':
      return `(${node.operator} ${shown(node.operand)})`
    case 'concat':
      return `(${node.items.map(shown).join(' ~ ')})`
    case 'compare':
      return `(${shown(node.first)}${node.rest.map(({ operator, operand }) => ` ${operator} ${shown(operand)}`).join('')})`
    case 'conditional':
      return `(${shown(node.value)} if ${shown(node.test)}${node.otherwise === undefined ? '' : ` else ${shown(node.otherwise)}`})`
    case 'attribute':
      return `${shown(node.object)}.${node.name}`
    case 'item':
      return `${shown(node.object)}[${shown(node.key)}]`
    case 'slice':
      return [node.start, node.stop, node.step].map((part) => (part === undefined ? '' : shown(part))).join(':')
    case 'call':
      return `${shown(node.callee)}(${node.args.map(shown).join(', ')})`
    case 'filter':
      return `(${node.input === undefined ? '' : shown(node.input)}|${node.name}${node.args.map((arg) => ` ${shown(arg)}`).join('')})`
    case 'test':
      return `(${shown(node.input)} is ${node.name}${node.args.map((arg) => ` ${shown(arg)}`).join('')})`
    case 'tuple':
    case 'list':
      return `${node.kind}(${node.items.map(shown).join(', ')})`
    case 'dict':
      return `{${node.pairs.map(([key, value]) => `${shown(key)}: ${shown(value)}`).join(', ')}}`
    case 'nsref':
      return `${node.name}.${node.attribute}`
  }
}

function printed(text: string): string {
  const [output] = parseTemplate(`{{ ${text} }}`, DEFAULT_OPTIONS)
  const item = output?.kind === 'output' ? output.items[0] : undefined
  if (item === undefined || item.kind === 'text') throw new Error('nothing is printed')
  return shown(item)
}

describe('expressions bind as in Jinja', () => {
  it.each([
    ['7*3//2', '((7 * 3) // 2)'],
    ['2 ** 3 ** 2', '((2 ** 3) ** 2)'],
    ['-2 ** 2', '((- 2) ** 2)'],
    ['a ~ b + c', '((a ~ b) + c)'],
    ['a + b ~ c', '(a + (b ~ c))'],
    ['-a|f', '((- a)|f)'],
    ['a + b|f', '(a + (b|f))'],
    ['not a == b', '(not (a eq b))'],
    ['a < b < c', '(a lt b lt c)'],
    ['a or b and not c', '(a or (b and (not c)))'],
    ['a if b else c if d else e', '(a if b else (c if d else e))'],
    ['a not in b', '(a notin b)'],
    ['a is divisibleby 3 and b', '((a is divisibleby 3) and b)'],
    ['a is not defined', '(not (a is defined))'],
    ['a.b[1:2].c(d)|f(e)|g', '((a.b[1:2:].c(d)|f e)|g)'],
    ['a[::-1]', 'a[::(- 1)]'],
    ['a.0.b', 'a[0].b'],
    ["'a' 'b'", 'ab'],
    ['1, 2', 'tuple(1, 2)'],
    ['()', 'tuple()'],
    ['[1, 2,]', 'list(1, 2)'],
    ['{1: 2,}', '{1: 2}'],
    ['a in [b] == c', '(a in list(b) eq c)'],
  ])('%s', (text, expected) => {
    expect(printed(text)).toBe(expected)
  })
})

describe('statements', () => {
  it('keep the lines Jinja gives them', () => {
    const tree = parseTemplate('a\n{% if x %}\n{{ y }}{% elif\n z %}{% endif %}', DEFAULT_OPTIONS)
    expect(tree.map(({ kind, line }) => [kind, line])).toEqual([
      ['output', 1],
      ['if', 2],
    ])
    expect(tree[1]).toMatchObject({ elifs: [{ line: 4 }], body: [{ kind: 'output', line: 2 }] })
  })

  it.each([
    ['{% for a, (b, c) in d if e recursive %}{% else %}{% endfor %}', 'for'],
    ['{% set a, b = c %}', 'assign'],
    ['{% set ns.a = 1 %}', 'assign'],
    ['{% set a | upper %}x{% endset %}', 'assignblock'],
    ['{% macro m(a, b=1) %}{% endmacro m2 %}'.replace(' m2', ''), 'macro'],
    ['{% call(a) m() %}{% endcall %}', 'callblock'],
    ['{% include ["a", "b"] ignore missing without context %}', 'include'],
    ['{% from "a" import b, c as d with context %}', 'fromimport'],
    ['{% load_yaml as x %}{% endload %}', 'load'],
    ['{% import_json "a" as x %}', 'group'],
    ['{% with a = 1, b = 2 %}{% endwith %}', 'with'],
  ])('%s', (text, kind) => {
    expect(parseTemplate(text, DEFAULT_OPTIONS)[0]?.kind).toBe(kind)
  })

  it.each([
    ['{% if %}{% endif %}', "Expected an expression, got 'end of statement block'"],
    ['{% foo %}', "Encountered unknown tag 'foo'."],
    [
      '{% for x in y %}{% endif %}',
      "Encountered unknown tag 'endif'. Jinja was looking for the following tags: 'endfor' or 'else'. The innermost block that needs to be closed is 'for'.",
    ],
    ['{% set 1 = 2 %}', "can't assign to 'const'"],
    ['{{ a b }}', "expected token 'end of print statement', got 'b'"],
    ['{{ f(a=1, 2) }}', 'invalid syntax for function call expression'],
    [`{{ ${'('.repeat(500)} }}`, 'expression nested too deep'],
  ])('%j is refused', (text, message) => {
    expect(() => parseTemplate(text, DEFAULT_OPTIONS)).toThrow(message)
  })
})
