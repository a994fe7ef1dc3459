// The file module on real trees against what Salt 3007.15 returned and left there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Value } from '../../../core/value/index.ts'
import { type CallAgent, openCall } from '../../call.ts'
import { type FakeSetup, fakeSetup } from '../../fake-setup.ts'
import { readTreeCases, ScratchTree, type TreeCase, treeChanges } from '../../filesystem/scratch-tree.ts'
import { execute, type Outcome } from '../execute.ts'

let fake: FakeSetup
let agent: CallAgent
let tree: ScratchTree

beforeAll(async () => {
  tree = await ScratchTree.make()
  fake = await fakeSetup('', `file_client: local\ngrains: {role: web}\nfile_roots: {base: [${tree.root}/srv]}`)
  agent = await openCall({ ...fake.setup }, {}, fake.outside)
})

afterAll(async () => {
  await agent.close()
  await fake.remove()
  await tree.remove()
})

const { trees, cases } = await readTreeCases(new URL('salt-cases.jsonl', import.meta.url))
/** Only root may give files away, and owns what it makes. */
const isRoot = process.getuid?.() === 0
const rows = cases.filter((row) => isRoot || !JSON.stringify(row).includes('root"'))

async function run({ fun = '', arg = [], kwarg = {}, test = false }: TreeCase): Promise<Outcome> {
  const keywords = Object.keys(kwarg).length === 0 ? [] : [{ ...kwarg, __kwarg__: true }]
  const args = tree.inward([...arg, ...keywords]) as Value[]
  const view = { ...agent.view, opts: { ...agent.view.opts, test } }
  return execute(view, { fun, arg: args, data: {}, signal: new AbortController().signal })
}

/** Errors without Python's class, which Brine names only where the caller sees it. */
const words = (text: string): string => text.replace(/^\w+: (?=\[Errno)/, '').replace(/ *\[Errno \d+\] /, '')

describe.sequential('what Salt returned', () => {
  it.each(
    rows.map(
      (row, index) =>
        [`${index} ${row.fun} ${JSON.stringify(row.arg)} ${JSON.stringify(row.kwarg ?? {})}`, row] as const,
    ),
  )('%s', async (_, row) => {
    await tree.fill(trees[row.tree ?? ''] ?? {})
    const before = await tree.told()
    const outcome = await run(row)
    if (row.error === undefined) {
      expect(outcome).toMatchObject({ kind: 'returned' })
      expect(masked(tree.outward((outcome as { value: Value }).value))).toEqual(masked(row.return ?? null))
    } else {
      expect(outcome).toMatchObject({ kind: 'failed' })
      expect(words(String(tree.outward((outcome as { words: string }).words)))).toBe(words(row.error))
    }
    expect(treeChanges(before, await tree.told())).toEqual(row.after ?? {})
  })
})

/** Process ids are no two the same. */
function masked(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replace(/"pid":\d+/g, '"pid":0')) as Value
}
