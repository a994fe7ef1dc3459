// Which outputter prints a return, and whether in colour.
import { describe, expect, it } from 'vitest'
import { chooseOutputter, type OutputChoice, unknownOutputter } from './choose.ts'
import { type ColourChoice, wantsColour } from './colour.ts'

const CHOICES: readonly (readonly [OutputChoice, string])[] = [
  [{}, 'nested'],
  [{ returned: '' }, 'nested'],
  [{ returned: 'highstate' }, 'highstate'],
  [{ asked: 'json', returned: 'highstate' }, 'json'],
  [{ asked: 'highstate', returned: 'nested' }, 'nested'],
  [{ asked: 'highstate', returned: 'highstate' }, 'highstate'],
  [{ asked: 'highstate' }, 'nested'],
  [{ asked: 'text' }, 'txt'],
  [{ isStatic: true, fun: 'state.sls' }, 'highstate'],
  [{ isStatic: true, fun: 'state.sls', asked: 'highstate' }, 'highstate'],
  [{ isStatic: true, fun: 'test.ping' }, 'nested'],
  [{ isStatic: true, fun: ['state.sls', 'test.ping'] }, 'nested'],
  [{ asked: 'nosuch' }, 'nosuch'],
]

const COLOURS: readonly (readonly [ColourChoice, boolean])[] = [
  [{ isTty: true }, true],
  [{ isTty: false }, false],
  [{ isTty: true, noColor: true }, false],
  [{ isTty: false, forceColor: true }, true],
  [{ isTty: true, noColor: true, forceColor: true }, true],
  [{ isTty: true, setting: false }, false],
  [{ isTty: false, setting: true }, true],
]

describe('choosing how to print', () => {
  it.each(CHOICES)('%j prints with %s', (choice, name) => {
    expect(chooseOutputter(choice)).toBe(name)
  })

  it.each(COLOURS)('%j in colour: %s', (choice, colour) => {
    expect(wantsColour(choice)).toBe(colour)
  })

  it('says what Salt logs for an outputter it does not have', () => {
    expect(unknownOutputter('nosuch')).toBe('Invalid outputter nosuch specified, fall back to nested')
    expect(unknownOutputter('grains')).toBeUndefined()
    expect(unknownOutputter('json')).toBeUndefined()
  })
})
