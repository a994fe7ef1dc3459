// The master's own id, as Salt's `master_config` makes it: what `salt-run config.get id` tells.
import { expect, it } from 'vitest'
import { masterMinionId } from './master-minion-id.ts'

it.each([
  ['', 'vm', 'vm_master'],
  ['chosen', 'vm', 'chosen'],
  ['vm_master', 'vm', 'vm_master'],
])('chosen %j, on %s: %s', (chosen, name, id) => {
  expect(masterMinionId(chosen, name)).toBe(id)
})
