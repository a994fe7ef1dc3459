// ARTICLES.md, E and F, steps 37, 38 and 42 to 44: a file is changed, its beacon tells, and a state run puts it right.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'

const RIGHT = 'important_config: True\n'
const WRONG = 'this is the second testing\n'

/** 003:108-113, in a place of the test's own. */
const BEACONS = `beacons:
  inotify:
    @LAB@/important_file:
      mask:
        - modify
    disable_during_state_run: True
`
/** 003:164-166. */
const REACTOR = `reactor:
  - salt/beacon/*/inotify/@LAB@/important_file:
    - /srv/reactor/revert.sls
`
/** 003:169-201: the target is the event's minion, a nodegroup, or a grain. */
const revert = (tgt: string): string => `revert-file:
  local.state.apply:
${tgt}
    - arg:
      - maintain_important_file
    - kwarg:
      - saltenv: central
`
const byId = revert("    - tgt: {{ data['data']['id'] }}")
const byNodegroup = revert('    - tgt: group1\n    - tgt_type: nodegroup')
const byGrain = revert("    - tgt: 'os:ubuntu'\n    - tgt_type: grain")
/** 003:178-182. */
const STATE = `important_file:
  file.managed:
    - name: @LAB@/important_file
    - contents: |
        important_config: True
`

let lab: Lab
let file: string
const content = (): string => readFileSync(file, 'utf8')

beforeAll(async () => {
  lab = await createLab()
  file = join(lab.root, 'important_file')
  const roots = 'file_roots: {base: [@LAB@/srv/salt], central: [@LAB@/srv/salt]}\n'
  lab.write('etc/brine/master.d/central.conf', `${roots}nodegroups: {group1: 'larry'}\n`)
  lab.write('etc/brine/master.d/reactor.conf', REACTOR)
  lab.write('srv/salt/maintain_important_file.sls', STATE)
  lab.write('srv/reactor/revert.sls', '# nothing yet\n')
  lab.write('etc/larry/minion.d/beacons.conf', BEACONS)
  writeFileSync(file, RIGHT)
  await lab.startMaster()
  const grains = 'grains: {os: Ubuntu}\nloop_interval: 0.3\n'
  for (const id of ['larry', 'moe']) lab.startMinion(id, id === 'larry' ? grains : '')
  await Promise.all(
    ['larry', 'moe'].map(async (id) => {
      await lab.waitForEvent({ tag: 'salt/auth', has: { id } })
      await lab.run('brine-key', ['-y', '-a', id])
      await lab.waitForEvent({ tag: `salt/minion/${id}/start` })
    }),
  )
}, 180_000)
afterAll(() => lab.close())

const beacons = (from: number) => lab.events.slice(from).filter(({ tag }) => tag.startsWith('salt/beacon/')).length

/** Waits until the beacon looks: it tells an append. */
async function changed(): Promise<void> {
  const from = lab.mark()
  await waitFor('the beacon event', () => {
    if (lab.events.slice(from).some(({ tag }) => tag.startsWith('salt/beacon/larry/inotify/'))) return true
    appendFileSync(file, WRONG)
    return new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 700))
  })
}

/** Waits until what was begun is over: each job has returned, the file is right, and nothing more is told for a while. */
async function settled(): Promise<void> {
  let [count, since] = [-1, 0]
  await waitFor('what was begun to be over', () => {
    const tags = lab.events.map(({ tag }) => tag)
    if (tags.length !== count) [count, since] = [tags.length, performance.now()]
    const begun = tags.filter((tag) => /^salt\/job\/\d+\/new$/.test(tag)).length
    const ended = tags.filter((tag) => /^salt\/job\/\d+\/ret\//.test(tag)).length
    return begun === ended && content() === RIGHT && performance.now() - since > 1500 ? true : undefined
  })
}

test('38: an append is told, flat, and in data with its tag', async () => {
  await changed()
  const tag = `salt/beacon/larry/inotify/${file}`
  const told = await lab.waitForEvent({ tag })
  expect(told.data).toMatchObject({
    id: 'larry',
    path: file,
    change: 'IN_MODIFY',
    data: { id: 'larry', path: file, change: 'IN_MODIFY' },
    tag,
  })
  expect(told.data).toHaveProperty('_stamp')
  const from = lab.mark()
  writeFileSync(file, RIGHT)
  await waitFor('that to be told, too', () => (beacons(from) > 0 ? true : undefined))
}, 180_000)

/** Waits until the master reacts so: it reads a file when the watch tells that it changed. */
async function inForce(target: string): Promise<void> {
  const data = JSON.stringify({ id: 'larry', data: { id: 'larry' } })
  const asked = ['reactor.test', `salt/beacon/larry/inotify/${file}`, data, '--out=json']
  await waitFor(`a reaction on ${target} to be in force`, async () => {
    const { stdout } = await lab.run('brine-run', asked)
    return stdout.includes('maintain_important_file') && stdout.includes(target) ? true : undefined
  })
}

describe('42 to 44: the state run puts the file right, and is not told itself', () => {
  test.each([
    ['42, by the id in the event', byId, '"larry"'],
    ['43, by a nodegroup', byNodegroup, '"group1"'],
    ['44, by a grain', byGrain, '"os:ubuntu"'],
  ])(
    '%s',
    async (_, reaction, target) => {
      await settled()
      lab.write('srv/reactor/revert.sls', reaction)
      await inForce(target)
      const from = lab.mark()
      appendFileSync(file, WRONG)
      const job = await lab.waitForEvent({ tag: 'salt/job/*/new', has: { fun: 'state.apply' }, from })
      expect(job.data).toMatchObject({
        arg: ['maintain_important_file', { __kwarg__: true, saltenv: 'central' }],
        minions: ['larry'],
      })
      const ret = await lab.waitForEvent({ tag: 'salt/job/*/ret/larry', has: { fun: 'state.apply' }, from })
      expect(ret.data).toMatchObject({ retcode: 0, success: true })
      expect(content()).toBe(RIGHT)
      const told = beacons(from)
      // Three turns of the beacon: had the run been told, it would be by now.
      await new Promise((resolve) => setTimeout(resolve, 1000))
      expect(beacons(from)).toBe(told)
      const jobs = lab.events.slice(from).filter(({ tag }) => /^salt\/job\/\d+\/new$/.test(tag)).length
      appendFileSync(file, WRONG)
      await waitFor('the later edit to be put right', () => {
        const later = lab.events.slice(from).filter(({ tag }) => /^salt\/job\/\d+\/new$/.test(tag)).length
        return later > jobs && content() === RIGHT ? true : undefined
      })
    },
    180_000,
  )
})
