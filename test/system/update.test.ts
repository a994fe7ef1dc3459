// saltutil.update, with real processes under a supervisor: a newer agent takes its place, a bad one is taken back.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programPath, ROOT } from './built.ts'
import { createLab, type Lab } from './lab.ts'
import { type Background, startProgram } from './process.ts'

/** What systemd does with Restart=on-failure; how long a trial lasts stands in a file. */
const SUPERVISE = `trap 'kill $agent; exit 0' TERM
while :; do
  BRINE_UPDATE_TRIAL=$(cat "$TRIAL") sh "$LAUNCHER" & agent=$!
  wait $agent && exit 0
  sleep 0.1
done`

let lab: Lab
let supervisor: Background

beforeAll(async () => {
  lab = await createLab({ master: 'auto_accept: True\n' })
  await lab.startMaster()
  // Its configuration is written by its first start.
  const first = lab.startMinion('web1')
  await lab.waitForEvent({ tag: 'salt/minion/web1/start' })
  await first.stop()
  const from = lab.mark()
  supervisor = startProgram('sh', ['-c', SUPERVISE], join(lab.root, 'logs/supervisor'), {
    env: {
      ...lab.minionEnv('web1'),
      LAUNCHER: join(ROOT, 'packaging/brine-minion.sh'),
      BRINE_NODE: process.execPath,
      BRINE_LIB: join(ROOT, 'dist'),
      BRINE_AGENT_DIR: join(lab.root, 'agent'),
      TRIAL: lab.write('trial', '120'),
    },
  })
  await lab.waitForEvent({ tag: 'salt/minion/web1/start', from })
}, 180_000)
afterAll(async () => {
  await supervisor.stop()
  await lab.close()
})

/** Offers a file as the newer agent, and has it installed. */
async function update(text: string, hash = createHash('sha256').update(text).digest('hex')) {
  lab.write('srv/salt/brine/brine-minion.mjs', text)
  const { stdout } = await lab.run('brine', ['--out=json', '--static', 'web1', 'saltutil.update', `hash=${hash}`])
  return stdout
}

const own = (): string => readFileSync(programPath('brine-minion'), 'utf8')
const installed = (): string => readFileSync(join(lab.root, 'agent/current.mjs'), 'utf8')
const newer = (): string => `${own()}\n// newer\n`

test('a file with another hash is not installed', async () => {
  expect(await update(newer(), 'f'.repeat(64))).toContain('its SHA-256 is')
  expect(existsSync(join(lab.root, 'agent/current.mjs'))).toBe(false)
}, 180_000)

test('a file that does not start is not installed', async () => {
  expect(await update('process.exit(3)\n')).toContain('it does not start')
  expect(existsSync(join(lab.root, 'agent/current.mjs'))).toBe(false)
}, 180_000)

test('a newer agent is started, and stays once it has reached the master', async () => {
  const from = lab.mark()
  expect(await update(newer())).toContain('The minion restarts.')
  await lab.waitForEvent({ tag: 'salt/minion/web1/start', from })
  await lab.waitForEvent({ tag: 'brine/minion/web1/updated', from })
  expect(installed()).toBe(newer())
  expect(existsSync(join(lab.root, 'agent/trial.json'))).toBe(false)
  expect((await lab.run('brine', ['web1', 'test.ping'])).stdout).toBe('web1:\n    True\n')
}, 180_000)

const version = "if (process.argv.includes('--version')) console.log('brine-minion 9.9.9')\n"
test.each([
  ['ends', `${version}else process.exit(3)\n`, 120],
  ['never reaches the master', `${version}else setInterval(() => undefined, 1000)\n`, 4],
])(
  'one that %s is taken back for the one before it',
  async (_, text, trial) => {
    const from = lab.mark()
    lab.write('trial', `${trial}`)
    expect(await update(text)).toContain('9.9.9')
    const failed = await lab.waitForEvent({ tag: 'brine/minion/web1/update-failed', from })
    expect(failed.data).toMatchObject({ data: { to: '9.9.9' } })
    expect(installed()).toBe(newer())
    expect((await lab.run('brine', ['web1', 'test.ping'])).stdout).toBe('web1:\n    True\n')
  },
  180_000,
)
