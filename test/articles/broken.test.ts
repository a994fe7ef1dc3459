// ARTICLES.md, H, step 59: a reactor file that does not render is told in the log, and others go on.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'

const REACTOR = `reactor:
  - 'salt/auth':
    - /srv/reactor/auth.sls
    - /srv/reactor/watch.sls
`
const AUTH = `{% if data['act'] == 'pend' and data['id'].startswith('web-asg-') %}
accept_minion:
  wheel.key.accept:
    - match: {{ data['id']
{% endif %}
`
const WATCH = `seen:
  runner.event.send:
    - args:
      - tag: seen/{{ data['id'] }}
`

let lab: Lab
beforeAll(async () => {
  lab = await createLab()
  lab.write('etc/brine/master.d/reactor.conf', REACTOR)
  lab.write('srv/reactor/auth.sls', AUTH)
  lab.write('srv/reactor/watch.sls', WATCH)
  await lab.startMaster()
}, 180_000)
afterAll(() => lab.close())

test('59: the bus shows salt/auth, the log names file, line and error, and other reactors go on', async () => {
  lab.startMinion('web-asg-7')
  await lab.waitForEvent({ tag: 'salt/auth', has: { act: 'pend', id: 'web-asg-7' } })
  await lab.waitForEvent({ tag: 'seen/web-asg-7' })
  await lab.waitForEvent({ tag: 'brine/reactor/error' })
  const log = (): string => readFileSync(join(lab.root, 'logs/master.log'), 'utf8')
  const line = await waitFor('the error in the log', () =>
    log()
      .split('\n')
      .find((text) => text.includes('auth.sls:')),
  )
  expect(line).toMatch(/auth\.sls:5:\d+: /)
  expect(line).toContain('salt/auth')
}, 180_000)
