// SaltGUI, unmodified: its files behind the API's origin, and the requests it makes. With a checkout (`BRINE_SALTGUI`, the folder
// that holds index.html) in Chromium; otherwise what it posts is posted as it posts it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiLab, startApiLab } from './api-lab.ts'

const folder = process.env.BRINE_SALTGUI
const chromium = process.env.BRINE_CHROMIUM ?? '/usr/bin/chromium'
const inBrowser = folder !== undefined && existsSync(join(folder, 'index.html')) && existsSync(chromium)
if (!inBrowser) console.log('saltgui: no checkout in BRINE_SALTGUI, or no Chromium; 1 test skipped')

let stage: ApiLab
let token = ''
beforeAll(async () => {
  const page = folder === undefined ? '' : `  app: ${join(folder, 'index.html')}\n  static: ${join(folder, 'static')}\n`
  stage = await startApiLab(['db1', 'web-asg-1'], '', page)
}, 120_000)
afterAll(() => stage.lab.close())

const url = () => `http://127.0.0.1:${stage.port}`

/** As SaltGUI's fetch sends it: JSON as text, the token in a header. */
async function post(path: string, body: unknown): Promise<{ status: number; value: unknown }> {
  const headers = { accept: 'application/json', 'cache-control': 'no-cache', 'x-auth-token': token }
  const answer = await fetch(`${url()}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, value: answer.ok ? await answer.json() : await answer.text() }
}

describe('what it posts', () => {
  it('logs in with one object, as text', async () => {
    const { status, value } = await post('/login', {
      eauth: 'sharedsecret',
      password: 'brine-lab-secret',
      username: 'saltdev',
    })
    expect(status).toBe(200)
    const [session] = (value as { return: [{ token: string; perms: unknown[]; expire: number }] }).return
    expect(session.perms.length).toBeGreaterThan(0)
    token = session.token
  })

  const minions = { db1: expect.anything(), 'web-asg-1': expect.anything() }
  const every = { tgt_type: 'glob', tgt: '*' }
  it.each([
    [
      { client: 'wheel', fun: 'key.list_all' },
      { data: { return: { minions: ['db1', 'web-asg-1'], minions_pre: [] } } },
    ],
    [{ client: 'wheel', fun: 'key.finger', match: '*' }, { data: { return: { minions } } }],
    [{ client: 'local', fun: 'grains.items', ...every }, minions],
    [{ client: 'local', fun: 'beacons.list_available', kwarg: { return_yaml: false }, ...every }, minions],
    [{ client: 'local', fun: 'beacons.list', kwarg: { return_yaml: false }, ...every }, minions],
    [{ client: 'local', fun: 'schedule.list', kwarg: { return_yaml: false }, ...every }, minions],
    [{ client: 'local', fun: 'pillar.obfuscate', ...every }, minions],
    [{ client: 'local', fun: 'test.version', ...every }, minions],
    [{ client: 'local', fun: 'test.providers', ...every }, minions],
    [{ client: 'local_async', fun: 'test.ping', ...every }, { jid: expect.stringMatching(/^\d{20}$/) }],
    [{ client: 'runner', fun: 'jobs.list_jobs' }, {}],
    [{ client: 'runner', fun: 'jobs.list_jobs', search_function: ['state.highstate', 'state.apply'] }, {}],
    [{ client: 'runner', fun: 'jobs.active' }, {}],
    [{ client: 'runner', fun: 'manage.versions' }, { Master: expect.anything() }],
  ])('%j', async (call, expected) => {
    const { status, value } = await post('/', call)
    expect({ status, value }).toMatchObject({ status: 200, value: { return: [expected] } })
  })

  it('reads events on the cookie alone, in frames that need no listener by name', async () => {
    const answer = await fetch(`${url()}/events`, { headers: { cookie: `session_id=${token}` } })
    const reader = answer.body?.getReader()
    await reader?.read()
    await post('/', { client: 'local_async', fun: 'test.ping', ...every })
    const text = new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel()
    expect(text).toMatch(/^tag: /)
    expect(text).not.toMatch(/^event:/m)
  })
})

it.skipIf(!inBrowser)(
  'in Chromium: logs in, lists minions and keys, runs a command, shows live events',
  async () => {
    const { chromium: browsers } = await import('playwright-core')
    const browser = await browsers.launch({ executablePath: chromium, args: ['--no-sandbox'] })
    try {
      const page = await browser.newPage()
      page.setDefaultTimeout(15_000)
      await page.goto(`${url()}/`)
      await page.fill('#username', 'saltdev')
      await page.fill('#password', 'brine-lab-secret')
      // Its list of backends comes from a file of the user's (salt-auth.txt); here the choice is added by hand.
      await page.$eval('form select', (select) => {
        select.innerHTML = '<option value="sharedsecret" selected>sharedsecret</option>'
      })
      await page.click('#login-button')
      await page.waitForSelector('#page-minions >> text=web-asg-1')
      await page.goto(`${url()}/#keys`)
      await page.waitForSelector('#page-keys >> text=db1')
      await page.goto(`${url()}/#events`)
      await page.click('#page-events .small-button-left >> nth=1')
      await stage.lab.connection().fire('lab/seen/by/saltgui', {})
      await page.waitForSelector('#page-events >> text=lab/seen/by/saltgui')
    } finally {
      await browser.close()
    }
  },
  90_000,
)
