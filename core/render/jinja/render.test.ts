// Rendering as its callers see it: places of errors, Salt's words, needs, purity, limits, the cache.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Value } from '../../value/index.ts'
import {
  callKey,
  compileTemplate,
  type Environment,
  HostFunction,
  Need,
  renderHoles,
  renderText,
  SALT_FUNCTIONS,
  TemplateError,
} from './index.ts'

function failure(template: string, environment: Environment = { context: {} }, name = 'a.sls'): TemplateError {
  try {
    renderText(compileTemplate(template, name), environment)
  } catch (error) {
    if (error instanceof TemplateError) return error
    throw error
  }
  throw new Error('it did not fail')
}

describe('errors', () => {
  it('name file, line and column, show the line and a caret, and carry Salt’s words', () => {
    const error = failure('a: 1\n  b: {{ data.nope }}\n', { context: { data: {} } })
    expect(error).toMatchObject({
      code: 'template',
      exception: 'UndefinedError',
      file: 'a.sls',
      line: 2,
      source: '  b: {{ data.nope }}',
      saltMessage: "Jinja variable 'dict object' has no attribute 'nope'; line 2",
    })
    expect(error.message).toBe(
      "a.sls:2:14: 'dict object' has no attribute 'nope'\n    b: {{ data.nope }}\n               ^",
    )
  })

  it('are found while compiling where Jinja finds them', () => {
    const error = failure('x\n{% if 1 %}')
    expect(error.saltMessage).toBe(
      "Jinja syntax error: Unexpected end of template. Jinja was looking for the following tags: 'elif' or 'else' or 'endif'. The innermost block that needs to be closed is 'if'.; line 2",
    )
  })

  it('name the nearest filter, test and say what to do', () => {
    expect(failure("{{ 'a'|lowre }}").message).toContain("The nearest filter is 'lower'.")
    expect(failure("{{ 'a' is defind }}").message).toContain("The nearest test is 'defined'.")
    expect(failure('{{ 1|zzzzzzzzzzzz }}').message).not.toContain('nearest')
    expect(failure("{{ 'ls'|which }}").message).toContain('asks the machine')
    expect(failure('{{ [1]|random }}')).toMatchObject({ exception: 'Unavailable' })
  })

  it('inside another file name that file and its line', () => {
    const files = (path: string): string | undefined =>
      path === 'lib.jinja' ? '\n\n{% macro m() %}\n{{ nope }}{% endmacro %}' : undefined
    const error = failure("{% from 'lib.jinja' import m %}\n{{ m() }}", { context: {}, files })
    expect(error).toMatchObject({ file: 'lib.jinja', line: 4, source: '{{ nope }}{% endmacro %}' })
  })

  it('inside a block name the real line, and to Salt the line of the tag', () => {
    const error = failure('x\n{% block a %}\n\n{{ nope }}{% endblock %}')
    expect(error.line).toBe(4)
    expect(error.saltMessage).toBe("Jinja variable 'nope' is undefined; line 2")
  })
})

describe('needs', () => {
  const source = (answers?: ReadonlyMap<string, Value>): Environment => ({
    context: {},
    salt: {
      pure: SALT_FUNCTIONS,
      answerable: (fun) => fun === 'mine.get',
      ...(answers === undefined ? {} : { answers }),
    },
  })
  const template = compileTemplate("{{ salt['mine.get']('*', 'ip', tgt_type='glob').a }}")

  it('are thrown with function and arguments, and answered by key', () => {
    let need: Need | undefined
    try {
      renderText(template, source())
    } catch (error) {
      if (error instanceof Need) need = error
    }
    expect(need).toMatchObject({ fun: 'mine.get', args: ['*', 'ip'], kwargs: { tgt_type: 'glob' } })
    const key = callKey('mine.get', ['*', 'ip'], { tgt_type: 'glob' })
    expect(renderText(template, source(new Map([[key, { a: 'x' }]])))).toBe('x')
  })

  it('leave what is neither pure nor answerable undefined, as Salt does', () => {
    expect(failure("{{ salt['cmd.run']('ls') }}", source()).saltMessage).toBe(
      "Jinja variable 'dict object' has no attribute 'cmd.run'; line 1",
    )
    expect(renderText(compileTemplate("{{ salt.test.echo('x') }}{{ 'mine.get' in salt }}"), source())).toBe('xTrue')
  })

  it('come from files too', () => {
    const files = (path: string): string => {
      throw new Need('cp.get_file_str', [path], {})
    }
    expect(() => renderText(compileTemplate("{% include 'x' %}"), { context: {}, files })).toThrow(Need)
  })
})

describe('rendering is pure', () => {
  it('undoes what a template changed, also when it fails', () => {
    const data = { l: [3, 1], d: { a: 1 } }
    const before = structuredClone(data)
    const template = '{% do data.l.append(9) %}{% do data.l.sort() %}{% do data.d.update({"b": 2}) %}{{ data }}'
    expect(renderText(compileTemplate(template), { context: { data } })).toBe("{'l': [1, 3, 9], 'd': {'a': 1, 'b': 2}}")
    expect(data).toEqual(before)
    failure(`${template}{{ nope }}`, { context: { data } })
    expect(data).toEqual(before)
  })

  it('prints a list as it was when it was printed', () => {
    const template = compileTemplate('{% set l = [1] %}{{ l }}{% do l.append(2) %}{{ l }}')
    expect(renderHoles(template, { context: {} }).holes.map(({ value }) => value)).toEqual([[1], [1, 2]])
  })

  it('reaches nothing of JavaScript', () => {
    const context = { data: { id: 'x' } }
    for (const path of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'prototype']) {
      expect(
        renderText(compileTemplate(`{{ data.${path} is defined }}{{ data.id['${path}'] is defined }}`), { context }),
      ).toBe('FalseFalse')
    }
    expect(failure("{{ ''.__class__.__mro__ }}").saltMessage).toBe(
      "Jinja syntax error: access to attribute '__class__' of 'str' object is unsafe.; line 1",
    )
  })

  it('calls functions of the host', () => {
    const twice = new HostFunction('twice', ([x = 0]) => Number(x) * 2)
    expect(renderText(compileTemplate('{{ twice(4) }}'), { context: { twice } })).toBe('8')
  })
})

describe('limits', () => {
  it.each([
    ["{{ 'a' * 10**9 }}", 'characters in one text'],
    ['{% for i in range(1000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}', 'steps'],
    [
      '{% set n = namespace(x="aa") %}{% for i in range(99) %}{% set n.x = n.x ~ n.x %}{% endfor %}',
      'characters in one text',
    ],
    [
      '{% set n = namespace(x=[1]) %}{% for i in range(99) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x }}',
      'parts in one value',
    ],
    ['{{ 2 ** (10 ** 9) }}', 'bits in one integer'],
    ['{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', 'inside one another'],
    ['{{ [1] * 10**9 }}', 'items in one list'],
    ["{{ '%.999999999f' % 1 }}", 'digits in one number'],
    ["{{ ('a' * 40 ~ '!')|regex_match('(a+)+$') }}", 'steps'],
    ['{{ range(30)|permutations|list }}', 'steps'],
  ])('%s', (template, what) => {
    for (const render of [renderText, renderHoles]) {
      let error: unknown
      try {
        render(compileTemplate(template), { context: {} })
      } catch (thrown) {
        error = thrown
      }
      expect(error).toBeInstanceOf(TemplateError)
      expect(error).toMatchObject({ code: 'template-budget', exception: 'Budget' })
      expect(error).toMatchObject({ message: expect.stringContaining(what) })
    }
  })

  it('can be set', () => {
    const environment = { context: {}, budgets: { output: 10 } }
    expect(failure('{% for i in range(20) %}x{% endfor %}', environment).message).toContain('10 characters of output')
    expect(failure('{% for i in range(20) %}x{% endfor %}', { context: {}, budgets: { steps: 5 } }).message).toContain(
      '5 steps',
    )
  })

  it('let a list that holds itself end in an error', () => {
    expect(failure('{% set l = [] %}{% do l.append(l) %}{{ l }}')).toMatchObject({ exception: 'RecursionError' })
  })
})

describe('compileTemplate', () => {
  it('compiles a text once', () => {
    expect(compileTemplate('x {{ 1 }}', 'a')).toBe(compileTemplate('x {{ 1 }}', 'a'))
    expect(compileTemplate('x {{ 1 }}', 'a')).not.toBe(compileTemplate('x {{ 1 }}', 'b'))
    expect(compileTemplate('x {{ 1 }}', 'a')).not.toBe(compileTemplate('x {{ 1 }}', 'a', { trim_blocks: true }))
  })

  it('heeds settings, and the header over them', () => {
    const render = (text: string): string =>
      renderText(compileTemplate(text, undefined, { trim_blocks: true }), { context: {} })
    expect(render('{% if 1 %}\na{% endif %}\n')).toBe('a\n')
    expect(render('#jinja2: {"trim_blocks": false}\n{% if 1 %}\na{% endif %}\n')).toBe('\na\n')
  })
})

const FRAGMENTS = [
  '{{ data.id }}',
  '{{ nope }}',
  '{% if data.n > 3 %}',
  '{% else %}',
  '{% endif %}',
  '{% for x in data.l %}',
  '{{ x }}{{ loop.index }}',
  '{% endfor %}',
  '{% set y = [1, "a", data] %}',
  '{% set z %}',
  '{% endset %}',
  '{{ y|json }}',
  "{{ 'a' ~ data.id|upper }}",
  '{% macro m(a, b=2) %}',
  '{% endmacro %}',
  '{{ m(1) }}',
  '{% block q %}',
  '{% endblock %}',
  "{% include 'self' ignore missing %}",
  '{{ data.l|map("string")|join(",") }}',
  '{{ {} + [] }}',
  '{{ 1 / 0 }}',
  '{{ "%d" % "x" }}',
  '{% load_yaml as q %}a: {{ data.id }}{% endload %}',
  '{{ ',
  ' }}',
  '{% ',
  ' %}',
  '{# ',
  ' #}',
  "'",
  '|',
  'text\n',
  '- a: ',
]

describe('any template', () => {
  it('renders, or throws a TemplateError or a Need, in both modes', () => {
    const fragment = fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ maxLength: 6 }))
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
        const text = fragments.join('')
        for (const render of [renderText, renderHoles]) {
          const data = { id: 'web', n: 5, l: [1, 'a', null] }
          const environment: Environment = {
            context: { data },
            files: (path) => (path === 'self' ? text : undefined),
            budgets: { steps: 5000 },
          }
          try {
            render(compileTemplate(text), environment)
          } catch (error) {
            expect(error instanceof TemplateError || error instanceof Need).toBe(true)
          }
          expect(data).toEqual({ id: 'web', n: 5, l: [1, 'a', null] })
        }
      }),
      { numRuns: 1500 },
    )
  })
})
