// Commands, functions and events as states, on real trees, against what Salt 3007.15 returned and left there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMapping, type Mapping, type Value } from '../../core/value/index.ts'
import { type CallAgent, openCall } from '../call.ts'
import { type FakeSetup, fakeSetup } from '../fake-setup.ts'
import { readTreeCases, ScratchTree, type TreeCase, treeChanges } from '../filesystem/scratch-tree.ts'

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
const rows = cases.filter((row) => isRoot || !JSON.stringify(row).includes('root'))

async function run({ state = '', kwarg = {}, test = false }: TreeCase): Promise<Mapping> {
  const kwargs = tree.inward({ ...kwarg, ...(test ? { test: true } : {}) }) as Mapping
  const returned = await agent.cmd('state.single', [state], kwargs)
  const [only] = isMapping(returned) ? Object.values(returned) : []
  if (only === undefined || !isMapping(only)) throw new Error(JSON.stringify(returned))
  const { name = null, result = null, changes = null, comment = null } = only
  const told = { name, result, changes, comment, ...(only.warnings === undefined ? {} : { warnings: only.warnings }) }
  return tree.outward(told) as Mapping
}

describe.sequential('what Salt returned', () => {
  it.each(
    rows.map(
      (row, index) =>
        [`${index} ${row.state} ${JSON.stringify(row.kwarg)}${row.test === true ? ' test' : ''}`, row] as const,
    ),
  )('%s', async (_, row) => {
    await tree.fill(trees[row.tree ?? ''] ?? {})
    const before = await tree.told()
    expect(masked(await run(row))).toEqual(masked(row.return as Mapping))
    expect(treeChanges(before, await tree.told())).toEqual(row.after ?? {})
  })
})

/** Process ids are no two the same; a list of texts is lines. */
function masked(value: Mapping): Value {
  return JSON.parse(JSON.stringify(value).replace(/"pid":\d+/g, '"pid":"$PID"')) as Value
}
