// An agent of protocol 1, as it was recorded with this master: it is served as it was, whatever has been added since.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROTOCOL_VERSION } from '../../core/protocol/version.ts'
import { createLab, type Lab } from '../system/lab.ts'
import { type Exchange, replay, shapeOf } from './replay.ts'

const file = join(import.meta.dirname, 'agent-1.json')
const recorded: { readonly exchanges: readonly Exchange[] } = JSON.parse(readFileSync(file, 'utf8'))

let lab: Lab
let origin: string
beforeAll(async () => {
  lab = await createLab({ master: 'auto_accept: True\n' })
  await lab.startMaster()
  const port = /port: (\d+)/.exec(readFileSync(join(lab.etc, 'master'), 'utf8'))?.[1]
  origin = `http://127.0.0.1:${port}`
}, 180_000)
afterAll(() => lab.close())

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ulid = (): string => `01${Array.from({ length: 24 }, () => alphabet[Math.floor(Math.random() * 32)]).join('')}`

/** What is good only once: ids, and the jid of a job that is published as it is asked for. */
const fillIn =
  (id: string) =>
  async (name: string): Promise<string> => {
    if (name !== 'jid') return name === 'ownjid' ? `2026112113000000000${id.at(-1)}` : ulid()
    const { stdout } = await lab.run('brine', ['--async', id, 'test.ping'])
    return /\d{20}/.exec(stdout)?.[0] ?? ''
  }

// The version that a master serves besides its own is the one before.
test.each([String(PROTOCOL_VERSION), String(PROTOCOL_VERSION - 1)])(
  'is served where it says version %s',
  async (version) => {
    const id = `old${version}`
    const answers = await replay(recorded.exchanges, id, { origin, version, values: fillIn(id) })
    expect(answers.map(({ status }) => status)).toEqual(recorded.exchanges.map(({ status }) => status))
    for (const [index, { answer }] of answers.entries())
      expect(shapeOf(answer)).toMatchObject(shapeOf(recorded.exchanges[index]?.answer) as object)
  },
)

test('a version that is older still is told so', async () => {
  const [first] = recorded.exchanges
  const answers = await replay(first === undefined ? [] : [first], 'older', {
    origin,
    version: '-1',
    values: fillIn('older'),
  })
  expect(answers[0]).toMatchObject({ status: 426 })
})
