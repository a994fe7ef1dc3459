// Shows that the build's programs start, the agent as one file without native parts, and the library as a module.
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { ensureBuilt, programPath, ROOT } from '../test/system/built.ts'
import { runProgram } from '../test/system/process.ts'

beforeAll(() => ensureBuilt(), 180_000)

describe('the build', () => {
  it.each(Object.keys(manifest.bin))('%s is a program that tells its version', async (name) => {
    const path = programPath(name)
    expect(readFileSync(path, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true)
    expect(statSync(path).mode & 0o111).toBe(0o111)
    const { exit, stdout, stderr } = await runProgram(path, ['--version'])
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(stdout).toContain(manifest.version)
  })

  it('makes the agent one file of at most 1 MiB that needs no package', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'brine-agent-'))
    const alone = join(folder, 'brine-minion.mjs')
    copyFileSync(programPath('brine-minion'), alone)
    expect(statSync(alone).size).toBeLessThanOrEqual(1024 * 1024)
    const { exit, stdout, stderr } = await runProgram(process.execPath, [alone, '--version'])
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: `brine-minion ${manifest.version}\n`, stderr: '' })
    rmSync(folder, { recursive: true })
  })

  it('makes the library a module', async () => {
    const library: Record<string, unknown> = await import(pathToFileURL(join(ROOT, 'dist/client.mjs')).href)
    expect(library).toMatchObject({ LocalClient: expect.any(Function), connect: expect.any(Function) })
  })

  it('leaves no file of an earlier build', () => {
    const maps = readdirSync(join(ROOT, 'dist/chunks')).filter((name) => name.endsWith('.map'))
    expect(maps.filter((name) => !existsSync(join(ROOT, 'dist/chunks', name.slice(0, -4))))).toEqual([])
  })
})
