// HTTPS: the certificate a master makes itself, what agents and the library believe, and what they refuse.
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../client/index.ts'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'

let lab: Lab
let port: number
beforeAll(async () => {
  lab = await createLab({ tls: true, master: 'auto_accept: True\n' })
  await lab.startMaster()
  port = Number(/port: (\d+)/.exec(readFileSync(join(lab.etc, 'master'), 'utf8'))?.[1])
}, 180_000)
afterAll(() => lab.close())

const certificate = () => join(lab.root, 'run/master/pki/tls.crt')

/** As `curl -k` asks. */
function ask(path: string): Promise<{ status: number; finger: string; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, rejectUnauthorized: false }, (response) => {
      const socket = response.socket as import('node:tls').TLSSocket
      const finger = socket.getPeerX509Certificate()?.fingerprint256 ?? ''
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, finger, text }))
    })
    asked.once('error', reject)
    asked.end()
  })
}

test('the API answers over HTTPS, and the same certificate after a restart', async () => {
  const first = await ask('/')
  expect([first.status, JSON.parse(first.text)]).toMatchObject([200, { return: 'Welcome' }])
  await lab.stopMaster()
  await lab.startMaster()
  expect((await ask('/')).finger).toBe(first.finger)
})

test('a minion that pins the certificate joins and runs jobs, its doorbell included', async () => {
  lab.startMinion('pins')
  await lab.waitForEvent({ tag: 'salt/minion/pins/start' })
  const { stdout } = await lab.run('brine', ['--out=json', '--static', 'pins', 'test.ping'])
  expect(JSON.parse(stdout)).toEqual({ pins: true })
})

test.each([
  ['another certificate', 'ab:'.repeat(32).slice(0, -1), 'another is pinned'],
  ['none', '', 'no authority vouches'],
])('a minion that pins %s sends nothing and says what to do', async (what, finger, said) => {
  const minion = lab.startMinion(`pins-${what.split(' ')[0]}`, '', { BRINE_MASTER_TLS_FINGER: finger })
  const log = await waitFor('the refusal', () => (minion.stderr().includes(said) ? minion.stderr() : undefined))
  expect(log).toContain('master_tls_finger')
  expect(lab.events.some(({ tag, data }) => tag === 'salt/auth' && JSON.stringify(data).includes('pins-'))).toBe(false)
})

test("the library believes the file of this machine's master, and nothing without it", async () => {
  const url = `https://127.0.0.1:${port}`
  const known = connect({ kind: 'url', url, certificateFile: certificate(), token: 'x' })
  await expect(known.status()).rejects.toMatchObject({ code: 'token' })
  const stranger = connect({ kind: 'url', url, token: 'x' })
  await expect(stranger.status()).rejects.toMatchObject({ code: 'unreachable' })
  known.close()
  stranger.close()
})

test('plain HTTP is for loopback alone', async () => {
  const other = await createLab({ follow: false, master: 'interface: 0.0.0.0\n' })
  try {
    const ended = await other.run('brine-master', [])
    expect([ended.exit, ended.stderr]).toEqual([1, expect.stringContaining('Plain HTTP is for loopback alone')])
  } finally {
    await other.close()
  }
})
