// Tests which known word is nearest to a typo.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const keys = ['interface', 'reactor', 'file_roots', 'pillar_roots', 'presence_events', 'id', 'user']

describe('nearest', () => {
  it.each([
    ['reacter', 'reactor'],
    ['raector', 'reactor'],
    ['file_root', 'file_roots'],
    ['file-roots', 'file_roots'],
    ['FILE_ROOTS', 'file_roots'],
    ['presence_event', 'presence_events'],
    ['ID', 'id'],
    ['pilar_roots', 'pillar_roots'],
    ['something_else', undefined],
    ['xy', undefined],
  ])('%s is %s', (word, expected) => {
    expect(nearest(word, keys)).toBe(expected)
  })

  it('finds a word with one edit among others', () => {
    const edited = fc.tuple(fc.constantFrom(...keys.filter((key) => key.length > 3)), fc.nat()).map(([key, seed]) => {
      const place = seed % key.length
      return [key, `${key.slice(0, place)}~${key.slice(place + 1)}`] as const
    })
    fc.assert(
      fc.property(edited, ([key, word]) => {
        expect(nearest(word, keys)).toBe(key)
      }),
    )
  })
})
