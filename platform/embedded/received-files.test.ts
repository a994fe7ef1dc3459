// Files that minions push: pieces in order, whole files alone, and each minion in its own folder.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createReceiveFile } from '../../master/receive-file.ts'
import { receivedFiles } from './received-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brine-received-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const receive = (most = 100) => createReceiveFile({ files: receivedFiles(folder), most })
const piece = (path: string, data: string, offset = 0, size = offset + data.length) => ({
  path: path.split('/'),
  offset,
  size,
  data: Buffer.from(data).toString('base64'),
})
const text = (path: string): string => readFileSync(join(folder, 'minions', path), 'utf8')

it('keeps a file whole, below the minion’s own folder', async () => {
  expect(await receive()('web1', piece('etc/app/x.conf', 'first'))).toEqual({ kind: 'kept' })
  expect(await receive()('db1', piece('etc/app/x.conf', 'other'))).toEqual({ kind: 'kept' })
  expect(await receive()('web1', piece('empty', ''))).toEqual({ kind: 'kept' })
  expect([text('web1/files/etc/app/x.conf'), text('db1/files/etc/app/x.conf'), text('web1/files/empty')]).toEqual([
    'first',
    'other',
    '',
  ])
})

it('shows the file before until all pieces are there, in their order', async () => {
  const take = receive()
  await take('web1', piece('x', 'old'))
  expect(await take('web1', piece('x', 'new ', 0, 8))).toEqual({ kind: 'kept' })
  expect(text('web1/files/x')).toBe('old')
  expect(await take('web1', piece('x', 'r', 7, 8))).toMatchObject({ code: 'offset' })
  expect(await take('web1', piece('x', 'one', 4, 8))).toEqual({ kind: 'kept' })
  expect(await take('web1', piece('x', '!', 7, 8))).toEqual({ kind: 'kept' })
  expect(text('web1/files/x')).toBe('new one!')
  expect(readdirSync(join(folder, 'minions/web1/receiving'))).toEqual([])
  // Begun anew.
  await take('web1', piece('x', 'abc', 0, 6))
  await take('web1', piece('x', 'ABC', 0, 6))
  await take('web1', piece('x', 'DEF', 3, 6))
  expect(text('web1/files/x')).toBe('ABCDEF')
})

it.each([
  ['..', 'path'],
  ['../db1/files/x', 'path'],
  ['a/../../x', 'path'],
  ['./x', 'path'],
  ['a\\b', 'path'],
  ['a\0', 'path'],
  [`${'a/'.repeat(500)}x`, 'path'],
  ['link/x', 'path'],
  ['there', 'path'],
  ['file/x', 'path'],
])('takes nothing for %j', async (path, code) => {
  mkdirSync(join(folder, 'minions/web1/files/there'), { recursive: true })
  mkdirSync(join(folder, 'outside'))
  symlinkSync(join(folder, 'outside'), join(folder, 'minions/web1/files/link'))
  writeFileSync(join(folder, 'minions/web1/files/file'), 'x')
  expect(await receive()('web1', piece(path, 'x'))).toMatchObject({ kind: 'refused', code })
  expect(readdirSync(join(folder, 'outside'))).toEqual([])
  expect(readdirSync(join(folder, 'minions'))).toEqual(['web1'])
})

it('takes no name with a slash in it', async () => {
  const request = { path: ['a/../../../x'], offset: 0, size: 1, data: 'eA==' }
  expect(await receive()('web1', request)).toMatchObject({ code: 'path' })
})

it('keeps to the sizes that were told', async () => {
  expect(await receive(3)('web1', piece('x', 'four'))).toMatchObject({ code: 'too-large' })
  expect(await receive(3)('web1', piece('x', 'f', 0, 4))).toMatchObject({ code: 'too-large' })
  expect(await receive()('web1', piece('x', 'four', 0, 3))).toMatchObject({ code: 'size' })
  expect(await receive()('web1', piece('x', '', 0, 3))).toMatchObject({ code: 'size' })
})

it('takes nothing where file_recv is not set', async () => {
  expect(await createReceiveFile(undefined)('web1', piece('x', 'x'))).toMatchObject({
    kind: 'refused',
    code: 'file-recv',
  })
})
