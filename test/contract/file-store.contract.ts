// What every file store must do. Its subjects hold the files of `storedFiles` below.
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { FileStore } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

/** What a subject's roots hold: text by path, by saltenv. */
export const storedFiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  base: { 'top.sls': 'base:\n', 'web/init.sls': 'nginx:\n', 'web/files/ü.conf': 'x' },
  dev: { 'top.sls': 'dev:\n' },
}

const bytes = new TextEncoder().encode('a payload')
const hash = createHash('sha256').update(bytes).digest('hex')

const cases: Cases<FileStore> = {
  'names its saltenvs': async ({ port: files }) => {
    expect((await files.envs()).sort()).toEqual(['base', 'dev'])
  },

  'lists each file with hash and size': async ({ port: files }) => {
    for (const [saltenv, expected] of Object.entries(storedFiles)) {
      const listed = (await files.list(saltenv)).map(({ mode, ...file }) => file)
      expect(listed).toEqual(
        Object.entries(expected)
          .map(([path, text]) => ({ path, hash: sha256(text), size: Buffer.byteLength(text) }))
          .sort((a, b) => (a.path < b.path ? -1 : 1)),
      )
    }
    expect(await files.list('prod')).toEqual([])
  },

  'reads a file': async ({ port: files }) => {
    expect(text(await files.read('base', 'web/init.sls'))).toBe('nginx:\n')
    expect(text(await files.read('base', 'web/files/ü.conf'))).toBe('x')
    expect(text(await files.read('dev', 'top.sls'))).toBe('dev:\n')
    expect(await files.read('dev', 'web/init.sls')).toBeUndefined()
    expect(await files.read('prod', 'top.sls')).toBeUndefined()
  },

  'finds a file as it lists it': async ({ port: files }) => {
    const [first] = await files.list('dev')
    expect(await files.find('dev', 'top.sls')).toEqual(first)
    for (const path of ['web/init.sls', '../base/top.sls', '__proto__', '']) {
      expect(await files.find('dev', path), path).toBeUndefined()
    }
  },

  'knows the directories that files lie in': async ({ port: files }) => {
    expect(await files.tree('base')).toEqual({ directories: ['web', 'web/files'], empty: [], links: {} })
    expect(await files.tree('prod')).toEqual({ directories: [], empty: [], links: {} })
  },

  'writes a file where its path leads, and nowhere else': async ({ port: files }) => {
    const at = async (path: string, saltenv = 'dev', root = 0): Promise<string> =>
      (await files.write(saltenv, path, new TextEncoder().encode(`at ${path}`), root)).kind
    expect(await at('new/deep/file.sls')).toBe('written')
    expect(await at('top.sls')).toBe('written')
    expect(text(await files.read('dev', 'new/deep/file.sls'))).toBe('at new/deep/file.sls')
    expect(text(await files.read('dev', 'top.sls'))).toBe('at top.sls')
    expect((await files.list('dev')).map(({ path, hash }) => [path, hash])).toEqual(
      ['new/deep/file.sls', 'top.sls'].map((path) => [path, sha256(`at ${path}`)]),
    )
    expect(text(await files.read('base', 'top.sls'))).toBe('base:\n')
    expect(await at('x.sls', 'prod')).toBe('no-environment')
    expect(await at('x.sls', '__proto__')).toBe('no-environment')
    // The pillar lies beside these files on AWS.
    expect(await at('x.sls', 'pillar:base')).toBe('no-environment')
    expect(await at('x.sls', 'dev', 7)).toBe('no-root')
    const wrong = [
      '',
      '.',
      '..',
      '/',
      '/etc/x',
      '../base/top.sls',
      'a/../../x',
      './x',
      'a//x',
      'a\\x',
      'x\0',
      'top.sls/x',
      'new',
    ]
    for (const path of wrong) expect(await at(path), JSON.stringify(path)).toBe('outside')
  },

  'reads a part of a file': async ({ port: files }) => {
    const part = async (offset: number, length: number) =>
      text(await files.read('base', 'web/init.sls', { offset, length }))
    expect(await part(0, 3)).toBe('ngi')
    expect(await part(3, 100)).toBe('nx:\n')
    expect(await files.read('base', 'nothing', { offset: 0, length: 3 })).toBeUndefined()
  },

  'reads nothing that is no path of a file': async ({ port: files }) => {
    const paths = ['', '.', '..', '/', '/etc/hostname', '../dev/top.sls', 'web/../top.sls', './top.sls', 'web', 'web/']
    for (const path of [...paths, 'web//init.sls', 'web\\init.sls', 'top.sls\0', 'top.sls/x', '__proto__']) {
      expect(await files.read('base', path), path).toBeUndefined()
    }
    expect(await files.read('__proto__', 'top.sls')).toBeUndefined()
    expect(await files.list('constructor')).toEqual([])
  },

  'keeps payloads by their hash': async ({ port, reopen }) => {
    await Promise.all([port.putPayload(hash, bytes), port.putPayload(hash, bytes)])
    await port.putPayload(hash, bytes)
    const files = await reopen()
    expect(text(await files.payload(hash))).toBe('a payload')
    expect(await files.payload(sha256('another'))).toBeUndefined()
  },

  'refuses a payload under a hash that is not its own': async ({ port: files }) => {
    await expect(files.putPayload(sha256('another'), bytes)).rejects.toMatchObject({ code: 'payload-hash' })
    expect(await files.payload(sha256('another'))).toBeUndefined()
    await expect(files.putPayload('../../x', bytes)).rejects.toMatchObject({ code: 'payload-hash' })
    expect(await files.payload('../../x')).toBeUndefined()
  },
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

function text(content: Uint8Array | undefined): string | undefined {
  return content === undefined ? undefined : new TextDecoder().decode(content)
}

/** The contract of {@link FileStore}. */
export function describeFileStoreContract(adapter: string, make: MakeSubject<FileStore>, skips?: Skips): void {
  describeContract<FileStore>('FileStore', adapter, cases, make, skips)
}
