// Shows that the Lambda functions stay small: what they read at their start, and that it is only what most invocations need.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../test/system/built.ts'

/** What `scripts/bundle-functions.mjs` tells of a function. */
interface Size {
  readonly bytes: number
  readonly all: number
  readonly parts: Readonly<Record<string, number>>
}

const most = 600 * 1024
let folder = ''
let sizes: Readonly<Record<string, Size>> = {}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brine-functions-'))
  const told = execFileSync(process.execPath, [join(ROOT, 'scripts/bundle-functions.mjs'), folder], {
    encoding: 'utf8',
  })
  sizes = JSON.parse(told)
}, 200_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the bundles of the functions', () => {
  it('read at most 600 KB at their start', () => {
    expect(Object.keys(sizes)).toEqual(expect.arrayContaining(['gateway', 'reactor', 'run', 'event-log', 'socket']))
    expect(Object.entries(sizes).filter(([, { bytes }]) => bytes > most)).toEqual([])
  })

  it.each(['core/render/jinja', 'core/sls/lint', 'core/pillar', 'jose', 'bcryptjs'])('read %s later', (part) => {
    const early = Object.entries(sizes).filter(([, { parts }]) =>
      Object.keys(parts).some((path) => path.startsWith(part)),
    )
    expect(early.map(([name]) => name)).toEqual([])
  })
})
