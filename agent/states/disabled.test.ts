// `disabled_requisites`: what runs, and how it ends, as Salt's own masterless minion does.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { isMapping, type Mapping, pythonTruth, type Value } from '../../core/value/index.ts'
import { openCall } from '../call.ts'
import { type FakeSetup, fakeSetup } from '../fake-setup.ts'

interface Row {
  readonly disabled: string | readonly string[]
  readonly sls: string
  readonly told: readonly Value[]
}

const rows = readFileSync(join(import.meta.dirname, 'disabled-by-salt.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((row) => JSON.parse(row) as Row)

let fake: FakeSetup
afterEach(() => fake.remove())

it.each(rows)('$disabled: $sls', async ({ disabled, sls, told }) => {
  fake = await fakeSetup('http://127.0.0.1:9', `file_client: local\ndisabled_requisites: ${JSON.stringify(disabled)}\n`)
  const root = join(fake.root, 'salt')
  mkdirSync(root)
  writeFileSync(join(root, 't.sls'), sls)
  const written = { ...(fake.setup.written as Mapping), file_roots: { base: [root] } }
  const agent = await openCall({ ...fake.setup, written }, { local: true }, fake.outside)
  try {
    const ret = await agent.cmd('state.apply', ['t'])
    const ended = Object.values(isMapping(ret) ? ret : {}).filter(isMapping)
    ended.sort((a, b) => Number(a.__run_num__) - Number(b.__run_num__))
    expect(
      ended.map(({ __id__, result, comment, changes }) => [
        __id__,
        result,
        String(comment).split('\n')[0],
        pythonTruth(changes ?? null),
      ]),
    ).toEqual(told)
  } finally {
    await agent.close()
  }
})
