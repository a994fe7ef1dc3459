// The disk module against what Salt 3007.15 returned beside the same programs, and what Salt's own would not understand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayTreeCases } from '../../../test/system/tree-replay.ts'
import { type FakeMinion, fakeMinion } from '../../fake-minion.ts'
import { ScratchTree } from '../../filesystem/scratch-tree.ts'

await replayTreeCases(new URL('salt-cases.jsonl', import.meta.url))

describe.sequential('other programs', () => {
  let minion: FakeMinion
  let tree: ScratchTree
  const path = process.env.PATH
  const program = (text: string) => ({ text: `#!/bin/sh\n${text}\n`, mode: '755' })
  beforeAll(async () => {
    tree = await ScratchTree.make()
    minion = await fakeMinion()
    process.env.PATH = `${tree.root}/bin`
  })
  afterAll(async () => {
    process.env.PATH = path
    await tree.remove()
    await minion.close()
  })

  it.each([['blkid'], ['format', '/dev/x'], ['hdparms', 'sda'], ['iostat']])(
    '%s says what is missing',
    async (fun, ...arg) => {
      await tree.fill({})
      const missing = { format: 'mkfs', hdparms: 'hdparm' }[fun] ?? fun
      expect(await minion.outcome(`disk.${fun}`, arg)).toMatchObject({
        by: 'command-not-found',
        words: `The '${missing}' binary was not found in $PATH.`,
      })
    },
  )

  it.each(['usage', 'inodeusage'])('%s takes flags of df, and no others', async (fun) => {
    expect(await minion.outcome(`disk.${fun}`, ['-h'])).toMatchObject({ words: `Invalid flag passed to disk.${fun}` })
  })

  it('asks df where lsblk is not there', async () => {
    const lines = 'Filesystem Type 1K-blocks Used Available Use% Mounted on\\n/dev/sda1 ext4 1 1 0 50% /\\n'
    await tree.fill({ 'bin/df': program(`printf '${lines.replace('%', '%%').replace('50%', '50%%')}'`) })
    expect(await minion.run('disk.fstype', ['/dev/sda1'])).toBe('ext4')
    expect(await minion.run('disk.get_fstype_from_path', ['/'])).toBe('ext4')
    await tree.fill({})
    expect(await minion.run('disk.fstype', ['/dev/sda1'])).toBe('')
  })

  it('reads iostat of today, which writes Device without a colon', async () => {
    await tree.fill({
      'bin/iostat': program("printf 'Device r/s w/s\\nsda 1.00 0.10\\n\\nDevice r/s w/s\\nsda 2.01 0.15\\n'"),
    })
    expect(await minion.run('disk.iostat')).toEqual({ sda: { 'r/s': 1.5, 'w/s': 0.12 } })
  })

  it('hides a part of a disk', async () => {
    await tree.fill({
      'bin/hdparm': program(
        'case "$1" in -N) echo " max sectors = 400/1000, HPA is enabled";; *) echo "$*" >>"$0.asked";; esac',
      ),
    })
    expect(await minion.run('disk.hpa', ['sdc', '5%'])).toBe(null)
    expect((await tree.told())['bin/hdparm.asked']).toEqual(['644', '--yes-i-know-what-i-am-doing -Np950 /dev/sdc\n'])
  })
})
