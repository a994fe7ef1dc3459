// Reactors and their configuration change under a running master: all at once, or not at all.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLab, type Lab } from './lab.ts'
import { waitFor } from './wait.ts'

const note = (word: string): string =>
  `note:\n  runner.event.send:\n    - args:\n        tag: noted/${word}/{{ data['n'] }}\n`

let lab: Lab
beforeAll(async () => {
  lab = await createLab()
  lab.write('etc/brine/master.d/reactor.conf', 'reactor:\n  - one: [/srv/reactor/note.sls]\n')
  lab.write('srv/reactor/note.sls', note('first'))
  await lab.startMaster()
}, 180_000)
afterAll(() => lab.close())

const log = (): string => readFileSync(join(lab.root, 'logs/master.log'), 'utf8')
let numbers = 0

/** Fires until what is noted is what it should be: a change of files is seen when the watch tells of it. */
async function fireUntil(tag: string, noted: string): Promise<void> {
  const first = numbers + 1
  const from = lab.mark()
  const isNoted = (text: string): boolean => {
    const [, word, n] = /^noted\/(.*)\/(\d+)$/.exec(text) ?? []
    return word === noted && Number(n) >= first
  }
  await waitFor(`noted/${noted} after ${tag}`, async () => {
    await lab.connection().fire(tag, { n: ++numbers })
    // An earlier one may be noted after later ones were fired.
    await new Promise((resolve) => setTimeout(resolve, 100))
    return lab.events.slice(from).some((event) => isNoted(event.tag)) ? true : undefined
  })
}

/** Fires once and answers the words that were noted by the time the reaction was explained as done. */
async function notedBy(tag: string): Promise<string[]> {
  const n = ++numbers
  await lab.connection().fire(tag, { n })
  await lab.waitForEvent({ tag: `noted/*/${n}` })
  return lab.events.flatMap((event) => new RegExp(`^noted/(.*)/${n}$`).exec(event.tag)?.[1] ?? [])
}

test('an edit of a file, or of the entries, is in force without a restart', async () => {
  await fireUntil('one', 'first')
  lab.write('srv/reactor/note.sls', note('second'))
  await fireUntil('one', 'second')
  lab.write('etc/brine/master.d/reactor.conf', 'reactor:\n  - two: [/srv/reactor/note.sls]\n')
  await fireUntil('two', 'second')
  expect(log()).not.toContain('refused')
}, 180_000)

test('a set that does not parse is refused with its errors, and the old one stays', async () => {
  lab.write('srv/reactor/other.sls', note('other'))
  lab.write('srv/reactor/note.sls', 'note:\n  runner.event.send:\n    - args:\n        tag: {{ data[ }}\n')
  await waitFor('the refusal', () => (/refused.*note\.sls:4: /.test(log()) ? true : undefined))
  // The new entry is fine, and comes with the file that is not: neither is in force.
  lab.write(
    'etc/brine/master.d/reactor.conf',
    'reactor:\n  - two: [/srv/reactor/note.sls]\n  - two: [/srv/reactor/other.sls]\n',
  )
  await waitFor('the second refusal', () => (log().split('note.sls:4: ').length > 2 ? true : undefined))
  expect(await notedBy('two')).toEqual(['second'])

  lab.write('srv/reactor/note.sls', note('third'))
  await fireUntil('two', 'third')
  await fireUntil('two', 'other')
}, 180_000)

test('SIGHUP says which changed keys need a restart', async () => {
  const { pid } = lab.master() ?? {}
  if (pid === undefined) throw new Error('no master runs')
  lab.write('etc/brine/master.d/more.conf', 'timeout: 33\nreactor_breaker: 5\n')
  process.kill(pid, 'SIGHUP')
  await waitFor('the two keys', () => (log().includes('SIGHUP: reactor_breaker, timeout changed') ? true : undefined))
  lab.write('etc/brine/master.d/more.conf', 'timeout: soon\n')
  process.kill(pid, 'SIGHUP')
  await waitFor('the refusal', () =>
    /SIGHUP: the configuration does not read.*timeout/.test(log()) ? true : undefined,
  )
  lab.write('etc/brine/master.d/more.conf', '')
}, 180_000)

test('SIGHUP reads the configuration again, and refuses one with a bad pattern', async () => {
  const entry = (match: string): string => `reactor:\n  - two: {sls: [/srv/reactor/note.sls], match: ${match}}\n`
  lab.write('etc/brine/master.d/reactor.conf', entry('{n: 5}'))
  const { pid } = lab.master() ?? {}
  if (pid === undefined) throw new Error('no master runs')
  process.kill(pid, 'SIGHUP')
  await waitFor('the refusal', () =>
    /refused.*data\.n: 5 is a number, not a list\. Write \[5\]/.test(log()) ? true : undefined,
  )
  await fireUntil('two', 'third')

  lab.write('etc/brine/master.d/reactor.conf', entry('{n: [{numeric: [">", 0]}]}'))
  process.kill(pid, 'SIGHUP')
  // The entry before it reacts to the same events.
  await waitFor('the new entry', async () =>
    (await lab.run('brine-run', ['reactor.list', '--out', 'json'])).stdout.includes('numeric') ? true : undefined,
  )
  await fireUntil('two', 'third')
  expect(lab.master()?.exit()).toBeUndefined()
}, 180_000)
