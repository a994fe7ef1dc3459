// What the package manager's books say, against what Salt 3007.15 returned beside the same programs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayTreeCases } from '../../test/system/tree-replay.ts'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'
import { ScratchTree } from '../filesystem/scratch-tree.ts'

const grains = 'grains: {os_family: Debian, os: Debian, oscodename: trixie, osarch: amd64}'
const only = ['sh', 'basename', 'dirname', 'cat']

await replayTreeCases(new URL('salt-cases.jsonl', import.meta.url), { config: grains, only })

describe.sequential('files and services', () => {
  let minion: FakeMinion
  let tree: ScratchTree
  const path = process.env.PATH
  beforeAll(async () => {
    tree = await ScratchTree.make()
    minion = await fakeMinion(grains)
    process.env.PATH = `${tree.root}/bin`
  })
  afterAll(async () => {
    process.env.PATH = path
    await tree.remove()
    await minion.close()
  })

  it('lists what was fetched', async () => {
    const dpkg = "#!/bin/sh\nprintf ' Package: hello\\n Version: 2.10-3\\n Architecture: arm64\\n'\n"
    await tree.fill({ 'bin/dpkg': { text: dpkg, mode: '755' }, 'var/cache/apt/archives/h.deb': 'abc' })
    expect(await minion.run('pkg.list_downloaded', [], { root: tree.root })).toEqual({
      'hello:arm64': {
        '2.10-3': {
          path: `${tree.root}/var/cache/apt/archives/h.deb`,
          size: 3,
          creation_date_time_t: expect.any(Number),
          creation_date_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
        },
      },
    })
  })

  it('lists services that use files that are gone', async () => {
    await tree.fill({})
    expect(await minion.outcome('pkg.services_need_restart')).toMatchObject({
      by: 'command-not-found',
      words:
        "'checkrestart' is needed. It is part of the 'debian-goodies' package which can be installed from official repositories.",
    })
    const lines = 'checkrestart.py\\nSERVICE:ssh,77,/usr/sbin/sshd\\nPROCESS: x\\nSERVICE:cron,1,/usr/sbin/cron\\n'
    await tree.fill({ 'bin/checkrestart': { text: `#!/bin/sh\nprintf '${lines}'\n`, mode: '755' } })
    expect(await minion.run('pkg.services_need_restart')).toEqual(['cron', 'ssh'])
  })
})
