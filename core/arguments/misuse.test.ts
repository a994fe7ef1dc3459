// The sentences a caller reads when arguments do not fit.
import { describe, expect, it } from 'vitest'
import { callMisuse, docstring, minionInvocationError, minionMisuse, notAvailable, runnerMisuse } from './misuse.ts'

const doc = 'Does a thing.\n\nCLI Example:\n\n    salt x\n'

describe('the words of misuse', () => {
  it('indents a doc as Python keeps it', () => {
    expect(docstring(doc)).toBe('\n    Does a thing.\n\n    CLI Example:\n\n        salt x\n    ')
  })

  it('are those of the minion, the runner and the call', () => {
    const words = 'f() takes 0 positional arguments but 1 was given'
    expect(minionMisuse('m.f', words, 'Does.')).toBe(`Passed invalid arguments to m.f: ${words}\n\n    Does.\n    `)
    expect(runnerMisuse(words, 'Does.')).toBe(`\nPassed invalid arguments: ${words}\n\nUsage:\n\n    Does.\n    `)
    expect(runnerMisuse(words, '    Does.\n\n        Much.\n')).toMatch(/\n\n {4}Does\.\n\n {8}Much\.\n {4}$/)
    expect(callMisuse(words)).toBe(`\nPassed invalid arguments: ${words}.\n\nUsage:\n`)
    expect(minionInvocationError('m.f', 'no')).toBe("ERROR executing 'm.f': no")
    expect(notAvailable('m.f')).toBe("'m.f' is not available.")
  })
})
