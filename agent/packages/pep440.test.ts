// Versions and requirements of Python packages, against PEP 440's own order and examples.
import { describe, expect, it } from 'vitest'
import { comparePep440, fulfils, type Specifier } from './pep440.ts'
import { normalName, requirementOf } from './requirement.ts'

describe('versions', () => {
  const order = [
    ...['1.dev0', '1.0.dev456', '1.0a1', '1.0a2.dev456', '1.0a12.dev456', '1.0a12', '1.0b1.dev456', '1.0b2'],
    ...['1.0b2.post345.dev456', '1.0b2.post345', '1.0rc1.dev456', '1.0rc1', '1.0', '1.0+abc.5', '1.0+abc.7', '1.0+5'],
    ...['1.0.post456.dev34', '1.0.post456', '1.0.15', '1.1.dev1', '1!0.1'],
  ]
  it.each(order.slice(1).map((later, at) => [order[at] ?? '', later]))('%s comes before %s', (a, b) => {
    expect([comparePep440(a, b), comparePep440(b, a), comparePep440(a, a)]).toEqual([-1, 1, 0])
  })
  it.each([
    ['1.0', '1.0.0'],
    ['1.0c1', 'v1.0-rc.1'],
    ['1.0-1', '1.0.post1'],
    ['1.0alpha', '1.0a0'],
    ['1.0.DEV', '1.0.dev0'],
  ])('%s is %s', (a, b) => expect(comparePep440(a, b)).toBe(0))
  it.each([['one'], ['1.0 2'], ['1..0'], ['']])('%j is none', (text) =>
    expect(comparePep440(text, '1')).toBeUndefined(),
  )
})

describe('what is asked of a version', () => {
  const asked = (text: string): Specifier[] => {
    const read = requirementOf(`x${text}`)
    return read.kind === 'project' ? [...read.specifiers] : []
  }
  it.each([
    ['1.7', '>=1.6,<=1.7', true],
    ['1.8', '>= 1.6, <= 1.7', false],
    ['1.1.post1', '==1.1', false],
    ['1.1.post1', '==1.1.*', true],
    ['1.1a1', '==1.1.*', true],
    ['1.10', '==1.1.*', false],
    ['1', '==1.0.*', true],
    ['1.1+local', '==1.1', true],
    ['1.1', '!=1.1.*', false],
    ['2.3', '~=2.2', true],
    ['3.0', '~=2.2', false],
    ['2.2.post3', '~=2.2.post2', true],
    ['1.4.6', '~=1.4.5', true],
    ['1.5', '~=1.4.5', false],
    ['1.7.0.post1', '>1.7', false],
    ['1.7.1', '>1.7', true],
    ['1.7rc1', '<1.7', false],
    ['1.7rc1', '<1.7rc2', true],
    ['2.0rc1', '>=1.0', true],
    ['1.0', '===1.0', true],
    ['1.0', '===1.0.0', false],
    ['none', '>=1', false],
  ])('%s and %s: %s', (version, text, expected) => expect(fulfils(version, asked(text))).toBe(expected))
})

describe('requirements', () => {
  it.each([
    ['django', { kind: 'project', name: 'django', specifiers: [] }],
    [
      'Django[argon2] >= 1.6, <2',
      {
        kind: 'project',
        name: 'Django',
        specifiers: [
          ['>=', '1.6'],
          ['<', '2'],
        ],
      },
    ],
    ['a.b (==1)', { kind: 'project', name: 'a.b', specifiers: [['==', '1']] }],
    ['x==1; python_version < "3"', { kind: 'project', name: 'x', specifiers: [['==', '1']] }],
    ['x @ https://h/x.zip', { kind: 'project', name: 'x', specifiers: [] }],
    ['git+https://h/r.git', { kind: 'link' }],
    ['git+https://h/r.git@v1#egg=my_pkg', { kind: 'project', name: 'my_pkg', specifiers: [] }],
    ['/srv/six-1.16.0-py2.py3-none-any.whl', { kind: 'project', name: 'six', specifiers: [['==', '1.16.0']] }],
    ['./here', { kind: 'link' }],
  ])('%s', (line, expected) => expect(requirementOf(line)).toEqual(expected))

  it.each([
    ['x=1', "Invalid version specification in package x=1. '=' is not supported, use '==' instead."],
    ['x y', "pip raised an exception while parsing 'x y': Invalid requirement: 'x y'"],
    ['==1', "pip raised an exception while parsing '==1': Invalid requirement: '==1'"],
  ])('refuses %s', (line, why) => expect(requirementOf(line)).toEqual({ kind: 'refused', why }))

  it('knows one spelling of a name', () => expect(normalName('My._Pkg--x')).toBe('my-pkg-x'))
})
