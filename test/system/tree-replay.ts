// Recorded calls of Salt on real trees, replayed in a minion without a master: one stage for every suite of such cases.
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallAgent, openCall } from '../../agent/call.ts'
import { type FakeSetup, fakeSetup } from '../../agent/fake-setup.ts'
import {
  readTreeCases,
  ScratchTree,
  type TreeCase,
  type TreeEntry,
  treeChanges,
} from '../../agent/filesystem/scratch-tree.ts'
import { which } from '../../agent/modules/cmd-run.ts'
import { execute } from '../../agent/modules/execute.ts'
import type { ExecutionModule } from '../../agent/modules/module.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'

/** How a suite is compared. */
export interface Replay {
  /** YAML laid over the minion's configuration; `$ROOT` is the tree. */
  readonly config?: string
  /** Puts both sides into one form where Salt has none of its own. @default process ids alone */
  readonly form?: (returned: Value) => Value
  /** What only root's files show is left out for others: a row whose text matches. @default `root` */
  readonly rootly?: RegExp
  /** Programs that have to be there, by name: shell scripts. Before them on the PATH are those in `bin/` of the row's tree. */
  readonly programs?: Readonly<Record<string, string>>
  /** Of the machine's own programs these alone. @default all of them */
  readonly only?: readonly string[]
  /** Modules in the place of the agent's own: those that work on the system whose files are below the tree. */
  readonly modules?: (root: string) => readonly ExecutionModule[]
}

/**
 * One test for each row of the file: a function (`fun`), a state (`state`) or an SLS file (`sls`) is run on a fresh tree, and
 * what it returns and leaves there has to be what Salt returned and left.
 */
export async function replayTreeCases(file: URL, replay: Replay = {}): Promise<void> {
  const { trees, cases } = await readTreeCases(file)
  let fake: FakeSetup
  let agent: CallAgent
  let tree: ScratchTree
  const { PATH: path, SHELL: shell } = process.env

  async function returned(row: TreeCase): Promise<Value | { readonly error: string }> {
    const { fun = '', state, sls, arg = [], kwarg = {}, test = false } = row
    const kwargs = tree.inward({ ...kwarg, ...(test && fun === '' ? { test: true } : {}) }) as Mapping
    if (sls !== undefined) return everyResult(await agent.cmd('state.sls', ['t'], kwargs))
    if (state !== undefined) return onlyResult(await agent.cmd('state.single', [state], kwargs))
    const keywords = Object.keys(kwargs).length === 0 ? [] : [{ ...kwargs, __kwarg__: true }]
    const args = [...(tree.inward([...arg]) as Value[]), ...keywords]
    const view = { ...agent.view, opts: { ...agent.view.opts, test } }
    const outcome = await execute(view, { fun, arg: args, data: {}, signal: new AbortController().signal })
    if (outcome.kind === 'failed') {
      const isNamed = /^\w+Error: (?!\[Errno)/.test(row.error ?? '')
      if (isNamed && outcome.by === 'arguments') return { error: `TypeError: ${outcome.words}` }
      return { error: isNamed && outcome.by === 'exception' ? lastLine(outcome.trace) : words(outcome.words) }
    }
    return outcome.value
  }

  const isRoot = process.getuid?.() === 0
  const { form = (value: Value) => value, rootly = /root/ } = replay
  const rows = cases.filter((row) => isRoot || !rootly.test(JSON.stringify(row, large)))
  describe.sequential(`what Salt returned: ${file.pathname.split('/').slice(-3).join('/')}`, () => {
    beforeAll(async () => {
      // Salt's were recorded by a user whose shell is bash: `cmd.*` runs in the shell of the user who started the minion.
      process.env.SHELL = '/bin/bash'
      tree = await ScratchTree.make()
      const roots = `file_roots: {base: [${tree.root}/srv]}\npillar_roots: {base: [${tree.root}/pillar]}`
      const more = (replay.config ?? '').replaceAll('$ROOT', tree.root)
      const grains = /^grains:/m.test(more) ? '' : 'grains: {role: web}\n'
      fake = await fakeSetup('', `file_client: local\n${grains}${roots}\n${more}`)
      agent = await openCall({ ...fake.setup }, {}, fake.outside)
      const programs = replay.programs === undefined ? '' : `${await programsIn(fake.root, replay.programs)}:`
      const own = replay.only === undefined ? path : await linksIn(fake.root, replay.only)
      process.env.PATH = `${tree.root}/bin:${programs}${own}`
      if (replay.modules !== undefined) agent.view.functions.replaceCustom(replay.modules(tree.root))
    })

    afterAll(async () => {
      process.env.PATH = path
      if (shell === undefined) delete process.env.SHELL
      else process.env.SHELL = shell
      await agent.close()
      await fake.remove()
      await tree.remove()
    })

    it.each(rows.map((row, index) => [titleOf(row, index), row] as const))('%s', async (_, row) => {
      await tree.fill(treeOf(row, trees))
      const before = await tree.told()
      const wanted = row.error === undefined ? (row.return ?? null) : { error: words(row.error) }
      const got = tree.outward((await returned(row)) as Value)
      expect(form(withoutPids(got))).toEqual(form(withoutPids(wanted)))
      expect(treeChanges(before, await tree.told())).toEqual(row.after ?? {})
    })
  })
}

function treeOf(row: TreeCase, trees: Readonly<Record<string, Record<string, TreeEntry>>>): Record<string, TreeEntry> {
  return { ...trees[row.tree ?? ''], ...(row.sls === undefined ? {} : { 'srv/t.sls': row.sls }) }
}

function titleOf({ fun, state, sls, arg = [], kwarg = {}, test = false }: TreeCase, index: number): string {
  const given = sls === undefined ? `${JSON.stringify(arg)} ${JSON.stringify(kwarg)}` : JSON.stringify(sls)
  return `${index} ${fun ?? state ?? 'state.sls'} ${given}${test ? ' test' : ''}`
}

function onlyResult(results: Value): Mapping {
  const [only] = isMapping(results) ? Object.values(results) : []
  if (only === undefined || !isMapping(only)) throw new Error(JSON.stringify(results))
  const { name = null, result = null, changes = null, comment = null } = only
  return { name, result, changes, comment, ...(only.warnings === undefined ? {} : { warnings: only.warnings }) }
}

/** All results without what no two runs have alike. */
function everyResult(results: Value): Value {
  if (!isMapping(results)) return results
  return Object.fromEntries(
    Object.entries(results).map(([tag, result]) => {
      if (!isMapping(result)) return [tag, result]
      const { start_time: _, duration: __, ...rest } = result
      return [tag, rest]
    }),
  )
}

/** Errors without Python's class, which Brine names only where the caller sees it. */
function words(text: string): string {
  return text.replace(/^\w+: (?=\[Errno)/, '').replace(/ *\[Errno \d+\] /, '')
}

/** What Python prints last of an error that nobody caught: its class and its words. */
const lastLine = (trace: string): string => trace.trimEnd().split('\n').at(-1) ?? ''

/** JSON's text of what JSON has none for. */
const large = (_: string, one: unknown): unknown => (typeof one === 'bigint' ? `${one}n` : one)

function withoutPids(value: Value): Value {
  return JSON.parse(JSON.stringify(value, large).replace(/"pid":(\d+|"\$PID")/g, '"pid":0')) as Value
}

async function programsIn(root: string, programs: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(`${root}/bin`, { recursive: true })
  for (const [name, script] of Object.entries(programs)) await writeFile(`${root}/bin/${name}`, script, { mode: 0o755 })
  return `${root}/bin`
}

async function linksIn(root: string, names: readonly string[]): Promise<string> {
  await mkdir(`${root}/own`)
  for (const name of names) {
    const program = await which(name)
    if (program !== undefined) await symlink(program, `${root}/own/${name}`)
  }
  return `${root}/own`
}

/** Lines and removed files in one order: Salt goes through directories in no order of its own. */
export function inOneOrder(returned: Value): Value {
  if (!isMapping(returned) || returned.comment === undefined) return returned
  const { comment, changes = null } = returned
  const removed = isMapping(changes) && Array.isArray(changes.removed) ? { removed: [...changes.removed].sort() } : {}
  const lines = Array.isArray(comment) ? comment.map(pythonStr) : pythonStr(comment).split('\n').sort()
  return { ...returned, comment: lines, changes: isMapping(changes) ? { ...changes, ...removed } : changes }
}
