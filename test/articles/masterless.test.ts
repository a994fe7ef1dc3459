// ARTICLES.md, F, steps 48 and 49: a minion without a master that reacts to its own bus, and brine-call beside it.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'

/** 003:203 and below. */
const TOUCH = `touch_file:
  caller.file.touch:
    - args:
      - name: @LAB@/foo
`

let lab: Lab
beforeAll(async () => {
  lab = await createLab()
  lab.write('srv/reactor/touch.sls', TOUCH)
  const reactor = `reactor:\n  - 'my/event':\n    - ${lab.root}/srv/reactor/touch.sls\n`
  lab.startMinion('alone', `file_client: local\n${reactor}`)
}, 180_000)
afterAll(() => lab.close())

const foo = (): string => join(lab.root, 'foo')
const call = (...words: string[]) => lab.run('brine-call', words, { env: lab.minionEnv('alone') })

test('48: the reaction to an event of its own bus touches the file', async () => {
  await waitFor('the file', async () => {
    await call('--local', 'event.fire', '{"a": 1}', 'my/event')
    return existsSync(foo()) ? true : undefined
  })
}, 180_000)

test('49: brine-call file.touch', async () => {
  rmSync(foo(), { force: true })
  const ended = await call('file.touch', `name=${foo()}`)
  expect(ended).toMatchObject({ exit: 0, stdout: 'local:\n    True\n' })
  expect(existsSync(foo())).toBe(true)
}, 180_000)
