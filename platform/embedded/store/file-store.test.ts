// Roots, links and pipes; what changed on disk.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ignoresFile } from '../../../core/config/index.ts'
import { EmbeddedFileStore } from './file-store.ts'
import { PayloadStore } from './payload-store.ts'

describe('EmbeddedFileStore', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'brine-files-'))
    for (const name of ['one', 'one/web', 'two', 'outside', 'one-beside']) mkdirSync(join(directory, name))
    write('one/top.sls', 'one')
    write('one/web/init.sls', 'web')
    write('two/top.sls', 'two')
    write('two/only.sls', 'only')
    write('outside/secret', 'secret')
    write('one-beside/secret', 'secret')
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  function write(path: string, text: string): void {
    writeFileSync(join(directory, path), text)
  }

  function store(...roots: string[]): EmbeddedFileStore {
    const payloads = new PayloadStore(join(directory, 'payloads'), 60)
    return new EmbeddedFileStore({ base: roots.map((root) => join(directory, root)) }, payloads)
  }

  async function read(files: EmbeddedFileStore, path: string): Promise<string | undefined> {
    const bytes = await files.read('base', path)
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
  }

  const paths = async (files: EmbeddedFileStore): Promise<string[]> =>
    (await files.list('base')).map(({ path }) => path)

  it('takes a path from the first root that has it', async () => {
    const files = store('one', 'two')
    expect(await read(files, 'top.sls')).toBe('one')
    expect(await read(files, 'only.sls')).toBe('only')
    expect(await paths(files)).toEqual(['only.sls', 'top.sls', 'web/init.sls'])
    expect((await files.list('base'))[1]?.hash).toBe((await store('one').list('base'))[0]?.hash)
  })

  it('neither lists nor reads what is ignored, and takes it from the next root', async () => {
    write('two/web-two', 'x')
    const payloads = new PayloadStore(join(directory, 'payloads'), 60)
    const ignores = ignoresFile({ file_ignore_regex: ['/one/top', '^web$'], file_ignore_glob: ['web/*'] })
    const roots = { base: [join(directory, 'one'), join(directory, 'two')] }
    const files = new EmbeddedFileStore(roots, payloads, ignores)
    expect(await paths(files)).toEqual(['only.sls', 'top.sls', 'web-two'])
    expect(await read(files, 'top.sls')).toBe('two')
    expect(await files.find('base', 'top.sls')).toMatchObject({ size: 3 })
    for (const path of ['web/init.sls', 'web']) {
      expect(await read(files, path), path).toBeUndefined()
      expect(await files.find('base', path), path).toBeUndefined()
    }
    expect(await files.tree('base')).toEqual({ directories: [], empty: [], links: {} })
  })

  it('tells the mode of each file, that of what a link leads to', async () => {
    chmodSync(join(directory, 'one/top.sls'), 0o4751)
    chmodSync(join(directory, 'one/web/init.sls'), 0o600)
    symlinkSync('top.sls', join(directory, 'one/alias.sls'))
    const modes = (await store('one').list('base')).map(({ path, mode }) => [path, mode])
    expect(modes).toEqual([
      ['alias.sls', '4751'],
      ['top.sls', '4751'],
      ['web/init.sls', '0600'],
    ])
  })

  it('follows links within the root and nowhere else', async () => {
    symlinkSync('top.sls', join(directory, 'one/alias.sls'))
    symlinkSync('web', join(directory, 'one/site'))
    symlinkSync('..', join(directory, 'one/web/loop'))
    symlinkSync(join(directory, 'outside/secret'), join(directory, 'one/leak'))
    symlinkSync(join(directory, 'outside'), join(directory, 'one/leaks'))
    symlinkSync('../one-beside', join(directory, 'one/beside'))
    symlinkSync('nowhere', join(directory, 'one/dangling'))
    const files = store('one')
    expect(await read(files, 'alias.sls')).toBe('one')
    expect(await read(files, 'site/init.sls')).toBe('web')
    for (const path of ['leak', 'leaks/secret', 'beside/secret', 'dangling', 'web/loop']) {
      expect(await read(files, path), path).toBeUndefined()
    }
    expect(await paths(files)).toEqual(expect.arrayContaining(['alias.sls', 'top.sls']))
    expect((await paths(files)).filter((path) => /leak|beside|dangling|loop/.test(path))).toEqual([])
  })

  it('works below a root that is itself a link', async () => {
    symlinkSync('one', join(directory, 'link'))
    expect(await read(store('link'), 'web/init.sls')).toBe('web')
    expect(await paths(store('link'))).toEqual(['top.sls', 'web/init.sls'])
  })

  it('reads no pipes', async () => {
    execFileSync('mkfifo', [join(directory, 'one/pipe')])
    expect(await read(store('one'), 'pipe')).toBeUndefined()
    expect(await paths(store('one'))).not.toContain('pipe')
  })

  it('sees a file that changed, with the same size too', async () => {
    const files = store('one')
    const hash = async (): Promise<string | undefined> =>
      (await files.list('base')).find(({ path }) => path === 'top.sls')?.hash
    const before = await hash()
    expect(await hash()).toBe(before)
    write('one/top.sls', 'ONE')
    utimesSync(join(directory, 'one/top.sls'), 1, 1)
    const after = await hash()
    expect(after).not.toBe(before)
    rmSync(join(directory, 'one/top.sls'))
    expect(await hash()).toBeUndefined()
  })
})
