// The alternatives states and functions on this machine, in the order in which Salt 3007.15 was asked, under a name of the test's own.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mapping, parseJson, type Value } from '../../core/value/index.ts'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'
import { ScratchTree, type TreeCase } from '../filesystem/scratch-tree.ts'

const NAME = 'brine-test-alternative'
const isPossible = process.getuid?.() === 0 && existsSync('/var/lib/dpkg/alternatives')
const rows = readFileSync(new URL('alternatives-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => parseJson(line) as unknown as TreeCase)
if (!isPossible) process.stderr.write(`${rows.length} tests of alternatives are left out: they need root and dpkg\n`)

describe.runIf(isPossible).sequential('what Salt returned', () => {
  let minion: FakeMinion
  let tree: ScratchTree
  const removeAll = (): void => {
    if (existsSync(`/var/lib/dpkg/alternatives/${NAME}`))
      execFileSync('update-alternatives', ['--remove-all', NAME], { stdio: 'ignore' })
  }
  beforeAll(async () => {
    removeAll()
    minion = await fakeMinion()
    tree = await ScratchTree.make()
    await tree.fill({ a: 'a', b: 'b', c: 'c' })
  })
  afterAll(async () => {
    removeAll()
    await tree.remove()
    await minion.close()
  })

  it.each(
    rows.map((row, index) => {
      const title = `${index} ${row.state ?? row.fun} ${JSON.stringify(row.kwarg ?? row.arg)}`
      return [`${title}${row.test === true ? ' test' : ''}`, row] as const
    }),
  )('%s', async (_, { fun = '', state, arg = [], kwarg = {}, test = false, return: expected = null }) => {
    const kwargs = tree.inward({ ...kwarg, ...(test ? { test: true } : {}) }) as Mapping
    const got =
      state === undefined ? await minion.run(fun, tree.inward([...arg]) as Value[]) : await minion.state(state, kwargs)
    expect(tree.outward(got)).toEqual(expected)
  })
})
