// Tests SLS files from text to document, with hostile data and hostile files.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BrineError } from '../error.ts'
import { pythonRepr, type Value } from '../value/index.ts'
import { Need, TemplateError } from './jinja/index.ts'
import { printHoles } from './json-document.ts'
import { RendererError } from './renderer-pipe.ts'
import { renderSls, SlsRenderer, yamlTools } from './sls.ts'
import { reactorContext } from './sls-context.ts'
import { DocumentCache, YamlError } from './yaml/index.ts'

function environment(data: Value) {
  const facts = { tag: 'custom/x', data: { data }, grains: {}, pillar: {}, opts: {} }
  return {
    context: reactorContext('/srv/reactor/x.sls', facts),
    yaml: yamlTools,
    salt: { pure: {}, answerable: () => true },
  }
}

const render = (text: string, data: Value = 'x') => renderSls({ name: 'x.sls', text }, environment(data))

const AUTH =
  "{% if data['data']['act'] == 'pend' %}\nminion_add:\n  wheel.key.accept:\n    - match: {{ data['data']['id'] }}\n{% endif %}\n"

describe('renderSls', () => {
  it('renders the article', () => {
    const rendered = render(AUTH, { act: 'pend', id: 'web-1' })
    expect(rendered.document).toEqual({ minion_add: { 'wheel.key.accept': [{ match: 'web-1' }] } })
    expect(printHoles(rendered.text, rendered.holes)).toBe('\nminion_add:\n  wheel.key.accept:\n    - match: web-1\n\n')
    expect(render(AUTH, { act: 'accept', id: 'web-1' }).document).toEqual({})
  })

  it.each<[string, Value, Value]>([
    ['#!yaml\na: "{{ data.data }}"\n', 'x', { a: '{{ data.data }}' }],
    ['#!jinja|yaml\na: {{ data.data }}\n', 7, { a: 7 }],
    ['#!json\n{"a": 1}', 'x', { a: 1 }],
    ['#!jinja|json\n{"a": "{{ data.data }}", "b": {{ data.data|json }}}', 'x"y', { a: 'x"y', b: 'x"y' }],
    ['', 'x', {}],
    ['  \n', 'x', {}],
    ['# a comment\n', 'x', {}],
    ['false\n', 'x', {}],
    ['a:\r\n  - {{ data.data }}\r\n', 'x', { a: ['x'] }],
    ['{% load_yaml as x %}\nk: {{ data.data }}\n{% endload %}\na: {{ x.k }}\n', 'a: b', { a: 'a: b' }],
  ])('%j', (text, data, document) => {
    expect(render(text, data).document).toEqual(document)
  })

  it.each<[string, new (...args: never[]) => Error]>([
    ['#!py\n', RendererError],
    ['#!yamll\n', RendererError],
    ['a: {{ nope }}\n', TemplateError],
    ['a: {{ data[ }}\n', TemplateError],
    ['a: [\n', YamlError],
    ['a: 1\na: 2\n', YamlError],
    ['#!jinja|json\n{"a": {{ data.data }}}', BrineError],
    ["a: {{ salt['mine.get']('*', 'x') }}\n", Need],
  ])('%j fails with its error', (text, error) => {
    expect(() => render(text)).toThrow(error)
  })

  it('never lets data make structure', () => {
    const text = "a:\n  local.test.arg:\n    - tgt: {{ data.data }}\n    - arg:\n      - 'x {{ data.data }}'\n"
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom('x\nb:\n  - c', '- a', '{% raw %}', '{{ tag }}', '&a b', "'", ': ', ' #', '[a, b]'),
    )
    fc.assert(
      fc.property(hostile, (data) => {
        const { document } = render(text, data)
        expect(document).toMatchObject({
          a: { 'local.test.arg': [{ tgt: expect.toSatisfy(isScalar) }, { arg: [`x ${data}`] }] },
        })
        expect(Object.keys(document as object)).toEqual(['a'])
      }),
    )
  })
})

it('throws nothing but its own errors, whatever the file', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'a',
      ':',
      '\n',
      '  ',
      '- ',
      '{{',
      '}}',
      '{%',
      '%}',
      ' if x ',
      ' endif ',
      ' data.data ',
      '|json',
      '#!',
      'yaml',
    ),
    fc.constantFrom(
      '"',
      "'",
      '[',
      ']',
      '{',
      '&a',
      '*a',
      '|',
      '>',
      '!!int',
      '\t',
      '\u2028',
      '\u{1f600}',
      '\ue000',
      '---',
      '%YAML',
    ),
    fc.string({ maxLength: 3 }),
  )
  const text = fc.array(piece, { maxLength: 25 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.string(), (written, data) => {
      try {
        render(written, data)
      } catch (error) {
        expect(error).toSatisfy((thrown: unknown) => thrown instanceof BrineError || thrown instanceof Need)
      }
    }),
    { numRuns: 3000 },
  )
})

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null || 'value' in value
}

describe('SlsRenderer', () => {
  it('answers the same as renderSls, again and again', () => {
    const renderer = new SlsRenderer({ documents: new DocumentCache(1_000_000) })
    const source = { name: 'x.sls', text: AUTH }
    for (const id of ['a', 'b', '12', 'a: b', "it's"]) {
      const got = renderer.render(source, environment({ act: 'pend', id }))
      expect(pythonRepr(got.document)).toBe(pythonRepr(render(AUTH, { act: 'pend', id }).document))
    }
  })

  it('fails each time for a file that fails', () => {
    const renderer = new SlsRenderer()
    const source = { name: 'x.sls', text: '#!py\n' }
    expect(() => renderer.render(source, environment('x'))).toThrow(RendererError)
    expect(() => renderer.render(source, environment('x'))).toThrow(RendererError)
  })
})
