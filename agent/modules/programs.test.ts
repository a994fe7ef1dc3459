// Functions that call programs, or put files in places, against what Salt 3007.15 returned beside the same programs.
import { open } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { replayTreeCases } from '../../test/system/tree-replay.ts'
import { fakeMinion } from '../fake-minion.ts'
import { ScratchTree } from '../filesystem/scratch-tree.ts'

await replayTreeCases(new URL('programs-cases.jsonl', import.meta.url))
await replayTreeCases(new URL('chunk-cases.jsonl', import.meta.url))

describe('what the machine tells', () => {
  it('is told as the options say, in a format, and of a system elsewhere', async () => {
    const tree = await ScratchTree.make()
    await tree.fill({ 'etc/shadow': 'zoe:!:1::::::\nann:*:2::::::\n' })
    const minion = await fakeMinion('status.loadavg.custom: [1-min, nonsense]\nstatus.nosuch.custom: [a]')
    expect(await minion.run('status.custom')).toEqual({ '1-min': expect.anything(), nonsense: 'UNKNOWN' })
    expect(await minion.run('status.time', ['%Y'])).toBe(String(new Date().getFullYear()))
    expect(await minion.run('status.time')).toMatch(/^\w+day, \d\d\. \w+ \d{4} \d\d:\d\d[AP]M$/)
    expect(await minion.run('shadow.list_users', [], { root: tree.root })).toEqual(['ann', 'zoe'])
    expect(typeof (await minion.run('service.offline'))).toBe('boolean')
    await minion.close()
    await tree.remove()
  })

  it('is which files are open, by file and by process', async () => {
    const tree = await ScratchTree.make()
    await tree.fill({ held: 'x' })
    const held = await open(`${tree.root}/held`)
    const minion = await fakeMinion()
    expect(await minion.run('file.open_files')).toMatchObject({ [`${tree.root}/held`]: [process.pid] })
    const byPid = await minion.run('file.open_files', [], { by_pid: true })
    expect((byPid as Map<number, string[]>).get(process.pid)).toContain(`${tree.root}/held`)
    await held.close()
    await minion.close()
    await tree.remove()
  })

  it.each([
    ['archive.rar', ['/tmp/a.rar', '/tmp/b'], "The 'rar' binary was not found in $PATH."],
    ['archive.unrar', ['/tmp/a.rar', '/tmp/b'], 'None of provided binaries (unrar, rar) were not found in $PATH.'],
    ['service.firstboot', [], "The 'systemd-firstboot' binary was not found in $PATH."],
  ])('%s says what is missing', async (fun, arg, words) => {
    const path = process.env.PATH
    const minion = await fakeMinion()
    process.env.PATH = '/nowhere'
    try {
      expect(await minion.outcome(fun, arg)).toMatchObject({ by: 'command-not-found', words })
    } finally {
      process.env.PATH = path
      await minion.close()
    }
  })
})
