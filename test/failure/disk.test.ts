// A full disk: what could not be stored is refused, what was acknowledged is reacted to once there is room again.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { connect } from '../../client/index.ts'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'
import { expectNothingLost, judged, NOTE_SLS, noteModule } from './observer.ts'

let lab: Lab | undefined
let unmount: (() => void) | undefined
afterEach(async () => {
  await lab?.stopMinion('worker')
  await lab?.stopMaster('SIGKILL')
  unmount?.()
  await lab?.close()
  lab = undefined
  unmount = undefined
})

/** A disk of so many megabytes at the folder, where this user may mount one. */
function smallDisk(folder: string, megabytes: number): boolean {
  // BRINE_DISK=ulimit takes the other way also where a disk could be mounted.
  if (process.env.BRINE_DISK === 'ulimit') return false
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder])
  if (status !== 0) return false
  unmount = () => void spawnSync('umount', ['-l', folder])
  return true
}

test('the disk is full: nothing more is acknowledged, nothing acknowledged is lost, and it goes on when there is room', async () => {
  lab = await createLab({ master: 'auto_accept: True\nreactor_breaker: 0\n' })
  const running = lab
  running.write('etc/brine/master.d/reactor.conf', "reactor:\n  - 'note/*': [/srv/reactor/note.sls]\n")
  running.write('srv/reactor/note.sls', NOTE_SLS)
  const file = join(running.root, 'noted')
  running.write('srv/salt/_modules/note.mjs', noteModule(file))
  const data = join(running.root, 'run/master/data')
  const isTmpfs = smallDisk(data, 24)
  const how = isTmpfs ? 'tmpfs of 24 MB' : 'ulimit -f'
  await running.startMaster(isTmpfs ? {} : { fileBlocks: 24_000 })
  running.startMinion('worker')
  await running.waitForEvent({ tag: 'salt/minion/worker/start' })
  const ballast = join(data, 'ballast')
  // A disk that others fill is full at once; a file that may not grow is filled by ourselves.
  if (isTmpfs) spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M', 'count=14'])

  const connection = connect({ kind: 'socket', path: running.socket() })
  const acknowledged: number[] = []
  let refused = 0
  let message = ''
  for (let n = 0; refused < 20; n++) {
    try {
      await connection.fire('note/it', { n, filler: 'x'.repeat(100_000) })
      acknowledged.push(n)
    } catch (error) {
      refused++
      message = String(error)
    }
    if (n > 5000) throw new Error('the disk was never full')
  }
  expect(running.master()?.exit()).toBeUndefined()
  // Room again: of the disk's, or by a start without the limit.
  if (isTmpfs) rmSync(ballast)
  else {
    await running.stopMaster('SIGKILL')
    await running.startMaster()
  }
  const again = connect({ kind: 'socket', path: running.socket() })
  const first = 1_000_000
  for (let n = first; n < first + 20; n++) {
    await waitFor(`event ${n} to be taken`, async () => {
      try {
        await again.fire('note/it', { n })
        return true
      } catch (error) {
        if (error instanceof Error) return undefined
        throw error
      }
    })
    acknowledged.push(n)
  }
  const verdict = await judged(file, acknowledged)
  connection.close()
  again.close()
  expectNothingLost('full disk', verdict, { ran: how, acknowledged: acknowledged.length, refused })
  expect(existsSync(ballast)).toBe(false)
  expect(message).toMatch(/full|could not write|disk/i)
})
