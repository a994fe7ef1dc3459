// The console as the deployed gateway serves it, in a browser: somebody logs in, sees events, accepts a key, runs a job.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, openPage, startBrowser } from '../../console/browser.ts'
import { waitFor } from '../../system/wait.ts'
import type { AwsWorld } from '../world.ts'

/** Milliseconds for what a page waits for: a window of events lasts up to 24 s. */
const patience = 90_000

/** What the stack needs for them: somebody who may log in. */
export const consoleContext = {
  externalAuth: JSON.stringify({ sharedsecret: { admin: ['.*', '@runner', '@wheel', '@jobs'] } }),
  settings: JSON.stringify({
    sharedsecret: 'console-secret',
    netapi_enable_clients: ['local_async', 'runner', 'runner_async', 'wheel'],
  }),
}

/** They need a minion, `web2`, that is accepted. */
export function consoleStories(world: () => AwsWorld): void {
  if (CHROMIUM === undefined)
    process.stderr.write(
      'test:aws: no chromium here, the console is not tried on AWS. Install it (apt-get install chromium) or set CHROMIUM.\n',
    )

  describe.skipIf(CHROMIUM === undefined)('the console', { timeout: 600_000 }, () => {
    let browser: Browser
    let page: Page
    let complaints: string[]
    const sockets: { readonly url: string; readonly said: string[]; readonly heard: string[] }[] = []
    beforeAll(async () => {
      browser = await startBrowser()
      ;({ page, complaints } = await openPage(browser))
      page.setDefaultTimeout(patience)
      page.on('websocket', (socket) => {
        const one = { url: socket.url(), said: [] as string[], heard: [] as string[] }
        sockets.push(one)
        socket.on('framesent', ({ payload }) => one.said.push(String(payload)))
        socket.on('framereceived', ({ payload }) => one.heard.push(String(payload)))
      })
    })
    afterAll(() => browser?.close())

    const button = (name: string | RegExp) => page.getByRole('button', { name })
    const go = async (title: string): Promise<void> => {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: title }).click()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }

    it('lets in who knows the secret', async () => {
      await page.goto(`${world().stack.outputs.ApiUrl}/console/`)
      await page.getByLabel('Name').fill('admin')
      await page.getByLabel('Password or shared secret').fill('console-secret')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
    })

    it('shows events as they come, each once', async () => {
      await page.getByText('live', { exact: true }).waitFor()
      const rows = page.getByRole('list', { name: 'Events, newest first' }).getByRole('button')
      for (const n of [1, 2, 3]) {
        await world().connection.fire(`console/hello/${n}`, { n })
        await rows
          .filter({ hasText: `console/hello/${n}` })
          .first()
          .waitFor()
      }
      await page.getByLabel('Tag', { exact: true }).fill('console/hello/?')
      await expect.poll(() => rows.count(), { timeout: patience }).toBe(3)
      await rows.first().click()
      const detail = page.getByRole('region', { name: 'Event', exact: true })
      await detail.getByText('"n"').first().waitFor()
      await detail.getByRole('button', { name: 'Close' }).click()
    })

    it('is told of news by a socket, which a ticket opened', async () => {
      // The one that is in use: a socket that did not open in time is tried again, by another ticket.
      const inUse = () => sockets.findLast(({ said }) => said.length > 0)
      await expect.poll(inUse, { timeout: patience }).toBeDefined()
      const socket = inUse()
      expect(new Set(sockets.map(({ url }) => url)).size).toBe(sockets.length)
      expect(socket?.url).toMatch(new RegExp(`^${world().stack.outputs.SocketUrl}\\?ticket=\\S+$`))
      const heard = socket?.heard.length ?? 0
      // What comes between a ring and the look that it leads to is seen by that look, and rings no more.
      await waitFor('a ring', async () => {
        await world().connection.fire('console/rung', {})
        const rung = () => ((socket?.heard.length ?? 0) > heard ? true : undefined)
        return waitFor('a ring', rung, 5_000).catch(() => undefined)
      })
      expect(new Set(socket?.heard)).toEqual(new Set(['{"events":true}']))
      expect(socket?.said.every((text) => text.startsWith('{"action":"watch","cursor":'))).toBe(true)
    })

    it('accepts a key', async () => {
      world().startMinion('console1')
      await go('Keys')
      await button('Accept console1').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
      await button('Accept console1').waitFor({ state: 'detached' })
      await world().waitForEvent({ tag: 'salt/minion/console1/start' })
      expect(await world().connection.keys({ act: 'list' })).toMatchObject({
        lists: { minions: expect.arrayContaining(['console1']) },
      })
    })

    it('runs a job and shows its return', async () => {
      await go('Jobs')
      await page.getByLabel('Target').fill('console1')
      await page.getByLabel('Function', { exact: true }).fill('test.echo')
      await page.getByLabel('Arguments').fill(`'from the console'`)
      await button('Run').click()
      const job = page.getByRole('region', { name: 'Job', exact: true })
      await job.getByText('1 of 1').waitFor()
      await job.getByText('from the console', { exact: true }).waitFor()
    })

    it('lists orchestrations', async () => {
      await go('Orchestrations')
      await page.getByText('No orchestration has run').or(page.getByRole('table')).waitFor()
    })

    it('gives the browser nothing to complain about', () => {
      expect(complaints).toEqual([])
    })
  })
}
