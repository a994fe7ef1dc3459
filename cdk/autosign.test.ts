// What is deployed of the files by which keys are accepted, and what is not.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { autosignOf } from './autosign.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brine-autosign-'))
  mkdirSync(join(folder, 'grains'))
  write('accept', 'web*\n')
  write('reject', 'web13\n')
  write('grains/uuid', '38a1ba42-5ab2-4b45-8e2f-b8b6c6b07b0a\n')
  write('grains/.uuid.swp', 'x')
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text)
  chmodSync(join(folder, path), 0o644)
}

const settings = () => ({
  autosign_file: join(folder, 'accept'),
  autoreject_file: join(folder, 'reject'),
  autosign_grains_dir: join(folder, 'grains'),
})

it('brings the files that the settings name', () => {
  expect(Object.fromEntries(autosignOf(settings()))).toEqual({
    autosign_file: 'web*\n',
    autoreject_file: 'web13\n',
    'grains/uuid': '38a1ba42-5ab2-4b45-8e2f-b8b6c6b07b0a\n',
  })
  expect(autosignOf({ timeout: 5 }).size).toBe(0)
})

it('refuses what others may write, what is not there, and what can be guessed', () => {
  chmodSync(join(folder, 'reject'), 0o664)
  expect(() => autosignOf(settings())).toThrow('may be written by others')
  chmodSync(join(folder, 'reject'), 0o644)
  expect(() => autosignOf({ autosign_file: join(folder, 'none') })).toThrow('cannot be read: ENOENT')
  expect(() => autosignOf({ autosign_grains_dir: join(folder, 'none') })).toThrow('cannot be read: ENOENT')
  write('grains/uuid', 'web\n')
  expect(() => autosignOf(settings())).toThrow('accepts nobody')
})
