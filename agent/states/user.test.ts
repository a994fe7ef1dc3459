// Users and groups: real ones, made and removed again; and grains.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mapping } from '../../core/value/index.ts'
import { machineAlone } from '../../test/system/machine.ts'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'

let minion: FakeMinion
let home: string
const name = `brinetest${process.pid % 10_000}`
const group = `${name}g`

let leave = (): void => undefined
afterAll(() => leave())
beforeAll(async () => {
  if (mayChange) leave = await machineAlone()
  minion = await fakeMinion('grains: {roles: [web, db], cheese: edam, tree: {leaf: 1}}')
  home = join(minion.fake.root, 'home')
}, 600_000)

const mayChange = process.getuid?.() === 0 && existsSync('/usr/sbin/useradd')
if (!mayChange) process.stderr.write('5 tests of real users are left out: not root, or no useradd\n')

afterAll(async () => {
  if (mayChange) {
    await minion.run('user.delete', [name])
    for (const one of [group, name]) await minion.run('group.delete', [one])
    await rm(home, { recursive: true, force: true })
  }
  await minion.close()
})

describe.runIf(mayChange).sequential('a real user', { timeout: 180_000 }, () => {
  it('is in a group that is made first', async () => {
    expect(await minion.state('group.present', { name: group, test: true })).toMatchObject({
      result: null,
      comment: `Group ${group} set to be added`,
    })
    expect(await minion.state('group.present', { name: group })).toEqual({
      name: group,
      result: true,
      changes: { name: group, passwd: 'x', gid: expect.any(Number), members: [] },
      comment: `New group ${group} created`,
    })
    expect(await minion.state('group.present', { name: group })).toMatchObject({
      result: true,
      changes: {},
      comment: `Group ${group} is present and up to date`,
    })
    expect(await minion.state('user.present', { name, groups: ['no-such-group'] })).toMatchObject({
      result: false,
      comment: 'The following group(s) are not present: no-such-group',
    })
    expect(await minion.state('user.present', { name, test: true })).toMatchObject({
      result: null,
      comment: `User ${name} set to be added`,
    })
    expect(
      await minion.state('user.present', { name, home, shell: '/bin/sh', fullname: 'A B', groups: [group] }),
    ).toEqual({
      name,
      result: true,
      comment: `New user ${name} created`,
      changes: {
        name,
        uid: expect.any(Number),
        gid: expect.any(Number),
        groups: [name, group],
        home,
        passwd: 'x',
        shell: '/bin/sh',
        fullname: 'A B',
        roomnumber: '',
        workphone: '',
        homephone: '',
        other: '',
      },
    })
    expect(existsSync(home)).toBe(true)
  })

  it('stays as it is, and is changed in what differs', async () => {
    const kept = { name, home, shell: '/bin/sh', fullname: 'A B', groups: [group] }
    expect(await minion.state('user.present', kept)).toMatchObject({
      result: true,
      changes: {},
      comment: `User ${name} is present and up to date`,
    })
    const changed = { ...kept, shell: '/bin/bash', workphone: '123', groups: [] }
    expect(await minion.state('user.present', { ...changed, test: true })).toMatchObject({
      result: null,
      comment: 'The following user attributes are set to be changed:\ngroups: []\nshell: /bin/bash\nworkphone: 123\n',
    })
    expect(await minion.state('user.present', changed)).toMatchObject({
      result: true,
      changes: { shell: '/bin/bash', workphone: '123', groups: [name] },
      comment: `Updated user ${name}`,
    })
    expect(await minion.state('user.present', { name, uid: 60123 })).toMatchObject({
      result: false,
      comment: expect.stringContaining('not permitted, set allow_uid_change to True to force this change'),
    })
  })

  it('has a password that nobody is told', async () => {
    const password = '$6$abc$notarealhash'
    const made = await minion.state('user.present', { name, password, maxdays: 90 })
    expect(made).toMatchObject({ result: true, changes: { passwd: 'XXX-REDACTED-XXX', max: 90 } })
    expect(JSON.stringify(made)).not.toContain('notarealhash')
    expect(await minion.run('shadow.info', [name])).toMatchObject({ passwd: password, max: 90 })
  })

  it('is put into a group and taken out', async () => {
    expect(await minion.state('group.present', { name: group, addusers: [name] })).toEqual({
      name: group,
      result: true,
      changes: { Final: 'All changes applied successfully' },
      comment: `The following group attributes are set to be changed:\naddusers: ['${name}']\n`,
    })
    expect(await minion.run('user.list_groups', [name])).toEqual([name, group])
    expect(await minion.state('group.present', { name: group, members: [] })).toMatchObject({ result: true })
    expect(await minion.run('group.info', [group])).toMatchObject({ members: [] })
  })

  it('is removed', async () => {
    expect(await minion.state('user.absent', { name })).toEqual({
      name,
      result: true,
      changes: { [name]: 'removed', [`${name} group`]: 'removed' },
      comment: `Removed user ${name}`,
    })
    expect(await minion.state('user.absent', { name })).toMatchObject({
      result: true,
      comment: `User ${name} is not present`,
    })
    expect(await minion.state('group.absent', { name: group })).toEqual({
      name: group,
      result: true,
      changes: { [group]: '' },
      comment: `Removed group ${group}`,
    })
    expect(await minion.state('group.absent', { name: group })).toMatchObject({ comment: 'Group not present' })
  })
})

// In order: they build on each other. What Salt answers to the same.
describe.sequential('grains', () => {
  it.each([
    ['exists', { name: 'cheese' }, true, 'Grain exists', {}],
    ['exists', { name: 'nosuch' }, false, 'Grain does not exist', {}],
    ['present', { name: 'cheese', value: 'edam' }, true, 'Grain is already set', {}],
    [
      'present',
      { name: 'cheese', value: 'brie', test: true },
      null,
      'Grain cheese is set to be changed',
      { changed: { cheese: 'brie' } },
    ],
    ['present', { name: 'cheese', value: 'brie' }, true, 'Set grain cheese to brie', { cheese: 'brie' }],
    ['present', { name: 'tree:leaf', value: 2 }, true, 'Set grain tree:leaf to 2', { tree: { leaf: 2 } }],
    ['present', { name: 'fresh', value: 1, test: true }, null, 'Grain fresh is set to be added', { new: 'fresh' }],
    ['list_present', { name: 'roles', value: 'web' }, true, 'Value web is already in grain roles', {}],
    [
      'list_present',
      { name: 'roles', value: 'mail' },
      true,
      'Append value mail to grain roles',
      { new: { roles: ['web', 'db', 'mail'] } },
    ],
    ['list_absent', { name: 'roles', value: 'db' }, true, 'Value db was deleted from grain roles', { deleted: ['db'] }],
    ['list_absent', { name: 'roles', value: 'db' }, true, 'Value db is absent from grain roles', {}],
    ['list_absent', { name: 'cheese', value: 'db' }, false, 'Grain cheese is not a valid list', {}],
    ['append', { name: 'roles', value: 'x' }, true, 'Value x was added to grain roles', { added: 'x' }],
    ['append', { name: 'cheese', value: 'x' }, false, 'Grain cheese is not a valid list', {}],
    ['append', { name: 'nosuch', value: 'x' }, false, 'Grain nosuch does not exist', {}],
    ['absent', { name: 'cheese' }, true, 'Value for grain cheese was set to None', { grain: 'cheese', value: null }],
    ['absent', { name: 'cheese', destructive: true }, true, 'Grain cheese was deleted', { deleted: 'cheese' }],
    ['absent', { name: 'nosuch' }, true, 'Grain nosuch does not exist', {}],
  ] as const)('%s %j', async (fun, kwargs, result, comment, changes) => {
    expect(await minion.state(`grains.${fun}`, kwargs as unknown as Mapping)).toEqual({
      name: kwargs.name,
      result,
      comment,
      changes,
    })
  })
})
