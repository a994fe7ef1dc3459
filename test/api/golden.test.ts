// Every exchange recorded with salt-api, made again with ours: equal, but for what is decided otherwise.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiLab, startApiLab } from './api-lab.ts'
import { exchangesOf, judge } from './judge.ts'
import { exchanges } from './recorded.ts'

const names = exchangesOf(exchanges)
if (names.length === 0) console.log('api: the recorded exchanges are not beside the repository; 1 test skipped')

/** Why an exchange differs. */
const decided: Readonly<Record<string, string>> = {
  wheel_bad: 'Salt shows a Python traceback',
}

describe.skipIf(names.length === 0)('the exchanges recorded with salt-api', () => {
  let stage: ApiLab
  beforeAll(async () => {
    stage = await startApiLab()
  }, 180_000)
  afterAll(() => stage.lab.close())

  it('come out equal, but for what is decided otherwise', async () => {
    const verdicts = await judge(stage, exchanges, names)
    const different = verdicts.filter(({ differences }) => differences.length > 0)
    const told = different.map(({ name, differences }) => `${name}: ${decided[name] ?? differences.join('\n')}`)
    console.log([...told, `${verdicts.length - different.length} of ${verdicts.length} equal`].join('\n'))
    expect(different.map(({ name }) => name).sort()).toEqual(Object.keys(decided).sort())
  }, 180_000)
})
