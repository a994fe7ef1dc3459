// The store is backed up under a running master and restored by the next: keys, events and jobs are as they were.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLab, type Lab } from './lab.ts'

let lab: Lab
beforeAll(async () => {
  lab = await createLab({ master: 'auto_accept: True\n' })
  await lab.startMaster()
}, 180_000)
afterAll(() => lab.close())

test('store.backup and brine-master --restore', async () => {
  lab.startMinion('web1')
  await lab.waitForEvent({ tag: 'salt/minion/web1/start' })
  expect((await lab.run('brine', ['web1', 'test.ping'])).exit).toBe(0)
  const file = join(lab.root, 'monday.tar.gz')
  const backup = await lab.run('brine-run', ['store.backup', file])
  expect(backup).toMatchObject({ exit: 0, stdout: expect.stringContaining(file) })

  const busy = await lab.run('brine-master', ['--restore', file])
  expect(busy.exit).toBe(1)
  expect(busy.stderr).toMatch(/process|running/)

  await lab.run('brine-key', ['-y', '-d', 'web1'])
  await lab.stopMinion('web1')
  await lab.stopMaster()
  const restored = await lab.run('brine-master', ['--restore', file])
  expect(restored).toMatchObject({ exit: 0, stderr: expect.stringContaining('Start the master as usual.') })

  await lab.startMaster()
  expect((await lab.run('brine-key', ['-L'])).stdout).toContain('web1')
  lab.startMinion('web1')
  await lab.waitForEvent({ tag: 'salt/minion/web1/start', from: lab.mark() })
  expect((await lab.run('brine', ['web1', 'test.ping'])).stdout).toContain('True')
  expect((await lab.run('brine-run', ['jobs.list_jobs'])).stdout).toContain('test.ping')
}, 180_000)

test('a return that is too large for its record is in the back-up, for its job and its event', async () => {
  const { jid } = await lab.connection().publish({ tgt: 'web1', fun: 'cmd.run', arg: ['seq 1 80000; printf %s ü'] })
  const text = `${Array.from({ length: 80_000 }, (_, n) => n + 1).join('\n')}\nü`
  const told = { tag: `salt/job/${jid}/ret/web1`, has: { return: text } }
  await lab.waitForEvent(told)
  const returned = await lab.connection().job(jid)
  const file = join(lab.root, 'tuesday.tar.gz')
  expect((await lab.run('brine-run', ['store.backup', file])).exit).toBe(0)

  await lab.stopMinion('web1')
  await lab.stopMaster()
  rmSync(join(lab.root, 'run/master/data'), { recursive: true })
  expect((await lab.run('brine-master', ['--restore', file])).exit).toBe(0)
  const from = lab.mark()
  await lab.startMaster()
  // Whoever followed the store that is gone gets all events of this one.
  await lab.waitForEvent({ ...told, from })
  expect(await lab.connection().job(jid)).toEqual(returned)
  const looked = await lab.run('brine-run', ['--out=json', 'jobs.lookup_jid', jid])
  expect(JSON.parse(looked.stdout)).toEqual({ web1: text })
}, 180_000)
