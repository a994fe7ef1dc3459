// The minion's pillar: the master's, or its own; kept in memory, laid over from the command line.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCall } from '../call.ts'
import { useLab } from '../fake-lab.ts'
import { FakeMaster } from '../fake-master.ts'
import { fakeSetup } from '../fake-setup.ts'

const lab = useLab({ beforeEach, afterEach })

describe('a pillar of the master', () => {
  it('is there from the start, and changes when it is refreshed', async () => {
    lab.master.pillar = { who: 'first' }
    const minion = await lab.started()
    await minion.joined
    const run = async (fun: string, arg: string[] = []) => {
      const jid = lab.master.publish({ fun, arg })
      while (!lab.master.returns.some((ret) => ret.jid === jid)) await new Promise((resolve) => setTimeout(resolve, 5))
      return lab.master.returns.find((ret) => ret.jid === jid)?.return
    }
    expect(await run('pillar.get', ['who'])).toBe('first')
    lab.master.pillar = { who: 'second' }
    expect(await run('pillar.raw')).toEqual({ who: 'first' })
    expect(await run('pillar.items')).toEqual({ who: 'second' })
    expect(await run('saltutil.refresh_pillar')).toBe(true)
    expect(await run('pillar.raw')).toEqual({ who: 'second' })
    expect(lab.fake.said.join('\n')).not.toContain('second')
  })

  it('can be laid over for one call', async () => {
    lab.master.pillar = { who: 'master', more: 1 }
    lab.fake = await fakeSetup(lab.master.url)
    const agent = await openCall(lab.fake.setup, {}, lab.fake.outside)
    expect(await agent.cmd('pillar.items', [], { pillar: { who: 'me' } })).toEqual({ who: 'me', more: 1 })
    expect(await agent.cmd('pillar.item', ['who', 'nope'])).toEqual({ who: 'master', nope: '' })
    await agent.close()
  })
})

describe('a pillar of one’s own', () => {
  it('is compiled from the minion’s own roots', async () => {
    lab.fake = await fakeSetup((await FakeMaster.start()).url)
    const roots = join(lab.fake.root, 'pillar')
    await mkdir(roots)
    await writeFile(join(roots, 'top.sls'), "base: {'*': [data], 'role:web': [{match: grain}, web]}")
    await writeFile(join(roots, 'data.sls'), "id: {{ grains.id }}\nran: {{ salt['cmd.run']('echo it') }}\n")
    await writeFile(join(roots, 'web.sls'), 'web: true')
    const local = await fakeSetup('', `file_client: local\npillar_roots: {base: [${roots}]}\ngrains: {role: web}`)
    const agent = await openCall(local.setup, {}, local.outside)
    expect(await agent.cmd('pillar.items')).toEqual({ id: 'web1', ran: 'it', web: true })
    expect(await agent.cmd('pillar.get', ['ran'])).toBe('it')
    await agent.close()
    await local.remove()
  })
})
