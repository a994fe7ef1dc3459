// What a master whose configuration says `id` is called: that, without `_master`, as Salt's.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLab, type Lab } from '../system/lab.ts'

let lab: Lab
beforeAll(async () => {
  lab = await createLab({ master: 'id: chosen\n' })
  lab.write('srv/salt/who.sls', "who:\n  test.nop:\n    - name: '{{ opts.id }} {{ grains.id }}'\n")
  await lab.startMaster()
}, 60_000)
afterAll(() => lab.close())

it('tells it, and has the results of orchestrations and templates below it', async () => {
  const run = async (...args: readonly string[]) => (await lab.run('brine-run', [...args])).stdout
  expect(await run('config.get', 'id')).toBe('chosen\n')
  const text = await run('state.orchestrate', 'who')
  expect(text).toMatch(/^chosen:\n/)
  expect(text).toContain('Name: chosen chosen\n')
  expect(await run('salt.cmd', 'grains.get', 'id')).toBe('chosen\n')
})
