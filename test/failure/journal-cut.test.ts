// The agent's journal cut at every byte: what is read again is its longest whole prefix, and it goes on from there.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Journal } from '../../agent/journal/journal.ts'
import { systemOutside } from '../../agent/outside.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brine-cut-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const open = (path: string): Promise<Journal> => Journal.open(path, systemOutside(silent))

/** What a journal holds: what waits to be sent, and how each job stands. */
function contentOf(journal: Journal, jids: readonly string[]): string {
  const items: string[] = []
  for (let batch = journal.next(); batch !== undefined; batch = journal.next()) {
    items.push(...batch.items.map(({ text }) => text))
    journal.settle(batch.items.map(({ id }) => id))
  }
  return JSON.stringify([items, jids.map((jid) => journal.jobState(jid) ?? 'unknown')])
}

test('cut at every byte, it recovers its longest whole prefix and takes more', async () => {
  const path = join(folder, 'journal')
  const jids = Array.from({ length: 6 }, (_, index) => `2026112110000000000${index}`)
  const journal = await open(path)
  /** The file's length after each record, and what a journal of that length holds. */
  const lengths: number[] = [readFileSync(path).length]
  const grow = async (work: () => Promise<unknown>): Promise<void> => {
    await work()
    lengths.push(readFileSync(path).length)
  }
  for (const [index, jid] of jids.entries()) {
    await grow(() => journal.addEvent({ tag: `ä/${index}`, data: { n: index }, beacon: index % 2 === 0 }))
    await grow(() => journal.startJob(jid, 2e9, { fun: 'test.echo', arg: ['ünïcode\n'] }))
    const ret = { jid, fun: 'test.echo', fun_args: [], return: 'x'.repeat(30), retcode: 0, success: true }
    if (index < 4) await grow(() => journal.addReturn(ret))
  }
  await journal.close()
  const bytes = readFileSync(path)
  const expected = new Map<number, string>()
  let cuts = 0
  const cut = join(folder, 'cut')
  for (let length = 0; length <= bytes.length; length++) {
    const whole = lengths.filter((each) => each <= length).at(-1) ?? 0
    writeFileSync(cut, bytes.subarray(0, length))
    const again = await open(cut)
    const content = contentOf(again, jids)
    const known = expected.get(whole)
    if (known === undefined) expected.set(whole, content)
    else expect(content, `cut at ${length}`).toBe(known)
    await again.addEvent({ tag: 'after', data: {} })
    await again.close()
    const later = await open(cut)
    expect(contentOf(later, [])).toContain('after')
    await later.close()
    cuts++
  }
  // Each whole record adds something: no two prefixes hold the same, but the empty file and the header alone.
  expect(new Set(expected.values()).size).toBe(lengths.length)
  console.log(
    `journal cut: ${bytes.length} bytes, ${lengths.length} records, ${cuts} cuts, all read to their last whole record`,
  )
})
