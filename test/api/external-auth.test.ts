// What the master says at its start of an `external_auth` that grants less than it seems to.
import { expect, it } from 'vitest'
import { readExternalAuth } from '../../master/acl/index.ts'
import { serve } from './served.ts'

it('names each entry that grants nothing', async () => {
  const served = await serve({ externalAuth: readExternalAuth({ sharedsecret: { fred: [5, 'test.*'] } }) })
  await served.close()
  expect(served.logged.filter((line) => line.startsWith('external_auth'))).toEqual([
    'external_auth: sharedsecret: fred: 5 grants nothing: an entry is a text, or a map with one key',
  ])
})
