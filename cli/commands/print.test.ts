// What a command prints, and what it says of an outputter that is not there.
import { describe, expect, it } from 'vitest'
import { printTo } from './print.ts'

async function printed(data: Record<string, boolean>, outputter: string) {
  const said = { out: '', err: '' }
  const io = {
    out: async (text: string) => {
      said.out += text
    },
    err: (text: string) => {
      said.err += text
    },
  }
  await printTo(io, data, outputter, {})
  return said
}

describe('printTo', () => {
  it('says that an outputter is not there, and prints with nested', async () => {
    expect(await printed({ db1: true }, 'nosuch')).toEqual({
      out: 'db1:\n    True\n',
      err: '[ERROR   ] Invalid outputter nosuch specified, fall back to nested\n',
    })
  })

  it('prints no line for an empty text', async () => {
    expect(await printed({}, 'nested')).toEqual({ out: '', err: '' })
    expect(await printed({ db1: true }, 'quiet')).toEqual({ out: '', err: '' })
  })

  it('prints no returns as json has it', async () => {
    expect(await printed({}, 'json')).toEqual({ out: '{}\n', err: '' })
  })
})
