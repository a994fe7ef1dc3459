// Minions that are accepted and rejected by files of the master's: names, and grains that only they can tell.
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLab, type Lab } from './lab.ts'

const uuid = '38a1ba42-5ab2-4b45-8e2f-b8b6c6b07b0a'

let lab: Lab
beforeAll(async () => {
  lab = await createLab({
    master: `autosign_file: @LAB@/etc/accept
autoreject_file: @LAB@/etc/reject
autosign_grains_dir: @LAB@/etc/autosign
`,
  })
  write('etc/accept', '# of this lab\nauto*\n')
  write('etc/reject', 'evil\\d\nautobad\n')
  write('etc/autosign/machine', `${uuid}\n`)
  write('etc/autosign/role', 'web\n')
  await lab.startMaster()
}, 60_000)
afterAll(() => lab.close())

function write(path: string, text: string): void {
  chmodSync(lab.write(path, text), 0o644)
}

/** What `salt/auth` said of an id, as Salt's masters say it. */
const acts = (id: string): unknown[] =>
  lab.events
    .filter(({ tag, data }) => tag === 'salt/auth' && Reflect.get(data, 'id') === id)
    .map(({ data }) => [Reflect.get(data, 'act'), Reflect.get(data, 'result')])

const auth = (id: string, act: string) => lab.waitForEvent({ tag: 'salt/auth', has: { id, act } })

test('a name of autosign_file is accepted at once', async () => {
  lab.startMinion('auto1')
  await lab.waitForEvent({ tag: 'salt/minion/auto1/start' })
  expect(new Set(acts('auto1').map(String))).toEqual(new Set(['accept,true']))
})

test('a name of autoreject_file is rejected, though autosign_file has it too', async () => {
  lab.startMinion('autobad')
  lab.startMinion('evil1')
  await Promise.all([auth('autobad', 'reject'), auth('evil1', 'reject')])
  expect([acts('autobad')[0], acts('evil1')[0]]).toEqual([
    ['reject', false],
    ['reject', false],
  ])
})

test('who tells all grains is accepted, as the grains of the machine are collected', async () => {
  lab.startMinion('told', `autosign_grains: [machine, role]\ngrains: {machine: ${uuid}, role: web}\n`)
  await lab.waitForEvent({ tag: 'salt/minion/told/start' })
  expect(acts('told')[0]).toEqual(['accept', true])
  const call = await lab.run('brine-call', ['--out=json', 'test.echo', 'x'], { env: lab.minionEnv('told') })
  expect([call.exit, JSON.parse(call.stdout)]).toEqual([0, { local: 'x' }])
})

test.each([
  ['half', `autosign_grains: [role]\ngrains: {role: web}\n`],
  ['other', `autosign_grains: [machine, role]\ngrains: {machine: ${uuid.replace('3', '4')}, role: web}\n`],
  ['silent', `grains: {machine: ${uuid}, role: web}\n`],
])('who tells %s waits', async (id, config) => {
  lab.startMinion(id, config)
  await auth(id, 'pend')
  expect(acts(id)).toEqual([['pend', true]])
})

test('what is told is in no log', () => {
  for (const log of ['logs/master.log', 'logs/told.log'])
    expect(readFileSync(join(lab.root, log), 'utf8')).not.toContain(uuid)
})
