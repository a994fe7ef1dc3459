// State runs of other processes, seen in the folder where they say that they are under way; and a beacon that is not to
// tell of them, however soon after their end it is looked at.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { waitFor } from '../../test/system/wait.ts'
import { silentLog } from '../outside.ts'
import { StateRuns } from '../states/state-runs.ts'
import { Beacons } from './beacons.ts'
import { inotifyBeacon } from './inotify/inotify.ts'
import { OtherRuns } from './other-runs.ts'

let folder: string
let ended: number
let others: OtherRuns
let whenEnded: () => void
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brine-other-runs-'))
  ended = 0
  whenEnded = () => undefined
  others = new OtherRuns(join(folder, 'proc'), silentLog, () => {
    ended++
    whenEnded()
  })
})
afterEach(() => {
  others.close()
  rmSync(folder, { recursive: true })
})

async function begin(jid: string): Promise<() => void> {
  const turn = await new StateRuns(join(folder, 'proc')).begin('state.single', jid, 0, new AbortController().signal)
  if (turn.kind !== 'begun') throw new Error('another run is in the way')
  return turn.end
}

const passing = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

it('is told of an end by who asks, before the file system tells', async () => {
  const end = await begin('1')
  await passing(100)
  expect(others.isRunning()).toBe(true)
  const before = ended
  end()
  expect(others.isRunning()).toBe(false)
  expect(ended).toBe(before + 1)
  expect(others.isRunning()).toBe(false)
  expect(ended).toBe(before + 1)
})

it('is told of an end without asking', async () => {
  const end = await begin('1')
  await passing(100)
  const before = ended
  end()
  await waitFor('the end', () => (ended > before ? true : undefined))
})

it('takes a run whose process died for one that ended', async () => {
  const { pid = 0 } = spawnSync('true')
  writeFileSync(join(folder, 'proc/1.json'), JSON.stringify({ fun: 'state.apply', jid: '1', pid }))
  const before = ended
  expect(others.isRunning()).toBe(false)
  expect(ended).toBe(before + 1)
})

it('keeps what a run did quiet, also in a turn that comes right after its end', async () => {
  const file = join(folder, 'watched')
  writeFileSync(file, 'wrong')
  const told: string[] = []
  const beacons = new Beacons({
    id: 'web1',
    loopInterval: 1,
    configured: { inotify: [{ files: { [file]: { mask: ['modify'] } } }, { disable_during_state_run: true }] },
    pillar: () => ({}),
    kinds: () => [inotifyBeacon],
    world: { now: () => 0, log: silentLog, run: async () => null },
    isStateRunning: () => others.isRunning(),
    emit: (tag) => told.push(tag),
  })
  whenEnded = () => beacons.stateRunEnded()
  await beacons.turn()
  for (const round of ['1', '2', '3']) {
    const end = await begin(round)
    writeFileSync(file, `by run ${round}`)
    await passing(50)
    end()
    await beacons.turn()
    await passing(50)
    await beacons.turn()
  }
  expect(told).toEqual([])
  writeFileSync(file, 'by somebody else')
  await waitFor('the event', async () => {
    await beacons.turn()
    return told.length > 0 ? true : undefined
  })
  await beacons.close()
})
