// Holes: what the template's author wrote is structure, what it prints is data, through every operation on text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Value } from '../../value/index.ts'
import { HOLE_CLOSE, HOLE_OPEN, type Hole } from '../hole.ts'
import { loadYamlWithHoles } from '../yaml/index.ts'
import { compileTemplate, type Environment, renderHoles, renderText, TemplateError } from './index.ts'
import { holeText } from './text-object.ts'

const TOKEN = new RegExp(`${HOLE_OPEN}(\\d+)${HOLE_CLOSE}`, 'g')

const data = {
  id: 'web: 1',
  plain: 'web01',
  n: 5,
  list: ['a', { b: 'x: y' }],
  lines: 'l1\nl2',
  empty: '',
  none: null,
  flag: true,
}

function render(template: string, values: Record<string, Value> = { data }): { shape: string; holes: readonly Hole[] } {
  const { text, holes } = renderHoles(compileTemplate(template), { context: values })
  return { shape: text.replace(TOKEN, '<$1>'), holes }
}

function filled({ shape, holes }: { shape: string; holes: readonly Hole[] }): string {
  return shape.replace(/<(\d+)>/g, (_, index: string) => holeText(holes[Number(index)]))
}

describe('structure and data', () => {
  it.each<[string, string, Value[]]>([
    ['{{ data.id }}: {{ data.n }}', '<0>: <1>', ['web: 1', 5]],
    ["x: {{ 'web-' ~ data.id }}", 'x: web-<0>', ['web: 1']],
    ["{{ 'a: ' + data.id }}", 'a: <0>', ['web: 1']],
    ['{% set x %}a: {{ data.id }}{% endset %}{{ x }}', 'a: <0>', ['web: 1']],
    ['{% macro m(p) %}k: {{ p }}{% endmacro %}{{ m(data.id) }}', 'k: <0>', ['web: 1']],
    ['{% macro m() %}[{{ caller() }}]{% endmacro %}{% call m() %}- {{ data.id }}{% endcall %}', '[- <0>]', ['web: 1']],
    ["{{ ['a: 1', data.id]|join('\\n') }}", 'a: 1\n<0>', ['web: 1']],
    ["{{ '\\n'.join(['a: 1', data.id]) }}", 'a: 1\n<0>', ['web: 1']],
    ["{{ '%s: %d' % (data.id, data.n) }}", '<0>: <1>', ['web: 1', '5']],
    ["{{ '{}: {:>3}'.format(data.id, data.n) }}", '<0>: <1>', ['web: 1', '  5']],
    ["{{ '%s: x'|format(data.id) }}", '<0>: x', ['web: 1']],
    ["{{ ('a: ' ~ data.id ~ '\\n') * 2 }}", 'a: <0>\na: <0>\n', ['web: 1']],
    ["{{ (' a: ' ~ data.id ~ ' ')|trim }}|", 'a: <0>|', ['web: 1']],
    ["{{ (data.id ~ ' x').strip() }}|", '<0> x|', ['web: 1']],
    ["{{ ('ab: ' ~ data.id)|replace('b', 'c') }}", 'ac: <0>', ['wec: 1']],
    ["{{ ('a: ' ~ data.plain).replace('a', data.id) }}", '<0>: <1>', ['web: 1', 'web01']],
    ["{{ 'a: 1\\nb: 2'|indent(2) }}", 'a: 1\n  b: 2', []],
    ['{% filter indent(2, true) %}a: {{ data.id }}\nb: 1{% endfilter %}', '  a: <0>\n  b: 1', ['web: 1']],
    ["x: {{ 'a: 1' if data.flag else data.id }}", 'x: a: 1', []],
    ["{{ data.nope|default('- a') }}", '- a', []],
    ["{% for x in ['- a', data.id] %}{{ x }}\n{% endfor %}", '- a\n<0>\n', ['web: 1']],
    ["{% set l = [] %}{% do l.append('- a') %}{{ l[0] }}", '- a', []],
    ['{{ data.empty }}|{{ data.none }}', '|<0>', [null]],
    ['{{ data.id|safe }}', 'web: 1', []],
    ['{{ data.list|yaml(false) }}', "- a\n- b: 'x: y'", []],
    ["{{ 'a: b'|upper }}", '<0>', ['A: B']],
    ["{{ 'a: b'[0:4] }}", '<0>', ['a: b']],
    ['{{ data.id ~ data.plain }}', '<0>', ['web: 1web01']],
    ['{{ 5 }}{{ none }}', '5None', []],
    ['{{ (1, data.id) }}', '<0>', [[1, 'web: 1']]],
    ['{{ data.list }}', '<0>', [['a', { b: 'x: y' }]]],
    ['{{ {"a": data.id, 1: 2}["a"] }}', '<0>', ['web: 1']],
  ])('%s', (template, shape, values) => {
    const got = render(template)
    expect(got.shape).toBe(shape)
    expect(got.holes.map(({ value }) => (Array.isArray(value) ? [...value] : value))).toEqual(values)
    expect(got.holes.every(({ typed }) => !typed)).toBe(true)
  })

  it.each<[string, Value, string]>([
    ['{{ data.list|json }}', ['a', { b: 'x: y' }], '["a", {"b": "x: y"}]'],
    ['{{ data.id|tojson }}', 'web: 1', '"web: 1"'],
    ['{{ {"b": 1, "a": 2}|json }}', { a: 2, b: 1 }, '{"a": 2, "b": 1}'],
    ['{{ data.list|yaml }}', ['a', { b: 'x: y' }], "[a, {b: 'x: y'}]"],
    ['{{ data.id|yaml_dquote }}', 'web: 1', '"web: 1"'],
    ['{{ data.id|yaml_squote }}', 'web: 1', "'web: 1'"],
    ['{{ data.n|yaml_encode }}', 5, '5'],
    ['{{ data.list|json(indent=1)|indent(2) }}', ['a', { b: 'x: y' }], '[\n   "a",\n   {\n    "b": "x: y"\n   }\n  ]'],
  ])('%s is typed', (template, value, text) => {
    const { shape, holes } = render(template)
    expect(shape).toBe('<0>')
    expect(holes[0]).toMatchObject({ value, typed: true })
    expect(holes[0]?.text).toBe(text)
  })

  it('drops what was captured and never printed, and numbers the rest in order', () => {
    const got = render('{% set a %}{{ data.n }}{% endset %}{% set b %}{{ data.id }}{% endset %}{{ b }}{{ data.plain }}')
    expect(got.shape).toBe('<0><1>')
    expect(got.holes.map(({ value }) => value)).toEqual(['web: 1', 'web01'])
  })

  it('moves data inside an indented block with the block', () => {
    const { text, holes } = renderHoles(compileTemplate('x: |\n  {{ data.lines|indent(2) }}\n'), { context: { data } })
    expect(loadYamlWithHoles(text, holes)).toEqual({ x: 'l1\nl2\n' })
  })

  it.each(['x\uE000', "{{ '\\uE001' }}", "{% set x = '\\uE000' %}"])(
    'refuses the reserved characters in %j',
    (template) => {
      expect(() => render(template)).toThrow(TemplateError)
      expect(renderText(compileTemplate(template), { context: {} })).not.toBe(undefined)
    },
  )

  it('refuses them in raw text and takes them in data', () => {
    const hostile = { data: { id: `${HOLE_OPEN}0${HOLE_CLOSE}` } }
    expect(() => render('{{ data.id|safe }}', hostile)).toThrow('reserved')
    expect(render('{{ data.id }}', hostile).holes).toEqual([{ value: `${HOLE_OPEN}0${HOLE_CLOSE}`, typed: false }])
  })

  it('reads YAML and JSON that hold holes without being changed by them', () => {
    const yaml = '{% load_yaml as c %}\na: {{ data.id }}\nb: [1, 2]\n{% endload %}{{ c }}'
    expect(render(yaml).holes[0]?.value).toEqual({ a: 'web: 1', b: [1, 2] })
    const json =
      '{% load_json as c %}{"a": "{{ data.id }}", "b": {{ data.n }}, "c": {{ data.list|json }}}{% endload %}{{ c }}'
    const hostile = { ...data, id: '", "x": "' }
    expect(render(json, { data: hostile }).holes[0]?.value).toEqual({ a: '", "x": "', b: 5, c: data.list })
  })
})

const TEMPLATES = [
  '{{ s }}: {{ s }}\n',
  "a:\n  - {{ s }}\n  - 'x {{ s }}'\n",
  "{{ 'k-' ~ s }}:\n  local.cmd.run:\n    - tgt: {{ s|default('*') }}\n    - arg: [{{ s }}]\n",
  '{% set x %}a: {{ s }}{% endset %}{{ x }}\nb: {{ s }}\n',
  "{% macro m(p) %}- {{ p }}\n{% endmacro %}{{ m(s) }}{{ m('%s!' % s) }}",
  "{{ ['a: ' ~ s, 'b: 1']|join('\\n')|indent(2, true) }}",
  '{% for x in [s, s] %}- {{ x|trim }}\n{% endfor %}',
  "{{ '{}: {}'.format('a', s) }}",
]

const hostile = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.constantFrom(
    'a: b',
    '- x',
    '# c',
    '&a',
    '*a',
    '!!int',
    '{',
    ']',
    '"',
    "'",
    '\n- x',
    'a\n\nb: c',
    '{{ 1 }}',
    '{% if %}',
    '|',
    '\u2028',
    '%s',
    '{}',
    '\uE0001\uE001',
    '---',
    '...',
  ),
)

describe('no text in the data changes the structure', () => {
  it.each(TEMPLATES)('%j', (template) => {
    const compiled = compileTemplate(template)
    const shape = (s: string): string => renderHoles(compiled, { context: { s } }).text
    fc.assert(
      fc.property(hostile, (s) => {
        fc.pre(s.trim() !== '')
        expect(shape(s)).toBe(shape('x'))
      }),
    )
  })

  it.each(TEMPLATES)('and %j prints as in text mode', (template) => {
    const compiled = compileTemplate(template)
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9 :.-]{0,12}$/), (s) => {
        const environment: Environment = { context: { s } }
        const { text, holes } = renderHoles(compiled, environment)
        expect(filled({ shape: text.replace(TOKEN, '<$1>'), holes })).toBe(renderText(compiled, environment))
      }),
    )
  })
})
