// A container's user: a number without an account, a home or anything else in its environment.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureBuilt, programPath } from './built.ts'
import { runProgram } from './process.ts'

const user = 4_000_000
const isRoot = process.getuid?.() === 0
if (!isRoot) console.log('no account: only root can become another user; 2 tests skipped')

describe.skipIf(!isRoot)('a user without an account', () => {
  let folder: string
  beforeAll(async () => {
    await ensureBuilt()
    folder = mkdtempSync(join(tmpdir(), 'brine-no-account-'))
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'own'))
    chownSync(join(folder, 'own'), user, user)
    const places = ['pki_dir', 'cachedir', 'data_dir', 'sock_dir', 'log_file']
    writeFileSync(
      join(folder, 'minion'),
      `id: web1\nfile_client: local\n${places.map((key) => `${key}: ${folder}/own/${key}\n`).join('')}`,
    )
  }, 180_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  const call = (...words: string[]) => {
    const program = [process.execPath, programPath('brine-call'), '-c', folder, '--local', '--out', 'json', ...words]
    const path = process.env.PATH ?? '/usr/bin:/bin'
    const become = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
    return runProgram('env', ['-i', `PATH=${path}`, ...become, ...program], { cwd: '/' })
  }

  it('runs commands, at the root', async () => {
    expect(await call('cmd.run', 'pwd')).toMatchObject({ exit: 0, stderr: '', stdout: '{\n    "local": "/"\n}\n' })
  })

  it('owns what it makes', async () => {
    const name = join(folder, 'own/link')
    const { exit, stdout, stderr } = await call('state.single', 'file.symlink', `name=${name}`, 'target=/x')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(stdout).toContain(`Created new symlink ${name} -> /x`)
  })
})
