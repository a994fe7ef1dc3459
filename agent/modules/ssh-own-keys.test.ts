// Private keys as ssh-keygen makes them: which are kept under a passphrase.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'

let minion: FakeMinion
let directory: string
beforeAll(async () => {
  minion = await fakeMinion()
  directory = await mkdtemp(join(tmpdir(), 'brine-keys-'))
})
afterAll(async () => {
  await minion.close()
  await rm(directory, { recursive: true })
})

const hasProgram = (() => {
  try {
    execFileSync('ssh-keygen', ['-?'], { stdio: 'ignore' })
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
})()

it.runIf(hasProgram).each([
  ['', [], false],
  ['secret', [], true],
  ['', ['-m', 'PEM'], false],
  ['secret', ['-m', 'PEM'], true],
])('a key with the passphrase %j, %j', async (passphrase, more, expected) => {
  const path = join(directory, `key${passphrase}${more.join('')}`)
  const kind = more.length === 0 ? ['-t', 'ed25519'] : ['-t', 'rsa', '-b', '2048']
  execFileSync('ssh-keygen', ['-q', ...kind, ...more, '-N', passphrase, '-f', path])
  expect(await minion.run('ssh.key_is_encrypted', [path])).toBe(expected)
})

it.runIf(hasProgram)('a host is no longer known', async () => {
  const config = join(directory, 'known_hosts')
  const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'
  const kwarg = { name: 'web1', key, enc: 'ssh-ed25519', config }
  expect(await minion.state('ssh_known_hosts.present', kwarg)).toMatchObject({ result: true })
  expect(await minion.state('ssh_known_hosts.present', kwarg)).toMatchObject({ changes: {}, result: true })
  const gone = await minion.state('ssh_known_hosts.absent', { name: 'web1', config })
  expect(gone).toMatchObject({ result: true, changes: { old: [{ key, enc: 'ssh-ed25519' }], new: null } })
  expect(await minion.run('ssh.get_known_host_entries', [null, 'web1', config])).toBe(null)
})
