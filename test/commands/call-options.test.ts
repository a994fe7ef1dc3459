// brine-call's options do what their help says: files and pillar of other folders, modules, the file of the answer, the log.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callMain } from '../../cli/commands/call-main.ts'
import { captured } from './captured.ts'

let folder: string
const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brine-call-'))
  write(
    'etc/minion',
    `id: web1
file_client: local
root_dir: ${folder}
pki_dir: ${folder}/pki
cachedir: ${folder}/cache
data_dir: ${folder}/data
sock_dir: ${folder}/run
log_file: ${folder}/log/configured
grains: {role: web}
`,
  )
  write('states/there.sls', 'shown:\n  test.succeed_without_changes: []\n')
  write('pillar/top.sls', "base:\n  '*': [colours]\n")
  write('pillar/colours.sls', 'colour: teal\n')
  write('code/modules/mine.mjs', "export const hello = () => 'from modules'\n")
  write('more/_modules/mine.mjs', "export const hello = () => 'from _modules'\n")
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function call(...words: string[]): Promise<{ exit: number; out: string; err: string }> {
  const { io, stdout, stderr } = captured({ BRINE_CONFIG_DIR: join(folder, 'etc') })
  const exit = await callMain(['--local', ...words], io)
  return { exit, out: stdout(), err: stderr() }
}

it('takes states from --file-root and pillar from --pillar-root', async () => {
  expect((await call('state.sls', 'there')).out).toContain("No matching sls found for 'there' in env 'base'")
  const applied = await call('--file-root', join(folder, 'states'), 'state.sls', 'there')
  expect(applied).toMatchObject({ exit: 0, out: expect.stringContaining('Succeeded: 1') })
  expect(await call('--pillar-root', join(folder, 'pillar'), '--out=txt', 'pillar.get', 'colour')).toMatchObject({
    out: 'local: teal\n',
  })
})

it('loads modules from the folders of -m, the last named first', async () => {
  expect((await call('mine.hello')).exit).toBe(255)
  expect((await call('-m', join(folder, 'code'), '--out=txt', 'mine.hello')).out).toBe('local: from modules\n')
  const both = await call('-m', join(folder, 'code'), '-m', join(folder, 'more'), '--out=txt', 'mine.hello')
  expect(both.out).toBe('local: from _modules\n')
})

it('writes the answer to --out-file, and adds to it with --out-file-append', async () => {
  const file = join(folder, 'answer')
  expect(await call('--out-file', file, 'test.ping')).toEqual({ exit: 0, out: '', err: '' })
  expect(readFileSync(file, 'utf8')).toBe('local:\n    True\n')
  await call('--out-file', file, 'test.ping')
  await call('--out-file', file, '--out-file-append', '--out=txt', 'test.ping')
  expect(readFileSync(file, 'utf8')).toBe('local:\n    True\nlocal: True\n')
})

it('logs to --log-file from --log-file-level on', async () => {
  write('states/broken.sls', 'a: [')
  const logged = async (level: string): Promise<string> => {
    const file = join(folder, `log-${level}`)
    await call('-l', 'quiet', '--log-file', file, '--log-file-level', level, '--return=nosuch', 'test.ping')
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  expect(await logged('error')).toContain('There is no such returner')
  expect(await logged('quiet')).toBe('')
})

it('ends with 2 where no master answers within -t', async () => {
  const { io, stderr } = captured({ BRINE_CONFIG_DIR: join(folder, 'etc') })
  write(
    'remote/minion',
    readFileSync(join(folder, 'etc/minion'), 'utf8').replace('file_client: local', 'master: http://127.0.0.1:1'),
  )
  expect(await callMain(['-c', join(folder, 'remote'), '-t', '1', 'test.ping'], io)).toBe(2)
  expect(stderr()).toContain('http://127.0.0.1:1')
})

it('gathers no grains with --skip-grains', async () => {
  expect(JSON.parse((await call('--out=json', 'grains.items')).out).local).toMatchObject({ role: 'web', id: 'web1' })
  expect(JSON.parse((await call('--skip-grains', '--out=json', 'grains.items')).out)).toEqual({ local: {} })
})
