// Tokens and the lines they stand on.
import { describe, expect, it } from 'vitest'
import { tokenize } from './lexer.ts'
import { DEFAULT_OPTIONS, type JinjaOptions } from './options.ts'

function tokens(text: string, options: Partial<JinjaOptions> = {}): string[] {
  return tokenize(text, { ...DEFAULT_OPTIONS, ...options }).map(
    ({ type, value, line }) => `${line} ${type}${value === '' ? '' : ` ${JSON.stringify(value)}`}`,
  )
}

describe('tokenize', () => {
  it.each<[string, string[]]>([
    ['a {{ b }}', ['1 data "a "', '1 variable_begin', '1 name "b"', '1 variable_end "}}"']],
    [
      'a \n {%- if x -%}\n b',
      ['1 data "a"', '2 block_begin', '2 name "if"', '2 name "x"', '2 block_end "-%}\\n "', '3 data "b"'],
    ],
    [
      'a{# c\nd #}\n{{ 1 }}',
      ['1 data "a"', '2 data "\\n"', '3 variable_begin', '3 integer "1"', '3 variable_end "}}"'],
    ],
    ['{% raw %}{{ x }}{% endraw %}y', ['1 data "{{ x }}"', '1 data "y"']],
    [
      "{{ 'a\nb' }}{{ c }}",
      [
        '1 variable_begin',
        '1 string "a\\nb"',
        '2 variable_end "}}"',
        '2 variable_begin',
        '2 name "c"',
        '2 variable_end "}}"',
      ],
    ],
    [
      '{{ {1:{}}}}',
      [
        '1 variable_begin',
        '1 lbrace "{"',
        '1 integer "1"',
        '1 colon ":"',
        '1 lbrace "{"',
        '1 rbrace "}"',
        '1 rbrace "}"',
        '1 variable_end "}}"',
      ],
    ],
    ['a\r\nb\rc\n', ['1 data "a\\nb\\nc"']],
  ])('%j', (text, expected) => {
    expect(tokens(text)).toEqual(expected)
  })

  it('strips around blocks as the settings say', () => {
    expect(tokens('a\n  {% x %}\nb', { lstrip_blocks: true, trim_blocks: true })).toEqual([
      '1 data "a\\n"',
      '2 block_begin',
      '2 name "x"',
      '2 block_end "%}\\n"',
      '3 data "b"',
    ])
    expect(tokens('a\n  {{ x }}\n', { lstrip_blocks: true })[0]).toBe('1 data "a\\n  "')
  })

  it('reads line statements and line comments where they are on', () => {
    const options = { line_statement_prefix: '%', line_comment_prefix: '##' }
    expect(tokens('% x\na ## b\nc', options)).toEqual([
      '1 block_begin',
      '1 name "x"',
      '1 block_end "\\n"',
      '2 data "a"',
      '2 data "\\nc"',
    ])
  })

  it('ends with the error where it cannot go on', () => {
    const [last] = tokenize('a\n{{ $ }}', DEFAULT_OPTIONS).slice(-1)
    expect(last).toMatchObject({ type: 'error', line: 2, error: { message: "unexpected char '$' at 5" } })
  })
})
