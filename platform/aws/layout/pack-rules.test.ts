// Packed rules: under every limit, and nothing a glob wants is missed.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchTag } from '../../../core/event/tag-glob.ts'
import { isMatch } from '../../../test/aws/event-pattern.ts'
import { defaultPackLimits, type Packed, packRules } from './pack-rules.ts'
import { complexityLimit, patternComplexity, ruleComplexity } from './pattern-complexity.ts'
import { isReservedTag, sources } from './sources.ts'
import type { TagValue } from './tag-match.ts'

const segment = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('salt', 'job', 'minion', 'beacon', 'myco', 'web1', 'ret', 'new', 'start', 'brine', 'x'),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }) },
)
const globSegment = fc.oneof(
  { weight: 5, arbitrary: segment },
  { weight: 3, arbitrary: fc.constant('*') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '?',
      '[ab]',
      '[!a-c]',
      '[*]',
      '[',
      '**',
      'we*',
      '*eb',
      'w?b',
      '[]',
      '[b-a]',
      '\\*',
      'a\\',
    ),
  },
)
const tag = fc.array(segment, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'))
const glob = fc.array(globSegment, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'))

function passes({ patterns }: Packed, source: string, wanted: string): boolean {
  return patterns.some((pattern) => isMatch(pattern, { source, detail: { tag: wanted } }))
}

function wildcardsOf(values: readonly TagValue[]): string[] {
  return values.flatMap((value) => (typeof value === 'object' && 'wildcard' in value ? [value.wildcard] : []))
}

function expectUnderLimits({ patterns }: Packed): void {
  const withWildcards = patterns.filter(({ detail }) => wildcardsOf(detail.tag).length > 0)
  expect(withWildcards.length).toBeLessThanOrEqual(defaultPackLimits.wildcardRules)
  expect(patterns.length - withWildcards.length).toBeLessThanOrEqual(defaultPackLimits.plainRules)
  for (const pattern of patterns) {
    expect(Buffer.byteLength(JSON.stringify(pattern))).toBeLessThanOrEqual(2048)
    const wildcards = wildcardsOf(pattern.detail.tag)
    const weighed = wildcards.map((text) => {
      const parts = partsOf(text)
      return { prefix: parts[0] ?? '', complexity: patternComplexity(parts) }
    })
    expect(ruleComplexity(weighed)).toBeLessThanOrEqual(complexityLimit)
    for (const text of wildcards) {
      expect(text).toMatch(/^([^\\]|\\[*\\])*$/)
      expect(partsOf(text).slice(1, -1)).not.toContain('')
    }
  }
}

/** The texts between the stars of a wildcard, without the escapes. */
function partsOf(wildcard: string): string[] {
  const parts = ['']
  for (const [token] of wildcard.matchAll(/\\.|[^\\]/gs)) {
    if (token === '*') parts.push('')
    else parts[parts.length - 1] += token.replace('\\', token.length > 1 ? '' : '\\')
  }
  return parts
}

describe('packRules', () => {
  it('keeps a thousand globs under all limits and misses nothing that one of them wants', () => {
    fc.assert(
      fc.property(
        fc.array(glob, { minLength: 1000, maxLength: 1000, size: 'max' }),
        fc.array(tag, { minLength: 300, maxLength: 300, size: 'max' }),
        (globs, tags) => {
          const packed = packRules(globs)
          expectUnderLimits(packed)
          for (const wanted of tags) {
            if (globs.some((each) => matchTag(each, wanted))) expect(passes(packed, sources.master, wanted)).toBe(true)
          }
        },
      ),
      { numRuns: 10 },
    )
  })

  it('misses nothing of a few globs, from any source that may fire it', () => {
    fc.assert(
      fc.property(fc.array(glob, { minLength: 1, maxLength: 5 }), fc.array(tag, { maxLength: 20 }), (globs, tags) => {
        const packed = packRules(globs)
        expectUnderLimits(packed)
        for (const wanted of tags) {
          if (!globs.some((each) => matchTag(each, wanted))) continue
          expect(passes(packed, sources.minion, wanted)).toBe(true)
          if (!isReservedTag(wanted)) expect(passes(packed, sources.custom, wanted)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('lets nothing through but what a glob of stars and literals wants', () => {
    const globs = [
      'salt/minion/*/start',
      'salt/beacon/*/inotify//etc/*',
      'myco/deploy',
      'myco/my/*',
      '*/done',
      'salt/auth',
    ]
    const packed = packRules(globs)
    expect(packed.widened).toEqual([])
    fc.assert(
      fc.property(tag, (seen) => {
        const wanted = globs.some((each) => matchTag(each, seen))
        expect(passes(packed, sources.master, seen)).toBe(wanted)
      }),
    )
  })

  it('keeps the reserved tags of custom sources from the queue', () => {
    const packed = packRules(['salt/minion/*/start', 'salt/auth', 'myco/*'])
    expect(passes(packed, sources.custom, 'salt/minion/web1/start')).toBe(false)
    expect(passes(packed, sources.custom, 'salt/auth')).toBe(false)
    expect(passes(packed, sources.custom, 'myco/x')).toBe(true)
    expect(passes(packed, 'com.example', 'myco/x')).toBe(false)
  })

  it('writes what needs no wildcard without one', () => {
    expect(packRules(['a', 'b*', '*c', 'd[*]e', '*', 'never[]']).patterns).toEqual([
      { source: ['brine.master', 'brine.minion', 'brine.custom'], detail: { tag: [{ prefix: '' }] } },
    ])
    expect(packRules(['a', 'b*', '*c', 'd[*]e', 'x[b-a]'])).toEqual({
      patterns: [
        {
          source: ['brine.master', 'brine.minion', 'brine.custom'],
          detail: { tag: ['a', { prefix: 'b' }, { suffix: 'c' }, 'd*e'] },
        },
      ],
      widened: [],
    })
  })

  it('widens what is too complex from its end, and says so', () => {
    const { patterns, widened } = packRules(['myco/*a*a*a*a*a*a*a'])
    expect(widened).toEqual([{ glob: 'myco/*a*a*a*a*a*a*a', to: patterns[0]?.detail.tag[0] }])
    expect(wildcardsOf(patterns[0]?.detail.tag ?? [])[0]).toMatch(/^myco\/\*a\*a.*\*$/)
  })

  it('widens to the literal beginning what finds no room', () => {
    const globs = Array.from({ length: 400 }, (_, index) => `salt/beacon/*/load/${index}/*`)
    const packed = packRules(globs)
    expectUnderLimits(packed)
    expect(packed.widened.length).toBeGreaterThan(300)
    expect(packed.widened[0]?.to).toEqual({ prefix: 'salt/beacon/' })
  })

  it('cuts beginnings where even those do not fit', () => {
    const globs = Array.from({ length: 3000 }, (_, index) => `tenant-${index}/${'deploy/'.repeat(10)}${index}`)
    const packed = packRules(globs, { plainRules: 5 })
    expect(packed.patterns.length).toBeLessThanOrEqual(5)
    expect(packed.widened).toHaveLength(3000)
    for (const wanted of globs) expect(passes(packed, sources.custom, wanted)).toBe(true)
  })
})

describe('patternComplexity', () => {
  // The counts that aws/event-ruler's own tests give for these patterns.
  it.each([
    ['*', 1],
    ['1*2345', 2],
    ['*123', 2],
    ['*a*a*a*', 7],
  ])('%s is %i', (text, expected) => {
    expect(patternComplexity(text.split('*'))).toBe(expected)
  })

  it('adds up what one text can match at once', () => {
    const weigh = (text: string) => ({
      prefix: text.split('*')[0] ?? '',
      complexity: patternComplexity(text.split('*')),
    })
    expect(ruleComplexity([weigh('a/*/x'), weigh('b/*/x')])).toBeLessThan(
      ruleComplexity([weigh('a/*/x'), weigh('a/*/y')]),
    )
    const pictures = ['bif', 'tiff', 'tif', 'svs'].map((end) => weigh(`*/datasync/*.${end}`))
    expect(ruleComplexity(pictures)).toBeGreaterThan(complexityLimit)
  })
})
