// The git module and states on real repositories against what Salt 3007.15 returned.
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMapping, type Mapping, parseJson, type Value } from '../../../core/value/index.ts'
import { type CallAgent, openCall } from '../../call.ts'
import { type FakeSetup, fakeSetup } from '../../fake-setup.ts'
import { ScratchTree, type TreeCase } from '../../filesystem/scratch-tree.ts'

let fake: FakeSetup
let agent: CallAgent
let tree: ScratchTree
const before = process.env.GIT_CONFIG_GLOBAL

beforeAll(async () => {
  process.env.GIT_CONFIG_GLOBAL = '/dev/null'
  tree = await ScratchTree.make()
  fake = await fakeSetup('', 'file_client: local')
  agent = await openCall({ ...fake.setup }, {}, fake.outside)
})

afterAll(async () => {
  if (before === undefined) delete process.env.GIT_CONFIG_GLOBAL
  else process.env.GIT_CONFIG_GLOBAL = before
  await agent.close()
  await fake.remove()
  await tree.remove()
})

type GitCase = TreeCase & { readonly setup?: string }
const [first = '{}', ...texts] = (await readFile(new URL('salt-cases.jsonl', import.meta.url), 'utf8'))
  .trim()
  .split('\n')
const { setups } = JSON.parse(first) as { setups: Record<string, string> }
const rows = texts.map((text) => parseJson(text) as unknown as GitCase)

async function run({ fun, state, arg = [], kwarg = {}, test = false }: GitCase): Promise<Value> {
  const args = tree.inward([...arg]) as Value[]
  const kwargs = tree.inward({ ...kwarg, ...(test ? { test: true } : {}) }) as Mapping
  if (state === undefined) return tree.outward(await agent.cmd(fun ?? '', args, kwargs))
  const returned = await agent.cmd('state.single', [state], kwargs)
  const [only] = isMapping(returned) ? Object.values(returned) : []
  if (only === undefined || !isMapping(only)) throw new Error(JSON.stringify(returned))
  const { name = null, result = null, changes = null, comment = null } = only
  return tree.outward({ name, result, changes, comment })
}

describe.sequential('what Salt returned', () => {
  it.each(
    rows.map((row, index) => {
      const title = `${index} ${row.state ?? row.fun} ${row.setup} ${JSON.stringify(row.arg ?? [])} ${JSON.stringify(row.kwarg)}`
      return [`${title}${row.test === true ? ' test' : ''}`, row] as const
    }),
  )('%s', async (_, row) => {
    await tree.fill({})
    const setup = setups[row.setup ?? '']
    if (setup !== undefined) execFileSync('/bin/sh', ['-c', setup], { cwd: tree.root, stdio: 'pipe' })
    if (row.error === undefined) expect(masked(await run(row))).toEqual(masked(row.return ?? null))
    else await expect(run(row)).rejects.toMatchObject({ message: tree.inward(row.error) })
  })
})

/** Sets have no order, and git no one way to name a temporary commit. */
function masked(value: Value): Value {
  if (Array.isArray(value)) return value.map(masked)
  if (!isMapping(value)) return value
  const sorted = Object.entries(value).map(
    ([key, item]) => [key, key.endsWith('_tags') && Array.isArray(item) ? [...item].sort() : masked(item)] as const,
  )
  return Object.fromEntries(sorted)
}

it('git.latest leaves a remote as it is whose address git rewrites', async () => {
  await tree.fill({})
  execFileSync('/bin/sh', ['-c', setups.s0 ?? ''], { cwd: tree.root, stdio: 'pipe' })
  const address = 'https://git.example.com/up.git'
  process.env.GIT_CONFIG_GLOBAL = `${tree.root}/gitconfig`
  execFileSync('git', ['config', '--global', `url.${tree.root}/up.git.insteadOf`, address])
  const state = { state: 'git.latest', kwarg: { name: address, target: '$ROOT/c', rev: 'master' } }
  try {
    expect(await run(state)).toMatchObject({ result: true, comment: `${address} cloned to $ROOT/c` })
    const second = { result: true, changes: {}, comment: 'Repository $ROOT/c is up-to-date' }
    expect(await run(state)).toMatchObject(second)
    expect(await run(state)).toMatchObject(second)
  } finally {
    process.env.GIT_CONFIG_GLOBAL = '/dev/null'
  }
})
