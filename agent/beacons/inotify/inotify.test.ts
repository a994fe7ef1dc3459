// Real files: appended to, replaced, deleted and made again; directories; both ways of watching.
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Mapping } from '../../../core/value/index.ts'
import { waitFor } from '../../../test/system/wait.ts'
import { silentLog } from '../../outside.ts'
import type { Beacon } from '../beacon.ts'
import { inotifywaitPath } from './exact-watch.ts'
import { inotifyBeacon } from './inotify.ts'

let directory: string
let beacon: Beacon
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'brine-inotify-test-'))
  beacon = inotifyBeacon.open({ now: () => 0, log: silentLog, run: async () => null })
})
afterEach(async () => {
  await beacon.close?.()
  rmSync(directory, { recursive: true })
})

const seen: string[] = []
async function look(options: Mapping): Promise<string[]> {
  return (await beacon.look(options)).map(({ change, path }) => `${change} ${String(path).slice(directory.length + 1)}`)
}
/** Looks until all of these were told; what else was told meanwhile is in the answer too. */
async function told(options: Mapping, ...wanted: string[]): Promise<string[]> {
  seen.length = 0
  return waitFor(
    () => `${wanted.join(', ')}; told: ${seen.join(', ')}`,
    async () => {
      seen.push(...(await look(options)))
      return wanted.every((one) => seen.includes(one)) ? [...seen] : undefined
    },
  )
}
const file = (name = 'f'): string => join(directory, name)
const replace = (text: string): void => {
  writeFileSync(file('f.next'), text)
  renameSync(file('f.next'), file())
}

describe.each([
  ['by node', ['modify']],
  ...(inotifywaitPath() === undefined ? [] : [['by inotifywait', ['modify', 'moved_from']] as [string, string[]]]),
])('a file, %s', (_, mask) => {
  const options = (): Mapping => ({ [file()]: { mask } })

  /** A watch by a program is there when it tells what is done. */
  async function watched(): Promise<void> {
    await look(options())
    await waitFor('the watch', async () => {
      appendFileSync(file(), '.')
      await new Promise((resolve) => setTimeout(resolve, 20))
      return (await look(options())).length > 0 ? true : undefined
    })
    // What it tells of that comes when the program gets to it.
    for (let quiet = 0; quiet < 4; ) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      quiet = (await look(options())).length === 0 ? quiet + 1 : 0
    }
  }

  it('tells an append, a replacement, and what is appended after it', async () => {
    writeFileSync(file(), 'a')
    await watched()
    appendFileSync(file(), 'b')
    await told(options(), 'IN_MODIFY f')
    replace('c')
    const all = await told(options(), 'IN_IGNORED f')
    expect(all).toEqual(['IN_IGNORED f'])
    appendFileSync(file(), 'd')
    await told(options(), 'IN_MODIFY f')
  })

  it('tells nothing of a file beside it, nor what it was told to forget', async () => {
    writeFileSync(file(), 'a')
    await watched()
    writeFileSync(file('other'), 'a')
    appendFileSync(file(), 'forgotten')
    replace('forgotten too')
    beacon.quiet?.()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await look(options())).toEqual([])
    appendFileSync(file(), 'b')
    expect(await told(options(), 'IN_MODIFY f')).toContain('IN_MODIFY f')
  })

  it('tells what comes after it was told to forget, before it was even watched', async () => {
    writeFileSync(file(), 'a')
    await look(options())
    beacon.quiet?.()
    await watched()
    appendFileSync(file(), 'b')
    await told(options(), 'IN_MODIFY f')
  })

  it('is watched from when it is there, and again after it was deleted', async () => {
    expect(await look(options())).toEqual([])
    writeFileSync(file(), 'a')
    await watched()
    rmSync(file())
    await told(options(), 'IN_IGNORED f')
    writeFileSync(file(), 'b')
    await watched()
  })
})

describe('a file', () => {
  it('is watched where a link leads to', async () => {
    mkdirSync(file('target'))
    writeFileSync(file('target/real'), 'a')
    symlinkSync(file('target/real'), file())
    const options = { [file()]: { mask: ['modify'] } }
    await look(options)
    appendFileSync(file('target/real'), 'b')
    await told(options, 'IN_MODIFY f')
  })

  it('is no longer watched when it is taken out of the options', async () => {
    writeFileSync(file(), 'a')
    await look({ [file()]: { mask: ['modify'] } })
    appendFileSync(file(), 'b')
    expect(await look({})).toEqual([])
  })
})

describe('a change of its rights', () => {
  const options = (): Mapping => ({ [file()]: { mask: ['attrib'] }, [file('g')]: { mask: ['attrib'] } })
  beforeEach(async () => {
    writeFileSync(file(), 'a')
    writeFileSync(file('g'), 'a')
    await look(options())
  })

  it('is told, and a change of what is in it is none', async () => {
    appendFileSync(file(), 'b')
    chmodSync(file('g'), 0o600)
    appendFileSync(file(), 'c')
    expect(await told(options(), 'IN_ATTRIB g')).toEqual(['IN_ATTRIB g'])
  })

  it('is not told where it was to be forgotten, though several files of the directory are watched', async () => {
    chmodSync(file(), 0o600)
    beacon.quiet?.()
    chmodSync(file('g'), 0o600)
    expect(await told(options(), 'IN_ATTRIB g')).toEqual(['IN_ATTRIB g'])
  })
})

describe('a directory', () => {
  it('tells what is made, changed and deleted in it, by the mask', async () => {
    const options = { files: { [directory]: { mask: ['create', 'delete'] } } }
    await look(options)
    writeFileSync(file(), 'a')
    mkdirSync(file('d'))
    expect(await told(options, 'IN_CREATE f', 'IN_CREATE|IN_ISDIR d')).toHaveLength(2)
    rmSync(file())
    expect(await told(options, 'IN_DELETE f')).toEqual(['IN_DELETE f'])
  })

  it('is watched with those below it, new ones too where it says so', async () => {
    mkdirSync(file('d'))
    const options = { files: { [directory]: { recurse: true, auto_add: true, mask: ['create'] } } }
    await look(options)
    writeFileSync(file('d/x'), 'a')
    await told(options, 'IN_CREATE d/x')
    mkdirSync(file('d/new'))
    await told(options, 'IN_CREATE|IN_ISDIR d/new')
    writeFileSync(file('d/new/y'), 'a')
    await told(options, 'IN_CREATE d/new/y')
  })

  it('leaves out what is excluded', async () => {
    const exclude = [file('cache'), '*.tmp', { '/\\.[^/]*$': { regex: true } }]
    const options = { files: { [directory]: { mask: ['create'], exclude } } }
    await look(options)
    for (const name of ['cache1', 'a.tmp', '.hidden', 'seen']) writeFileSync(file(name), '')
    expect(await told(options, 'IN_CREATE seen')).toEqual(['IN_CREATE seen'])
  })
})

describe.skipIf(inotifywaitPath() === undefined)('by inotifywait', () => {
  it('is watched on after its own mark was tidied away', async () => {
    const marks = mkdtempSync(join(tmpdir(), 'brine-inotify-marks-'))
    vi.stubEnv('TMPDIR', marks)
    writeFileSync(file(), 'a')
    const options = { [file()]: { mask: ['close_write'] } }
    await look(options)
    vi.unstubAllEnvs()
    rmSync(marks, { recursive: true })
    beacon.quiet?.()
    await waitFor('IN_CLOSE_WRITE', async () => {
      appendFileSync(file(), 'b')
      return (await look(options)).includes('IN_CLOSE_WRITE f') ? true : undefined
    })
  })

  it('tells what node cannot', async () => {
    writeFileSync(file(), 'a')
    const options = { files: { [file()]: { mask: ['close_write', 'open'] } }, coalesce: true }
    await look(options)
    const all = await waitFor('IN_CLOSE_WRITE', async () => {
      appendFileSync(file(), 'b')
      await new Promise((resolve) => setTimeout(resolve, 30))
      const events = await look(options)
      return events.includes('IN_CLOSE_WRITE f') ? events : undefined
    })
    expect(new Set(all).size).toBe(all.length)
    expect(all).toContain('IN_OPEN f')
  })
})
