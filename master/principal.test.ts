// The tag table: who may fire what.
import { expect, test } from 'vitest'
import { firingRefusal } from './principal.ts'

const web01 = { kind: 'minion', id: 'web01', epoch: 1 } as const

test.each([
  'instar/custom/event',
  'tag',
  'minion_start',
  'salt/minion/web01/start',
  'salt/beacon/web01/inotify//etc/important_file',
  'salt/job/20261121052717505002/prog/web01/0',
  'salt/state_result/20261121052717505002/web01/name',
  'brine/minion/web01/dropped',
])('a minion may fire %s', (tag) => {
  expect(firingRefusal(web01, tag)).toBeUndefined()
})

test.each([
  'salt/auth',
  'salt/key',
  'salt/minion/web02/start',
  'salt/minion/web011/start',
  'salt/beacon/db1/load/',
  'salt/job/20261121052717505002/ret/web01',
  'salt/job/20261121052717505002/ret/db1',
  'salt/job/20261121052717505002/new',
  'salt/job/20261121052717505002/prog/web011/0',
  'salt/job/20261121052717505002/prog/db1/web01/',
  'salt/run/20261121052717505002/new',
  'salt/cloud/x/created',
  'salt/presence/change',
  'salt/reactors/manage/add',
  'salt/netapi/hook/x',
  'salt',
  'brine/reactor/error',
  'brine/minion/db1/dropped',
  'minion/refresh/db1',
  'minion/refresh/web01',
  'key',
  '20261121052717505002',
])('a minion may not fire %s', (tag) => {
  expect(firingRefusal(web01, tag)).toContain(tag)
})

test('the local principal may fire anything, nobody nothing', () => {
  expect(firingRefusal({ kind: 'local', user: 'root' }, 'salt/auth')).toBeUndefined()
  expect(firingRefusal({ kind: 'anonymous' }, 'x')).toContain('token')
})
