// Whose a new file is where nobody is named: root's minion may give it to anybody, everybody else keeps it.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type CallAgent, openCall } from '../../call.ts'
import { type FakeSetup, fakeSetup } from '../../fake-setup.ts'
import { primaryGroup } from '../../filesystem/owners.ts'
import { accountById } from '../../modules/users.ts'

let fake: FakeSetup
let agent: CallAgent
beforeEach(async () => {
  fake = await fakeSetup('', 'file_client: local')
  agent = await openCall(fake.setup, {}, fake.outside)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await agent.close()
  await fake.remove()
})

const isRoot = process.getuid?.() === 0
const nobody = (await accountById(65534))?.uid

it.skipIf(!isRoot || nobody === undefined)('is the one who runs the minion where that is not root', async () => {
  const name = join(fake.root, 'link')
  vi.spyOn(process, 'getuid').mockReturnValue(65534)
  const told = await agent.cmd('state.single', ['file.symlink'], { name, target: '/x' })
  expect(JSON.stringify(told)).toContain('"result":true')
  expect(lstatSync(name).uid).toBe(65534)
})

it('is in the group of who has no account', async () => {
  vi.spyOn(process, 'getuid').mockReturnValue(4_000_000)
  vi.spyOn(process, 'getgid').mockReturnValue(4_000_001)
  expect(await primaryGroup(4_000_000)).toBe(4_000_001)
})
