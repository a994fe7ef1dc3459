// The docs of runner, wheel and execution functions, told as Salt tells them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMapping, parseJson } from '../../core/value/index.ts'
import { createLab, type Lab } from '../system/lab.ts'

let lab: Lab

beforeAll(async () => {
  lab = await createLab({ master: 'auto_accept: True\n' })
  await lab.startMaster()
  lab.startMinion('web1')
  await lab.waitForEvent({ tag: 'salt/minion/web1/start' })
}, 180_000)
afterAll(() => lab.close())

describe('docs', { timeout: 180_000 }, () => {
  it('brine-run -d prints name and doc of every runner, of a module, of a function, of a pattern', async () => {
    const all = (await lab.run('brine-run', ['-d'])).stdout
    const names = all.split('\n').filter((line) => /^[a-z]\S*:$/.test(line))
    expect(names).toEqual([...names].sort())
    expect(names).toContain('reactor.explain:')
    // The layout of salt-run: a docstring has an empty line before it and its closing indentation behind it.
    const one = (await lab.run('brine-run', ['-d', 'jobs.lookup_jid'])).stdout
    expect(one).toBe(
      'jobs.lookup_jid:\n\n    Return the printout from a previously executed job\n\n    CLI Example:\n\n' +
        '        brine-run jobs.lookup_jid 20130916125524463507\n    \n',
    )
    const module = (await lab.run('brine-run', ['-d', 'doc'])).stdout
    expect(module.match(/^\S+:$/gm)).toEqual(['doc.execution:', 'doc.runner:', 'doc.wheel:'])
    expect((await lab.run('brine-run', ['-d', '*.list'])).stdout.match(/^\S+:$/gm)).toEqual([
      'cache.list:',
      'event.list:',
      'orch.list:',
      'reactor.list:',
    ])
    expect(await lab.run('brine-run', ['-d', 'nosuch'])).toMatchObject({ exit: 0, stdout: '' })
  })

  it('without a function brine-run prints them too', async () => {
    expect((await lab.run('brine-run', [])).stdout).toContain('manage.up:\n\n    Print a list')
  })

  it('every function of the master has a doc with an example', async () => {
    for (const fun of ['doc.runner', 'doc.wheel']) {
      const docs = parseJson((await lab.run('brine-run', [fun, '--out', 'json'])).stdout)
      if (!isMapping(docs)) throw new Error('no docs')
      for (const [name, doc] of Object.entries(docs))
        expect(doc, name).toMatch(/CLI Example:\n\n {8}(?:brine-run|wheel) /)
    }
  })

  it('doc.execution collects what the minions say', async () => {
    const docs = parseJson((await lab.run('brine-run', ['doc.execution', 'test.ping', '--out', 'json'])).stdout)
    expect(docs).toEqual({ 'test.ping': expect.stringContaining('Used to make sure the minion is up') })
  })
})
