// A glob that an id alone matches, also where the id has a glob's characters in it.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchTag } from '../core/event/tag-glob.ts'
import { literalGlob } from './key-glob.ts'

it('matches the id and no other', () => {
  const id = fc.string({ unit: fc.constantFrom('a', 'b', '-', '!', '[', ']', '*', '?') })
  fc.assert(
    fc.property(id, id, (one, other) => {
      expect(matchTag(literalGlob(one), one)).toBe(true)
      expect(matchTag(literalGlob(one), other)).toBe(one === other)
    }),
  )
})
