// Tests what is said about templates that do not parse.
import { expect, it } from 'vitest'
import { checkTemplate } from './check-template.ts'

it.each([
  ["{% if data['act'] == 'pend' %}\na: runner.x.y\n{% endif %}", undefined],
  ['#!yaml\na: {{', undefined],
  ['a:\n  - {{ data[ }}\n', { line: 2, message: expect.stringContaining('Jinja syntax error') }],
  ['{% if x %}\na: b\n', { line: expect.any(Number), message: expect.stringContaining('Jinja syntax error') }],
  ['#!py\n', { line: 1, message: expect.stringContaining('The renderer py') }],
])('%j', (text, expected) => {
  expect(checkTemplate(text, 'x.sls')).toEqual(expected)
})
