// The files on disk: read anew each time, and not believed where others may write them.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { autosignFiles } from './autosign-files.ts'

let folder: string
let said: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brine-autosign-'))
  said = []
  mkdirSync(join(folder, 'grains'))
  write('accept', '# all of them\n\n web* \n')
  write('reject', 'evil\n')
  write('grains/uuid', '38a1ba42-5ab2-4b45-8e2f-b8b6c6b07b0a\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string, mode = 0o644): void {
  writeFileSync(join(folder, path), text)
  chmodSync(join(folder, path), mode)
}

const reader = (more: { permissive_pki_access?: boolean } = {}) =>
  autosignFiles(
    {
      autosign_file: join(folder, 'accept'),
      autoreject_file: join(folder, 'reject'),
      autosign_grains_dir: join(folder, 'grains'),
      permissive_pki_access: false,
      ...more,
    },
    { warn: (message) => void said.push(message) },
  )

const uuid = ['38a1ba42-5ab2-4b45-8e2f-b8b6c6b07b0a']

it('reads what is there now', async () => {
  const read = reader()
  expect(await read()).toEqual({ accept: ['web*'], reject: ['evil'], grains: { uuid } })
  write('accept', 'db1\n')
  write('grains/.role.swp', 'web\n')
  write('grains/role', 'web\n')
  rmSync(join(folder, 'reject'))
  expect(await read()).toEqual({ accept: ['db1'], reject: [], grains: { uuid, role: ['web'] } })
  expect(said).toEqual([`There is no ${folder}/reject.`])
})

it.each([0o646, 0o664])('believes no file of mode %o', async (mode) => {
  const read = reader()
  write('accept', 'web*\n', mode)
  expect(await read()).toEqual({ accept: [], reject: ['evil'], grains: { uuid } })
  expect(await read()).toMatchObject({ accept: [] })
  expect(said).toEqual([expect.stringContaining(`Wrong permissions for ${folder}/accept, ignoring content`)])
})

it('lets the group write with permissive_pki_access, and never others', async () => {
  write('accept', 'web*\n', 0o664)
  expect(await reader({ permissive_pki_access: true })()).toMatchObject({ accept: ['web*'] })
  write('accept', 'web*\n', 0o666)
  expect(await reader({ permissive_pki_access: true })()).toMatchObject({ accept: [] })
})

it('accepts by no file where it cannot tell whom it rejects', async () => {
  write('reject', 'evil\n', 0o666)
  expect(await reader()()).toEqual({ accept: [], reject: [], grains: {} })
})

it('accepts by no grain where one of them is not believed', async () => {
  write('grains/role', 'web\n', 0o666)
  expect(await reader()()).toEqual({ accept: ['web*'], reject: ['evil'], grains: {} })
})

it('says where all that is asked for can be guessed', async () => {
  write('grains/uuid', 'web\n')
  await reader()()
  expect(said).toEqual([expect.stringContaining('autosign_grains_dir accepts nobody')])
})
