// Each page's main path, by mouse and by keyboard, in one session with a real master and its minions.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '../system/wait.ts'
import { CHROMIUM, judge, openPage, startBrowser } from './browser.ts'
import { type ConsoleStage, PASSWORD, startConsoleStage } from './stage.ts'

if (CHROMIUM === undefined)
  process.stderr.write(
    'test:console: no chromium here, its tests are skipped. Install it (apt-get install chromium) or set CHROMIUM.\n',
  )

describe.skipIf(CHROMIUM === undefined)('the console', () => {
  let stage: ConsoleStage
  let browser: Browser
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    stage = await startConsoleStage(['web1', 'db1'])
    browser = await startBrowser()
    ;({ page, complaints } = await openPage(browser))
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })

  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const go = async (title: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: title }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  }
  const logIn = async (user: string, to: Page = page): Promise<void> => {
    await to.goto(stage.url)
    await to.getByLabel('Name').fill(user)
    await to.getByLabel('Password or shared secret').fill(PASSWORD)
    await to.keyboard.press('Enter')
    await to.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
  }
  /** Goes on with the Tab key until what has the focus has this name. */
  const tabTo = async (name: string): Promise<void> => {
    const focused = `(() => { const at = document.activeElement; return (at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '').trim() })()`
    for (let steps = 0; steps < 60; steps++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate<string>(focused)).startsWith(name)) return
    }
    throw new Error(`60 times Tab led nowhere near ${name}`)
  }

  test('a wrong password is told, and the right one lets in', async () => {
    await page.goto(stage.url)
    await judge(page, 'log-in')
    await page.getByLabel('Name').fill('admin')
    await page.getByLabel('Password or shared secret').fill('wrong')
    await button('Log in').click()
    await page.getByRole('alert').getByText('are not right').waitFor()
    await logIn('admin')
    await page.getByText('live', { exact: true }).waitFor()
  })

  test('keys: one is accepted by mouse, one rejected by keyboard and accepted after all', async () => {
    await go('Keys')
    await button('Accept db1').waitFor()
    await judge(page, 'keys')
    await button('Accept web1').click()
    await page.getByRole('dialog').getByText('fingerprint').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
    await button('Reject web1').waitFor()
    await button('Accept web1').waitFor({ state: 'detached' })

    await tabTo('Reject db1')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await stage.embedded.master.keys.lists()).minions_pre).toEqual(['db1'])
    await button('Reject db1').press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo('Reject')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Rejected' }).waitFor()
    expect((await stage.embedded.master.keys.lists()).minions_rejected).toEqual(['db1'])

    await button('Accept db1').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('heading', { name: 'Rejected' }).waitFor({ state: 'detached' })
    expect((await stage.embedded.master.keys.lists()).minions).toEqual(['db1', 'web1'])
  })

  test('minions: they come by themselves, are found by target and tell their grains', async () => {
    await go('Minions')
    await page.getByText('2 minions, 2 connected').waitFor()
    await expect.poll(() => page.getByRole('row', { name: /^web1 connected \S+.* \d+\.\d+\.\d+ / }).count()).toBe(1)
    await page.getByLabel('Type').selectOption('compound')
    await page.getByLabel('Target').fill('G@id:web1 and not db*')
    await page.getByText('1 minion, 1 connected').waitFor()
    await page.getByLabel('Target').fill('E@[')
    await page.getByRole('alert').getByText('Invalid regular expression').waitFor()
    await page.getByLabel('Target').fill('*')
    await page.getByText('2 minions, 2 connected').waitFor()
    await tabTo('web1')
    await page.keyboard.press('Enter')
    const detail = page.getByRole('region', { name: 'Minion', exact: true })
    await detail.getByLabel('Name or value contains').fill('kernelrelease')
    await expect
      .poll(() => detail.getByRole('region', { name: 'Grains' }).textContent())
      .toMatch(/^\{\s+"kernelrelease": ".*"\s+\}$/)
    await detail.getByLabel('Name or value contains').fill('cpu')
    await judge(page, 'minions')
    await detail.getByRole('button', { name: 'Close' }).click()
    await detail.waitFor({ state: 'detached' })
  })

  test('jobs: a highstate by keyboard, failed first; the list leads back to it', async () => {
    await go('Jobs')
    await expect.poll(() => page.locator('#functions option[value="state.apply"]').count()).toBe(1)
    await tabTo('Target')
    await page.keyboard.type('web*')
    await tabTo('Function')
    await page.keyboard.type('state.apply')
    await tabTo('Arguments')
    await page.keyboard.type('web')
    await page.keyboard.press('Enter')
    const job = page.getByRole('region', { name: 'Job', exact: true })
    await job.getByText('1 of 1, 1 failed').waitFor()
    await expect.poll(() => job.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('1')
    const states = job.getByRole('rowheader')
    await expect
      .poll(() => states.allInnerTexts())
      .toEqual([
        expect.stringContaining('migrate'),
        expect.stringContaining('motd'),
        expect.stringContaining('web service'),
        expect.stringContaining('certificate'),
      ])
    await judge(page, 'jobs')
    await job.getByRole('button', { name: 'Close' }).click()
    await job.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'All jobs' }).getByRole('link', { name: 'state.apply' }).first().click()
    await job.getByText('1 of 1, 1 failed').waitFor()
  })

  test('jobs: returns come in one by one', async () => {
    await page.getByLabel('Target').fill('*')
    await page.getByLabel('Function', { exact: true }).fill('cmd.run')
    await page.getByLabel('Arguments').fill(`'[ "$(basename $PWD)" ]; sleep 0.2; echo one two' cwd=/ python_shell=true`)
    await button('Run').click()
    const job = page.getByRole('region', { name: 'Job', exact: true })
    await job.getByRole('heading', { name: /cmd.run/ }).waitFor()
    await job.getByText('2 of 2').waitFor()
    await expect.poll(() => job.getByText('one two', { exact: true }).count()).toBe(2)
    await page.getByLabel('Target').fill('nobody*')
    await button('Run').click()
    await page.getByRole('alert').getByText('means no minion').waitFor()
  })

  test('events: live, filtered, paused, and traced to the return', async () => {
    await go('Events')
    const rows = page.getByRole('list', { name: 'Events, newest first' }).getByRole('button')
    const hello = (id: string) =>
      stage.embedded.master.fire({ tag: 'hello/world', data: { id, data: { name: 'you' } } })
    await hello('web1')
    await rows.filter({ hasText: 'hello/world' }).first().waitFor()
    await waitForReturn(stage, 'hello you')
    await rows.filter({ hasText: 'hello/world' }).first().click()
    const detail = page.getByRole('region', { name: 'Event', exact: true })
    for (const part of ['greet: local.test.echo', 'web1', 'hello you', '"name"'])
      await detail.getByText(part).first().waitFor()
    await expect.poll(() => detail.locator('.badge').allInnerTexts()).toEqual(['event', 'reaction', 'job', 'return'])
    await judge(page, 'events')
    await detail.getByRole('button', { name: 'Close' }).click()

    await page.getByLabel('Tag', { exact: true }).fill('salt/job/*/ret/web?')
    await expect
      .poll(() => rows.allInnerTexts())
      .toSatisfy((all: string[]) => all.length > 0 && all.every((row) => /\/ret\/web1/.test(row)))
    await page.getByLabel('Tag', { exact: true }).fill('nothing like it')
    await page.getByText('No event fits').waitFor()
    await page.getByLabel('Tag', { exact: true }).fill('hello')
    await rows.filter({ hasText: 'hello/world' }).first().waitFor()
    const before = await rows.count()
    await button('Pause').click()
    await hello('web1')
    await button('Go on (1 new)').waitFor()
    expect(await rows.count()).toBe(before)
    await button('Go on').press('Enter')
    await expect.poll(() => rows.count()).toBe(before + 1)
    await rows.first().focus()
    await page.keyboard.press('Enter')
    await detail.getByText('greet: local.test.echo').waitFor()
    await page.keyboard.press('Escape')
    await detail.waitFor({ state: 'detached' })
  })

  test('reactors: entries, hits, and the bench', async () => {
    await go('Reactors')
    await page.getByRole('row', { name: /hello\/\*.* 2 0 / }).waitFor()
    await tabTo('Tag')
    await page.evaluate(
      `document.execCommand('insertText', false, 'hello/there\\t{"id": "db1", "data": {"name": "x: [y"}}')`,
    )
    await expect.poll(() => page.getByLabel('Tag', { exact: true }).inputValue()).toBe('hello/there')
    await tabTo('What would run?')
    await page.keyboard.press('Enter')
    await page.getByText('local test.echo on db1 "hello x: [y"').waitFor()
    await page.getByText('1 entry does not react').waitFor()
    await page.getByLabel('Data (JSON or YAML)').fill('{}')
    await button('What would run?').click()
    await page
      .getByText(/has no attribute|undefined/)
      .first()
      .waitFor()
  })

  test('reactors: what was given up is redriven, or discarded', async () => {
    for (const order of [1, 2]) {
      stage.failNext(2)
      await stage.embedded.master.fire({ tag: `shop/order/${order}/paid`, data: { order } })
      await button(new RegExp(`Redrive shop/order/${order}/paid`)).waitFor()
    }
    await judge(page, 'reactors')
    await button(/Redrive shop\/order\/1/).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Redrive' }).click()
    await button(/Redrive shop\/order\/1/).waitFor({ state: 'detached' })
    await waitForReturn(stage, 'pack 1')
    await button(/Discard shop\/order\/2/).press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo('Discard')
    await page.keyboard.press('Enter')
    await page.getByText('No reaction was given up.').waitFor()
  })

  test('orchestrations: started, watched to the end', async () => {
    await go('Orchestrations')
    await tabTo('SLS and arguments')
    stage.holdDrain()
    await page.keyboard.type('orch.deploy')
    await page.keyboard.press('Enter')
    const shown = page.getByRole('region', { name: 'Orchestration', exact: true })
    await shown.getByText('waiting').first().waitFor()
    await judge(page, 'orchestrations')
    stage.letDrain()
    await shown.getByText('3 of 3').waitFor()
    await shown.getByText('done').first().waitFor()
    stage.holdDrain()
    await button('Start').click()
    await button('Cancel').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    stage.letDrain()
    await shown.getByText('not run').first().waitFor()
  })

  test('light and dark can be chosen, and stay chosen', async () => {
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const light = await ground()
    await page.getByLabel('Colours').selectOption('dark')
    await expect.poll(ground).not.toBe(light)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(ground).not.toBe(light)
    await page.getByLabel('Colours').selectOption('auto')
    await expect.poll(ground).toBe(light)
  })

  test('whoever may little is told what is missing', async () => {
    const other = await openPage(browser)
    await logIn('limited', other.page)
    await other.page.getByRole('link', { name: 'Keys' }).click()
    await other.page.getByRole('alert').getByText('You may not call key.list_all').waitFor()
    await other.page.context().close()
  })

  test('a session that ended elsewhere leads to the log-in', async () => {
    await page.evaluate(
      `fetch('../logout', { method: 'POST', headers: { 'x-auth-token': JSON.parse(sessionStorage.getItem('brine-session')).token } })`,
    )
    await page.getByText('Your session has ended').waitFor()
    await logIn('admin')
    await button('Log out').click()
    await page.getByLabel('Name').waitFor()
    await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0)
  })

  test('the browser had nothing to complain about', () => {
    expect(complaints).toEqual([])
  })
})

async function waitForReturn(stage: ConsoleStage, text: string): Promise<void> {
  await waitFor(`a return "${text}"`, async () => {
    for await (const batch of stage.embedded.store.log.back())
      return batch.some(({ tag, data }) => tag.includes('/ret/') && JSON.stringify(data).includes(text))
        ? true
        : undefined
    return undefined
  })
}
