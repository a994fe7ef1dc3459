// The browser: Debian's chromium, its complaints collected, pages judged by axe and photographed.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { ROOT } from '../system/built.ts'

/** Where chromium is, or undefined. `CHROMIUM` names another one. */
export const CHROMIUM = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== '' && existsSync(path),
)

/** Sizes that are looked at. */
export const DESK = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }

/** A page of its own, and what the browser complained about in it: errors, and what the Content-Security-Policy held up. */
export async function openPage(browser: Browser): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: DESK, colorScheme: 'light', reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(90_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A refused log-in or call is an answer; the browser tells of it all the same.
    if (message.type() === 'error' && !/status of 401/.test(message.text())) complaints.push(message.text())
  })
  await page.addInitScript(axe.source)
  return { page, complaints }
}

/** Starts it. */
export function startBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage']
  return chromium.launch({ executablePath: CHROMIUM ?? '', args, timeout: 120_000 })
}

/**
 * The page as it stands, light and dark, on a desk and on a phone: axe finds nothing in it, and nothing sticks out at the
 * side. With `BRINE_SCREENSHOTS` set it is photographed for docs/console/.
 */
export async function judge(page: Page, name: string): Promise<void> {
  for (const size of [DESK, PHONE]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      const found = await page.evaluate<string[]>(
        "axe.run().then(({ violations }) => violations.map((one) => one.id + ' (' + one.impact + '): ' + one.nodes.map((node) => node.html + ' ' + node.failureSummary).join('; ')))",
      )
      expect(found, `${name}, ${colorScheme}, ${size.width} wide`).toEqual([])
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(beyond, `${name} sticks out at ${size.width}`).toBeLessThanOrEqual(0)
      const wanted = size === DESK || colorScheme === 'light'
      if (process.env.BRINE_SCREENSHOTS !== undefined && wanted) {
        const file = `${name}${size === PHONE ? '-phone' : colorScheme === 'dark' ? '-dark' : ''}.png`
        mkdirSync(join(ROOT, 'docs/console'), { recursive: true })
        await page.screenshot({ path: join(ROOT, 'docs/console', file) })
      }
    }
  }
  await page.setViewportSize(DESK)
  await page.emulateMedia({ colorScheme: 'light' })
}
