// The gateway is away with thousands of events in the minions' journals; and a poisoned file stands among good ones.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Journal } from '../../agent/journal/journal.ts'
import { systemOutside } from '../../agent/outside.ts'
import { waitFor } from '../system/wait.ts'
import { expectNothingLost, judged } from './observer.ts'
import { rounds } from './rounds.ts'
import { type FailureLab, failureLab } from './stage.ts'

let running: FailureLab | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** Numbers as events in the journal of a minion that does not run, as its local bus would have put them there. */
async function journalled(path: string, id: string, numbers: readonly number[]): Promise<number[]> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const journal = await Journal.open(path, systemOutside(silent))
  const kept = await Promise.all(numbers.map((n) => journal.addEvent({ tag: 'note/it', data: { n, to: id } })))
  await journal.close()
  return numbers.filter((_, index) => kept[index] !== undefined)
}

test('the gateway is away with 10,000 events in two journals: each comes once, in the order of its journal', async () => {
  const events = rounds(10_000)
  running = await failureLab()
  const { lab, file } = running
  for (const id of ['one', 'two']) running.startMinion(id)
  for (const id of ['one', 'two']) await lab.waitForEvent({ tag: `salt/minion/${id}/start` })
  for (const id of ['one', 'two']) await lab.stopMinion(id)
  await lab.stopMaster('SIGKILL')
  const all = Array.from({ length: events }, (_, n) => n)
  const kept: number[] = []
  for (const [index, id] of ['one', 'two'].entries()) {
    const own = all.filter((n) => n % 2 === index)
    kept.push(...(await journalled(join(lab.root, `run/${id}/data/journal`), id, own)))
  }
  for (const id of ['one', 'two']) running.startMinion(id)
  const told = (id: string): string => lab.minion(id)?.stderr() ?? ''
  for (const id of ['one', 'two'])
    await waitFor(`${id} to miss its master`, () => (/no answer/.test(told(id)) ? true : undefined))
  await lab.startMaster()
  const verdict = await judged(file, kept)
  const came = lab.events.flatMap(({ tag, data }) => {
    const fields = data instanceof Map ? Object.fromEntries(data) : data
    return tag === 'note/it' ? [Number(fields.n)] : []
  })
  const inOrder = [0, 1].every((parity) => {
    const own = came.filter((n) => n % 2 === parity)
    return own.every((n, index) => index === 0 || n > (own[index - 1] ?? -1))
  })
  expectNothingLost('gateway away', verdict, { events, journalled: kept.length, 'on the bus': came.length })
  expect(kept).toHaveLength(events)
  expect(inOrder).toBe(true)
})

test('a poisoned file among good ones: the good react to every event, and the others fail for themselves', async () => {
  const events = rounds(300)
  running = await failureLab(
    { minion: '' },
    {
      'jinja.sls': '{% if data[ %}\n',
      'yaml.sls': 'a:\n  - b\n c: d\n',
      'undefined.sls': "{{ data['nothing']['there'] }}:\n  local.note.add:\n    - tgt: '*'\n",
      'endless.sls': '{% for a in range(100000) %}{% for b in range(100000) %}{{ a }}{% endfor %}{% endfor %}\n',
      'raises.sls': "{{ raise('poison') }}\n",
    },
  )
  const { lab, file, fire } = running
  running.startMinion('worker')
  await lab.waitForEvent({ tag: 'salt/minion/worker/start' })
  let left = events
  const acknowledged = await fire({ sides: 4, more: () => left-- > 0 })
  const verdict = await judged(file, acknowledged)
  const errors = (): number => lab.events.filter(({ tag }) => tag === 'brine/reactor/error').length
  // That a file failed is told beside the jobs of those that did not.
  await waitFor(
    () => `${4 * acknowledged.length} errors; there are ${errors()}`,
    () => (errors() >= 4 * acknowledged.length ? true : undefined),
  )
  expectNothingLost('poisoned', verdict, { events, acknowledged: acknowledged.length, 'errors told': errors() })
})
