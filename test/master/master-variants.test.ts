// What Salt's runners and wheel functions answered (master-of-salt.jsonl, made by record-master.ts), asked of ours: equal, but
// for what is decided otherwise.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machineModules } from '../../cli/commands/master-modules.ts'
import { entries, isMap, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { RootFiles } from '../../platform/embedded/store/file-store.ts'
import { elsewhere, keyFiles, pillarFiles, rootExtras, rootFiles } from './master-variants.ts'
import { type GivenJob, type OrchestrationStage, orchestrationStage } from './orchestration-stage.ts'

const nobody = 'a target without minions is said to have none'
const outside = 'nothing beside the roots is shown'
const falls = 'Salt falls over what is not there'
const leadsOut = 'a link that leads out of its root leads nowhere'

/** Why ours answers otherwise. */
const decided: Readonly<Record<string, string>> = {
  'runner fileserver.file_list [] {}': leadsOut,
  'runner fileserver.file_list [] {"backend":"roots"}': leadsOut,
  'runner fileserver.dir_list [] {}': leadsOut,
  'runner cache.mine ["nobody"] {}': nobody,
  'wheel pillar_roots.find ["../elsewhere/secret.txt"] {}': outside,
  'wheel pillar_roots.read ["../elsewhere/secret.txt"] {}': outside,
  'wheel key.key_str ["p1"] {}': 'key.print has the name that it has in Python too',
  'wheel key.accept_dict [{"minions_pre":["p1","nobody"]}] {}': falls,
  'wheel key.accept_dict [{"minions_pre":["r1"]}] {}': falls,
}

type Line = ['runner' | 'wheel', string, Value[], Mapping, { return?: Value; success?: boolean; raised?: string }]
const recorded = readFileSync(join(import.meta.dirname, 'master-of-salt.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)

/** The minions of the lab, as far as they are asked anything. */
function answering(_: string, { fun, arg }: GivenJob): { return: Value } | undefined {
  const kwargs = arg.filter((each) => isMapping(each)).map(({ __kwarg__: _mark, ...rest }) => rest)
  const words = arg.filter((each) => !isMapping(each))
  switch (fun) {
    case 'test.echo':
      return { return: words[0] ?? null }
    case 'test.arg':
      return { return: { args: words, kwargs: Object.assign({}, ...kwargs) as Mapping } }
    case 'saltutil.running':
      return { return: [] }
    default:
      return { return: true }
  }
}

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

let stage: OrchestrationStage
const ours: { return: Value; success: boolean }[] = []
beforeAll(async () => {
  const beside = (root: string, name: string): string => join(root, '..', name)
  stage = await orchestrationStage(['db1', 'web-asg-1'], rootFiles, answering, {
    prepare(root) {
      mkdirSync(join(root, rootExtras.directory), { recursive: true })
      for (const [path, to] of Object.entries(rootExtras.links)) symlinkSync(to, join(root, path))
      write(beside(root, 'pillar'), pillarFiles)
      write(beside(root, 'elsewhere'), elsewhere)
    },
    master: (root) => ({
      modules: machineModules('vm_master', {
        data_dir: beside(root, 'data'),
        file_roots: { base: [root] },
        pillar_roots: { base: [beside(root, 'pillar')] },
        file_ignore_glob: [],
        file_ignore_regex: [],
      }),
      pillarFiles: new RootFiles({ base: [beside(root, 'pillar')] }),
      pillar: {
        files: new RootFiles({ base: [beside(root, 'pillar')] }),
        external: [],
        merging: { strategy: 'smart', lists: false },
        safeErrors: true,
        top: 'salt://top.sls',
        envOrder: [],
        withOpts: false,
        error: () => undefined,
      },
      template: { opts: { id: 'vm_master', timeout: 5 }, grains: {}, pillar: {} },
    }),
  })
  await addKeys()
  for (const [client, fun, arg, { __kwarg__: _, ...kwarg }] of recorded) {
    const { outcome } = stage.master().startRun({ client, fun, arg, kwarg, user: 'root' })
    const { return: value, success } = await outcome
    ours.push({ return: value, success })
  }
}, 180_000)
afterAll(() => stage.close())

async function addKeys(): Promise<void> {
  const { keys } = stage.store
  const states = { minions_pre: 'pending', minions_rejected: 'rejected' } as const
  for (const [list, state] of Object.entries(states))
    for (const [id, pub] of Object.entries(keyFiles[list] ?? {}))
      await keys.update({ id, epoch: 1, current: { state, pub, since: 1 }, denied: [] }, undefined)
  for (const [id, pub] of Object.entries(keyFiles.minions_denied ?? {})) {
    const { revision, ...record } = (await keys.get(id)) ?? { id, epoch: 1, denied: [], revision: undefined }
    await keys.update({ ...record, denied: [{ pub, at: 1 }] }, revision)
  }
}

/** A map of whatever keys as JSON has it. */
function plain(value: Value): Value {
  if (Array.isArray(value)) return value.map(plain)
  if (!isMap(value)) return value
  return Object.fromEntries(entries(value).map(([key, item]) => [pythonStr(key), plain(item)]))
}

/** Of a failure only that it is one, of wrong arguments only what was wrong: the rest is Python's. */
function comparable(value: Value): Value {
  if (typeof value !== 'string') return plain(value)
  if (value.startsWith('Exception occurred in')) return value.split(': ')[0] ?? value
  return value.startsWith('\nPassed invalid arguments') ? (value.split('\n')[1] ?? value) : value
}

describe('as Salt answers', () => {
  it.each(
    recorded.map(([client, fun, arg, kwarg, theirs], index) => {
      const { __kwarg__: _, ...keywords } = kwarg
      return { name: `${index} ${client} ${fun} ${JSON.stringify(arg)} ${JSON.stringify(keywords)}`, index, theirs }
    }),
  )('$name', ({ name, index, theirs }) => {
    const answer = ours[index]
    if (answer === undefined) throw new Error('not asked')
    const told = comparable(answer.return)
    // Salt takes wrong arguments for a success; ours does not.
    const isMisuse = typeof told === 'string' && told.startsWith('Passed invalid arguments')
    const given = { return: told, success: answer.success || isMisuse }
    // A function that is not there: Salt's client throws a KeyError, and its commands say this.
    const expected =
      theirs.raised === undefined ? theirs : { return: `'${recorded[index]?.[1]}' is not available.`, success: false }
    if (decided[name.replace(/^\d+ /, '')] === undefined) expect(given).toEqual(expected)
    else expect(given).not.toEqual(expected)
  })
})
