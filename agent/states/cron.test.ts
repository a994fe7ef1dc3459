// Crontabs, with a crontab program of the test's own that keeps them in a directory; and the text of a crontab.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mapping } from '../../core/value/index.ts'
import { parseTab, renderTab } from '../cron/tab.ts'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'

let minion: FakeMinion
let tab: string
const path = process.env.PATH

const crontab = `#!/bin/sh
[ "$1" = -u ] && shift 2
case $1 in
-l) cat "$CRONTAB" 2>/dev/null || { echo "no crontab" >&2; exit 1; };;
-) cat >"$CRONTAB.new"; grep -q refuse-me "$CRONTAB.new" && { echo "bad minute" >&2; exit 1; }; mv "$CRONTAB.new" "$CRONTAB";;
esac
`

beforeAll(async () => {
  minion = await fakeMinion()
  const bin = join(minion.fake.root, 'bin')
  tab = join(minion.fake.root, 'tab')
  await mkdir(bin)
  await writeFile(join(bin, 'crontab'), crontab)
  await chmod(join(bin, 'crontab'), 0o755)
  await writeFile(tab, '# mine\n1 2 3 4 5 /own\n')
  process.env.PATH = `${bin}:${path}`
  process.env.CRONTAB = tab
})

afterAll(async () => {
  process.env.PATH = path
  delete process.env.CRONTAB
  await minion.close()
})

const mark = '# Lines below here are managed by Salt, do not edit\n'
const whole = `# mine\n1 2 3 4 5 /own\n${mark}`

// In order: they build on each other.
describe.sequential('cron states', () => {
  it.each([
    [
      'present',
      { name: '/job', minute: 5, test: true },
      null,
      'Cron /job is set to be added',
      {},
      '# mine\n1 2 3 4 5 /own\n',
    ],
    [
      'present',
      { name: '/job', minute: 5 },
      true,
      "Cron /job added to root's crontab",
      { root: '/job' },
      `${whole}# SALT_CRON_IDENTIFIER:/job\n5 * * * * /job\n`,
    ],
    ['present', { name: '/job', minute: 5 }, true, 'Cron /job already present', {}, undefined],
    ['present', { name: '/job', minute: 6, test: true }, null, 'Cron /job is set to be updated', {}, undefined],
    [
      'present',
      { name: '/job', minute: 6, comment: 'why' },
      true,
      'Cron /job updated',
      { root: '/job' },
      `${whole}# why SALT_CRON_IDENTIFIER:/job\n6 * * * * /job\n`,
    ],
    [
      'present',
      { name: '/other', identifier: 'ID', special: '@daily' },
      true,
      "Cron /other added to root's crontab",
      { root: '/other' },
      `${whole}# why SALT_CRON_IDENTIFIER:/job\n6 * * * * /job\n# SALT_CRON_IDENTIFIER:ID\n@daily /other\n`,
    ],
    [
      'present',
      { name: '/third', identifier: 'ID', special: '@weekly' },
      true,
      'Cron /third updated',
      { root: '/third' },
      undefined,
    ],
    [
      'absent',
      { name: '/third', identifier: 'ID', special: '@weekly' },
      true,
      "Cron /third removed from root's crontab",
      { root: '/third' },
      undefined,
    ],
    [
      'env_present',
      { name: 'MAILTO', value: 'a@b.example' },
      true,
      "Cron env MAILTO added to root's crontab",
      { root: 'MAILTO' },
      `${whole}MAILTO=a@b.example\n# why SALT_CRON_IDENTIFIER:/job\n6 * * * * /job\n`,
    ],
    ['env_present', { name: 'MAILTO', value: 'a@b.example' }, true, 'Cron env MAILTO already present', {}, undefined],
    [
      'env_absent',
      { name: 'MAILTO' },
      true,
      "Cron env MAILTO removed from root's crontab",
      { root: 'MAILTO' },
      undefined,
    ],
    ['env_absent', { name: 'MAILTO' }, true, 'Cron env MAILTO already absent', {}, undefined],
    [
      'present',
      { name: '/job', minute: 6, comment: 'why', commented: true },
      true,
      'Cron /job updated',
      { root: '/job' },
      `${whole}# why SALT_CRON_IDENTIFIER:/job\n#DISABLED#6 * * * * /job\n`,
    ],
    ['absent', { name: '/job', test: true }, null, 'Cron /job is set to be removed', {}, undefined],
    ['absent', { name: '/job' }, true, "Cron /job removed from root's crontab", { root: '/job' }, whole],
    ['absent', { name: '/job' }, true, 'Cron /job already absent', {}, whole],
    [
      'present',
      { name: 'refuse-me' },
      false,
      'Cron refuse-me for user root failed to commit with error \nbad minute',
      {},
      whole,
    ],
  ] as const)('%s %j', async (fun, kwargs, result, comment, changes, text) => {
    const made = await minion.state(`cron.${fun}`, kwargs as unknown as Mapping)
    expect({ ...made, comment: String(made.comment).trimEnd() }).toEqual({
      name: kwargs.name,
      result,
      comment,
      changes,
    })
    if (text !== undefined) expect(await readFile(tab, 'utf8')).toBe(text)
  })

  it('keeps the time that was picked by chance', async () => {
    await minion.run('cron.set_job', ['root', 'random', 'random', '*', '*', '*', '/chance'])
    const first = await minion.run('cron.get_entry', ['root'], { cmd: '/chance' })
    expect(first).toMatchObject({ minute: expect.stringMatching(/^\d+$/), hour: expect.stringMatching(/^\d+$/) })
    expect(await minion.run('cron.set_job', ['root', 'random', 'random', '*', '*', '*', '/chance'])).toBe('present')
    expect(await minion.run('cron.rm_job', ['root', '/chance'])).toBe('removed')
  })
})

describe('the text of a crontab', () => {
  it('comes out as it went in', () => {
    const text = `${whole}A=b\n# two\n# lines SALT_CRON_IDENTIFIER:x\n*/5 * * * * a  b\n#DISABLED#1 1 1 1 1 c\n@reboot d\n`
    expect(renderTab(parseTab(text))).toBe(text)
  })
})
