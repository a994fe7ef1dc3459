// Answers for debconf against what Salt 3007.15 returned beside the same programs, and what Salt tells wrongly or not at all.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { replayTreeCases } from '../../test/system/tree-replay.ts'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'
import { ScratchTree } from '../filesystem/scratch-tree.ts'

await replayTreeCases(new URL('debconf-cases.jsonl', import.meta.url))

describe('what is not as in Salt', () => {
  const { PATH: path } = process.env
  const secret = { 'x/secret': { type: 'password', value: 's3cret' } }
  let minion: FakeMinion
  let tree: ScratchTree
  beforeAll(async () => {
    tree = await ScratchTree.make()
    minion = await fakeMinion(`file_roots: {base: [${tree.root}/srv]}`)
  })
  afterAll(async () => {
    await minion.close()
    await tree.remove()
  })
  beforeEach(async () => {
    process.env.PATH = path
    await tree.fill({
      'bin/debconf-get-selections': { text: '#!/bin/sh\n', mode: '755' },
      'bin/debconf-set-selections': {
        text: '#!/bin/sh\nhere=$(dirname "$0")\necho "$*" > $here/words\ncat "$@" > $here/asked\n[ ! -f $here/refuse ]\n',
        mode: '755',
      },
      'srv/sel.jinja': 'x x/a string {{ a }} {{ b }}\n',
    })
    process.env.PATH = `${tree.root}/bin:${path}`
    return () => {
      process.env.PATH = path
    }
  })

  it('shows a password nowhere: not in test mode, nor among the words of a program', async () => {
    expect(await minion.state('debconf.set', { name: 'x', data: secret, test: true })).toMatchObject({
      result: null,
      changes: { 'x/secret': 'New value: (password hidden)' },
    })
    expect(await minion.state('debconf.set', { name: 'x', data: secret })).toMatchObject({
      result: true,
      changes: { 'x/secret': '(password hidden)' },
    })
    expect(await tree.told()).toMatchObject({
      'bin/asked': ['644', 'x x/secret password s3cret'],
      'bin/words': ['644', '\n'],
    })
  })

  it('says so where debconf refuses', async () => {
    await tree.fill({
      'bin/debconf-get-selections': { text: '#!/bin/sh\n', mode: '755' },
      'bin/debconf-set-selections': { text: '#!/bin/sh\necho no >&2; exit 1\n', mode: '755' },
    })
    expect(await minion.state('debconf.set', { name: 'x', data: secret })).toMatchObject({
      result: false,
      changes: { 'x/secret': 'Failed to set!' },
      comment: 'Some settings failed to be applied.',
    })
  })

  it('gives a template its defaults, which Salt loses', async () => {
    const kwarg = {
      name: 'x',
      source: 'salt://sel.jinja',
      template: 'jinja',
      context: { a: 1 },
      defaults: { a: 0, b: 2 },
    }
    expect(await minion.state('debconf.set_file', kwarg)).toMatchObject({ result: true })
    expect(await tree.told()).toMatchObject({ 'bin/asked': ['644', 'x x/a string 1 2\n'] })
  })

  it('says which program is missing', async () => {
    process.env.PATH = '/nowhere'
    expect(await minion.outcome('debconf.show', ['x'])).toMatchObject({
      by: 'command-not-found',
      words: "The 'debconf-get-selections' binary was not found in $PATH.",
    })
    expect(await minion.state('debconf.set', { name: 'x', data: secret })).toMatchObject({
      result: false,
      comment: expect.stringContaining('debconf-get-selections'),
    })
  })
})
