// Shows that who sends something wrong is told what, in words.
import { describe, expect, it } from 'vitest'
import { check } from './check.ts'
import { MinionIdSchema, TokenRequestSchema } from './minion.ts'
import { PublishRequestSchema } from './user.ts'

function problem(result: ReturnType<typeof check>): string {
  const [issue] = result.error?.issues ?? []
  return `${issue?.path.join('.')}: ${issue?.message}`
}

describe('what came over the wire', () => {
  it('is given as the schema has it', () => {
    expect(check(PublishRequestSchema, { tgt: '*', fun: 'test.ping' }).data).toEqual({
      tgt: '*',
      tgt_type: 'glob',
      fun: 'test.ping',
      arg: [],
      ret: '',
      expires_in: 300,
    })
  })

  it.each([
    [
      'a value of another kind',
      PublishRequestSchema,
      { tgt: '*', tgt_type: 1, fun: 'a.b' },
      'tgt_type: Invalid input: expected string, received number',
    ],
    ['a text that is too short', MinionIdSchema, '', ': Too small: expected string to have >=1 characters'],
    [
      'a field that is not there',
      TokenRequestSchema,
      { id: 'web1', assertion: 'x'.repeat(16) },
      'pub: Invalid input: expected string, received undefined',
    ],
    ['our own rules', PublishRequestSchema, { tgt: '*', fun: 'a.b', kwarg: [] }, 'kwarg: must be a map'],
  ])('says what is wrong with %s', (_, schema, value, said) => {
    expect(problem(check(schema, value))).toBe(said)
  })
})
