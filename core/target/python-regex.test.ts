// Python's expressions, each with a text it matches and one it does not; checked against Python 3.11.
import { describe, expect, it } from 'vitest'
import { messageOf } from '../error.ts'
import { pythonRegex } from './python-regex.ts'

describe('pythonRegex', () => {
  it.each<[string, string, string]>([
    ['web', 'web1', 'xweb'],
    ['a|b', 'b', 'c'],
    ['(?P<n>w)eb(?P=n)', 'webw', 'webx'],
    ['(?i)WEB', 'web', 'wab'],
    ['w(?i:E)b', 'wEb', 'WEb'],
    ['(?i:[a-c]x)', 'BX', 'dX'],
    ['(?x) w e b # comment', 'web', 'w e b'],
    ['w(?#c)eb', 'web', 'w'],
    ['\\Aweb\\Z', 'web', 'web\n'],
    ['web$', 'web\n', 'web\n\n'],
    ['(?m)a$', 'a\nb', 'ab'],
    ['a.b', 'a\rb', 'a\nb'],
    ['(?s)a.b', 'a\nb', 'ab'],
    ['\\d', '٣', 'x'],
    ['(?a)\\d', '3', '٣'],
    ['\\w\\b', 'é ', ' é'],
    ['[\\W_]', '-', 'a'],
    ['[^\\w]', '-', 'a'],
    ['[]x]', ']', 'y'],
    ['[^]x]', 'y', ']'],
    ['[[:a]', '[', 'b'],
    ['[a-c-]', '-', 'd'],
    ['a{,2}b', 'aab', 'aaab'],
    ['a{x', 'a{x', 'ax'],
    ['}]', '}]', ']'],
    ['\\x77\\u0065\\142', 'web', 'wab'],
    ['a++b', 'aab', 'b'],
    ['(?>a|ab)c', 'ac', 'abc'],
    ['(a)(?>b)\\1', 'aba', 'abb'],
    ['(?<=a)b|ab', 'ab', 'b'],
    ['[\\b]', '\b', 'b'],
    ['\\.\\-\\ ', '.- ', 'a- '],
    ['(?:(?!a))?b', 'b', 'a'],
    ['(?=a)*b', 'b', 'a'],
    ['a(?#c){2}', 'aa', 'a'],
    ['😀.', '😀😀', '😀'],
  ])('%s takes %j, not %j', (pattern, yes, no) => {
    expect(pythonRegex(pattern).test(yes)).toBe(true)
    expect(pythonRegex(pattern).test(no)).toBe(false)
  })

  it('anchors as asked', () => {
    expect(pythonRegex('b', { anchor: 'search' }).test('abc')).toBe(true)
    expect(pythonRegex('b', { anchor: 'fullmatch' }).test('bc')).toBe(false)
    expect(pythonRegex('a|bc', { anchor: 'fullmatch' }).test('bc')).toBe(true)
    expect(pythonRegex('B.c', { ignoreCase: true, dotAll: true }).test('b\nC')).toBe(true)
    expect(pythonRegex('b$', { anchor: 'search', multiLine: true }).test('ab\nc')).toBe(true)
    expect('a1b2'.replaceAll(pythonRegex('\\d', { anchor: 'search', flags: 'g' }), '')).toBe('ab')
  })

  it.each([
    ['(', 'missing ), unterminated subpattern at position 0'],
    ['a)', 'unbalanced parenthesis at position 1'],
    ['[', 'unterminated character set at position 0'],
    ['*a', 'nothing to repeat at position 0'],
    ['a**', 'multiple repeat'],
    ['a{2}{,2}', 'multiple repeat'],
    ['\\b+', 'nothing to repeat'],
    ['|{2}', 'nothing to repeat at position 1'],
    ['(?P=n)(?P<n>a)', "unknown group name 'n'"],
    ['a{2,1}', 'min repeat greater than max repeat'],
    ['[z-a]', 'bad character range z-a at position 1'],
    ['[a-\\d]', 'bad character range'],
    ['\\e', 'bad escape \\e at position 0'],
    ['\\1', 'invalid group reference 1'],
    ['a(?i)b', 'global flags not at the start of the expression at position 1'],
    ['(?(1)a|b)', 'conditional groups are not supported'],
    ['(?<n>a)', 'unknown extension ?<'],
    ['(?P<1>a)', "bad character in group name '1'"],
    ['(?P<a>x)(?P<a>y)', 'duplicate capture group name'],
  ])('refuses %s', (pattern, reason) => {
    expect.assertions(1)
    try {
      pythonRegex(pattern)
    } catch (error) {
      expect(messageOf(error)).toContain(reason)
    }
  })
})
