// Files of pages: the console under its strict headers, Salt's `app` and `static`, and no way out of their folders.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildApp } from '../../master/api/app.ts'
import { consolePages } from '../../master/api/console-pages.ts'
import { defaultApiSettings } from '../../master/api/salt/index.ts'
import { appFront, appPages } from '../../platform/embedded/file-pages.ts'
import { type Stage, startStage, tcp } from './stage.ts'

let root: string
let stage: Stage
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'brine-pages-'))
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text)
  for (const folder of ['console', 'static']) mkdirSync(join(root, folder))
  write('console/index.html', '<p>console</p>')
  write('console/app.js', 'run()')
  write('static/style.css', 'p {}')
  write('app.html', '<p>app</p>')
  write('secret', 'secret')
  symlinkSync(join(root, 'secret'), join(root, 'static/link'))
  stage = await startStage()
})
afterEach(async () => {
  await stage.close()
  rmSync(root, { recursive: true })
})

function app(prefix = '/') {
  const settings = {
    ...defaultApiSettings,
    rootPrefix: prefix,
    app: join(root, 'app.html'),
    static: join(root, 'static'),
  }
  const { store } = stage.test
  const front = appFront(settings)
  const built = buildApp(
    [...stage.api.routes, ...consolePages(join(root, 'console'), settings), ...appPages(settings)],
    {
      tokens: store.tokens,
      keys: store.keys,
      clock: store.clock,
      report: () => undefined,
      ...(front === undefined ? {} : { front }),
    },
  )
  return async (path: string, headers: Record<string, string> = {}) =>
    built.fetch(new Request(`http://master${path}`, { headers }), tcp)
}

test('the console: its page, its files, their types, nothing inline and nothing from elsewhere', async () => {
  const ask = app()
  const moved = await ask('/console')
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/console/'])
  const page = await ask('/console/')
  expect([page.status, await page.text(), page.headers.get('content-type')]).toEqual([
    200,
    '<p>console</p>',
    'text/html;charset=utf-8',
  ])
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
    expect(policy).toContain(rule)
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  const script = await ask('/console/app.js')
  expect([await script.text(), script.headers.get('content-type')]).toEqual(['run()', 'text/javascript;charset=utf-8'])
  const again = await ask('/console/app.js', { 'if-none-match': script.headers.get('etag') ?? '' })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('below a prefix', async () => {
  const ask = app('/brine')
  expect((await ask('/brine/console')).headers.get('location')).toBe('/brine/console/')
  expect(await (await ask('/brine/console/app.js')).text()).toBe('run()')
})

test.each([
  '/console/../secret',
  '/static/..%2fsecret',
  '/static/%2e%2e/secret',
  '/static/link',
  '/static/',
  '/static/%00',
])('no way to %s', async (path) => {
  expect((await app()(path)).status).toBe(404)
})

test("Salt's app and static: the page at its path and wherever HTML is asked for, its files as they are", async () => {
  const ask = app()
  expect(await (await ask('/app')).text()).toBe('<p>app</p>')
  expect(await (await ask('/app/some/view')).text()).toBe('<p>app</p>')
  expect(await (await ask('/static/style.css')).text()).toBe('p {}')
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  expect(await (await ask('/', html)).text()).toBe('<p>app</p>')
  expect(await (await ask('/console/', html)).text()).toBe('<p>console</p>')
  expect(await (await ask('/', { accept: '*/*' })).json()).toMatchObject({ return: 'Welcome' })
})
