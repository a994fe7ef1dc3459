// EventBridge's patterns: a table of its documented cases, and properties over made-up data.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Mapping, parseJson, type Value } from '../../value/index.ts'
import { explainPattern, matchesPattern } from './match-pattern.ts'
import { parsePattern } from './parse-pattern.ts'

function patternOf(written: Value) {
  const parsed = parsePattern(written)
  if (parsed.kind === 'wrong') throw new Error(parsed.problems.join('\n'))
  return parsed.pattern
}

const matches = (pattern: string, data: string): boolean =>
  matchesPattern(patternOf(parseJson(pattern)), parseJson(data) as Mapping)

const cases: [pattern: string, data: string, expected: boolean][] = [
  ['{"a": ["x"]}', '{"a": "x"}', true],
  ['{"a": ["x"]}', '{"a": "y"}', false],
  ['{"a": ["x"]}', '{}', false],
  ['{"a": ["x", "y"], "b": [1]}', '{"a": "y", "b": 1, "c": 2}', true],
  ['{"a": ["x", "y"], "b": [1]}', '{"a": "y", "b": 2}', false],
  ['{"a": {"b": {"c": [true]}}}', '{"a": {"b": {"c": true}}}', true],
  ['{"a": {"b": ["x"]}}', '{"a": "x"}', false],
  // Numbers are numbers, and not text.
  ['{"a": [300]}', '{"a": 3.0e2}', true],
  ['{"a": [300.0]}', '{"a": 300}', true],
  ['{"a": [300]}', '{"a": "300"}', false],
  ['{"a": [12345678901234567890]}', '{"a": 12345678901234567890}', true],
  ['{"a": [12345678901234567890]}', '{"a": 12345678901234567891}', false],
  ['{"a": [1]}', '{"a": true}', false],
  // null and the empty text.
  ['{"a": [null]}', '{"a": null}', true],
  ['{"a": [null]}', '{"a": ""}', false],
  ['{"a": [null]}', '{}', false],
  ['{"a": [""]}', '{"a": ""}', true],
  // Lists: any item.
  ['{"a": ["x"]}', '{"a": ["w", "x"]}', true],
  ['{"a": ["x"]}', '{"a": [["w"], ["x"]]}', true],
  ['{"a": ["x"]}', '{"a": []}', false],
  ['{"a": {"b": ["x"]}}', '{"a": [{"b": "w"}, {"b": "x"}]}', true],
  ['{"a": {"b": [1], "c": [4]}}', '{"a": [{"b": 1, "c": 2}, {"b": 3, "c": 4}]}', false],
  ['{"a": {"b": [3], "c": [4]}}', '{"a": [{"b": 1, "c": 2}, {"b": 3, "c": 4}]}', true],
  // Beginnings and ends.
  ['{"a": [{"prefix": "ab"}]}', '{"a": "abc"}', true],
  ['{"a": [{"prefix": "ab"}]}', '{"a": "ABc"}', false],
  ['{"a": [{"prefix": {"equals-ignore-case": "aB"}}]}', '{"a": "Abc"}', true],
  ['{"a": [{"suffix": "bc"}]}', '{"a": "abc"}', true],
  ['{"a": [{"suffix": {"equals-ignore-case": "BC"}}]}', '{"a": "abc"}', true],
  ['{"a": [{"prefix": "3"}]}', '{"a": 300}', false],
  ['{"a": [{"equals-ignore-case": "ALice"}]}', '{"a": "alIce"}', true],
  ['{"a": [{"equals-ignore-case": "alice"}]}', '{"a": "alice2"}', false],
  // anything-but.
  ['{"a": [{"anything-but": "x"}]}', '{"a": "y"}', true],
  ['{"a": [{"anything-but": "x"}]}', '{"a": "x"}', false],
  ['{"a": [{"anything-but": "x"}]}', '{}', false],
  ['{"a": [{"anything-but": ["x", 5]}]}', '{"a": 5}', false],
  ['{"a": [{"anything-but": ["x", 5]}]}', '{"a": 6}', true],
  ['{"a": [{"anything-but": ["x"]}]}', '{"a": ["x", "y"]}', true],
  ['{"a": [{"anything-but": ["x"]}]}', '{"a": ["x"]}', false],
  ['{"a": [{"anything-but": {"prefix": "in"}}]}', '{"a": "out"}', true],
  ['{"a": [{"anything-but": {"prefix": ["in", "out"]}}]}', '{"a": "outer"}', false],
  ['{"a": [{"anything-but": {"suffix": ".txt"}}]}', '{"a": "a.txt"}', false],
  ['{"a": [{"anything-but": {"suffix": [".txt", ".rtf"]}}]}', '{"a": "a.png"}', true],
  ['{"a": [{"anything-but": {"wildcard": "*/lib/*"}}]}', '{"a": "/usr/lib/x"}', false],
  ['{"a": [{"anything-but": {"wildcard": ["*/lib/*", "*/bin/*"]}}]}', '{"a": "/usr/sbin"}', true],
  ['{"a": [{"anything-but": {"equals-ignore-case": ["init", "Stop"]}}]}', '{"a": "STOP"}', false],
  // numeric.
  ['{"a": [{"numeric": ["=", 5]}]}', '{"a": 5.0}', true],
  ['{"a": [{"numeric": [">", 0, "<=", 5]}]}', '{"a": 5}', true],
  ['{"a": [{"numeric": [">", 0, "<=", 5]}]}', '{"a": 0}', false],
  ['{"a": [{"numeric": ["<", -1.5]}]}', '{"a": -2}', true],
  ['{"a": [{"numeric": [">", 1]}]}', '{"a": "2"}', false],
  ['{"a": [{"numeric": [">=", 1]}]}', '{"a": [0, 3]}', true],
  // exists.
  ['{"a": [{"exists": true}]}', '{"a": null}', true],
  ['{"a": [{"exists": true}]}', '{"b": 1}', false],
  ['{"a": [{"exists": false}]}', '{"b": 1}', true],
  ['{"a": [{"exists": false}]}', '{"a": 0}', false],
  ['{"a": {"b": [{"exists": false}]}}', '{}', true],
  ['{"a": {"b": [{"exists": false}]}}', '{"a": {"c": 1}}', true],
  ['{"a": {"b": [{"exists": false}]}}', '{"a": [{"b": 1}, {"c": 2}]}', false],
  ['{"a": [{"exists": true}]}', '{"a": {"b": 1}}', false],
  ['{"a": [{"exists": false}, "x"]}', '{"a": "x"}', true],
  ['{"a": [{"exists": true}]}', '{"a": []}', false],
  // wildcard.
  ['{"a": [{"wildcard": "*"}]}', '{"a": ""}', true],
  ['{"a": [{"wildcard": "a*b"}]}', '{"a": "ab"}', true],
  ['{"a": [{"wildcard": "ab*ba"}]}', '{"a": "aba"}', false],
  ['{"a": [{"wildcard": "a*b*c"}]}', '{"a": "a1b2b3c"}', true],
  ['{"a": [{"wildcard": "a*b*c"}]}', '{"a": "a1c"}', false],
  ['{"a": [{"wildcard": "a\\\\*b"}]}', '{"a": "a*b"}', true],
  ['{"a": [{"wildcard": "a\\\\*b"}]}', '{"a": "axb"}', false],
  ['{"a": [{"wildcard": "a\\\\\\\\*"}]}', '{"a": "a\\\\b"}', true],
  // cidr.
  ['{"a": [{"cidr": "10.0.0.0/24"}]}', '{"a": "10.0.0.255"}', true],
  ['{"a": [{"cidr": "10.0.0.7/24"}]}', '{"a": "10.0.0.1"}', true],
  ['{"a": [{"cidr": "10.0.0.0/24"}]}', '{"a": "10.0.1.0"}', false],
  ['{"a": [{"cidr": "2001:db8::/32"}]}', '{"a": "2001:db8:1::5"}', true],
  ['{"a": [{"cidr": "10.0.0.0/24"}]}', '{"a": "no address"}', false],
  // $or.
  ['{"$or": [{"a": [1]}, {"b": [2]}]}', '{"b": 2}', true],
  ['{"$or": [{"a": [1]}, {"b": [2]}]}', '{"a": 2, "b": 1}', false],
  ['{"c": [3], "$or": [{"a": [1]}, {"b": [2]}]}', '{"a": 1}', false],
  ['{"d": {"$or": [{"a": [1]}, {"b": [{"exists": false}]}]}}', '{"d": {"b": 1, "a": 1}}', true],
  // Names that are numbers are names.
  ['{"1": ["x"]}', '{"1": "x"}', true],
]

describe('matching', () => {
  test.each(cases)('%s over %s is %s', (pattern, data, expected) => {
    expect(matches(pattern, data)).toBe(expected)
    const told = explainPattern(patternOf(parseJson(pattern)), parseJson(data) as Mapping)
    expect(told === undefined).toBe(expected)
  })

  test('what differs is told by its path, what was seen and what was asked', () => {
    const explain = (pattern: string, data: string) =>
      explainPattern(patternOf(parseJson(pattern)), parseJson(data) as Mapping)
    expect(explain('{"state": ["up", {"prefix": "un"}]}', '{"state": "down"}')).toBe(
      'data.state is "down", where the match asks for "up", {"prefix": "un"}',
    )
    expect(explain('{"a": {"b": [1]}}', '{}')).toBe('the event has no data.a.b, where the match asks for 1')
    expect(explain('{"$or": [{"a": [1]}, {"b": [2]}]}', '{"a": 2}')).toBe(
      'none of $or: data.a is 2, where the match asks for 1; the event has no data.b, where the match asks for 2',
    )
  })
})

describe('a bad pattern', () => {
  test.each<[Value, string]>([
    ['x', 'data: a pattern is a map of fields, not text.'],
    [{}, 'data: the pattern is empty. Name a field, or leave it out.'],
    [{ a: 'up' }, 'data.a: "up" is text, not a list. Write ["up"].'],
    [
      { a: [] },
      'data.a: the list is empty, which no value meets. Write a list of what it may be, like ["up", {"prefix": "down"}].',
    ],
    [{ a: { b: true } }, 'data.a.b: true is true or false, not a list. Write [true].'],
    [{ a: { prefix: 'x' } }, 'data.a: a test stands in a list: [{"prefix": "x"}].'],
    [
      { a: [{ prefx: 'x' }] },
      'data.a: there is no operator "prefx". There are: prefix, suffix, anything-but, numeric, exists, equals-ignore-case, wildcard, cidr.',
    ],
    [
      { a: [{ prefix: 'x', suffix: 'y' }] },
      'data.a: {"prefix": "x", "suffix": "y"} has 2 operators. Write one in each map of the list.',
    ],
    [
      { a: [{ numeric: ['>', 5, '<', 1] }] },
      'data.a: numeric [">", 5, "<", 1]: no number lies between. Exchange the bounds.',
    ],
    [{ a: [{ exists: 'yes' }] }, 'data.a: exists takes true or false, not "yes".'],
    [{ a: [{ wildcard: 'a**' }] }, 'data.a: wildcard "a**" has two stars in a row. Write one.'],
    [{ a: [{ cidr: '10.0.0.0' }] }, 'data.a: cidr takes a network like "10.0.0.0/24", not "10.0.0.0".'],
    [{ $or: [{ a: [1] }] }, 'data.$or: it takes a list of two patterns or more, each a map of fields.'],
    [
      { a: [{ 'anything-but': { numeric: ['=', 1] } }] },
      'data.a: anything-but takes values, or one of prefix, suffix, equals-ignore-case and wildcard, not {"numeric": ["=", 1]}.',
    ],
  ])('%j is refused with a sentence', (written, message) => {
    expect(parsePattern(written)).toEqual({ kind: 'wrong', problems: [message] })
  })

  test('whatever is written, reading ends in a pattern or in problems', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (written) => {
        const parsed = parsePattern(parseJson(JSON.stringify(written)))
        if (parsed.kind === 'wrong') expect(parsed.problems.length).toBeGreaterThan(0)
        else expect(typeof matchesPattern(parsed.pattern, {})).toBe('boolean')
      }),
    )
  })
})

describe('properties', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '\\'), maxLength: 6 })
  const scalar = fc.oneof(letters, fc.integer({ min: -3, max: 3 }), fc.boolean(), fc.constant(null))
  const one = (test: Value, seen: Value): boolean => matchesPattern(patternOf({ f: [test] }), { f: seen })

  test('a wildcard is what its stars say', () => {
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 4 }), letters, (parts, seen) => {
        const written = parts.map((part) => part.replace(/[\\*]/g, '\\$&')).join('*')
        if (/(?<!\\)(?:\\\\)*\*\*/.test(written)) return
        const regex = new RegExp(`^${parts.map((part) => part.replace(/[\\*]/g, '\\$&')).join('[^]*')}$`)
        expect(one({ wildcard: written }, seen)).toBe(regex.test(seen))
      }),
    )
  })

  test('anything-but is the opposite of its values over one value', () => {
    fc.assert(
      fc.property(fc.array(scalar, { minLength: 1, maxLength: 3 }), scalar, (values, seen) => {
        expect(one({ 'anything-but': values }, seen)).toBe(!values.some((value) => one(value, seen)))
      }),
    )
  })

  test('exists true and false never agree, whatever stands there', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (seen) => {
        const value = parseJson(JSON.stringify(seen))
        expect(one({ exists: true }, value)).toBe(!one({ exists: false }, value))
      }),
    )
  })

  test('a list is met exactly where one of its items is', () => {
    fc.assert(
      fc.property(fc.array(scalar, { maxLength: 4 }), scalar, (items, wanted) => {
        expect(one(wanted, items)).toBe(items.some((item) => one(wanted, item)))
      }),
    )
  })

  test('more tests for a field take more, more fields take less', () => {
    fc.assert(
      fc.property(scalar, scalar, scalar, scalar, (a, b, seen, other) => {
        const data = { f: seen, g: other }
        const wide = matchesPattern(patternOf({ f: [a, b] }), data)
        expect(wide).toBe(one(a, seen) || one(b, seen))
        expect(matchesPattern(patternOf({ f: [a], g: [b] }), data)).toBe(one(a, seen) && one(b, other))
        expect(matchesPattern(patternOf({ $or: [{ f: [a] }, { g: [b] }] }), data)).toBe(one(a, seen) || one(b, other))
      }),
    )
  })
})
