// `bench loss`: the master is killed in the middle of a stream of events and started again; what became of them.
//
// A single client fires at full speed; after half of the events the master gets SIGKILL and is started again while the
// client goes on. Each event leads to one job that appends its number to a file; the file is the witness. Salt's own
// figures (b_loss.py) are of one runner reaction each, with a witness file too; it does not tell what ran twice.

import { connect } from '../../client/index.ts'
import { judged, noted } from '../../test/failure/observer.ts'
import { failureLab } from '../../test/failure/stage.ts'
import { figureOf, type Row, rowOf } from '../figure.ts'
import type { Measure } from '../run.ts'
import { jsonLines, startSaltLab } from '../salt-lab.ts'
import { say } from '../talk.ts'

const EVENTS = 500

/** What one run came to, in events. */
interface Loss {
  readonly fired: number
  readonly acknowledged: number
  readonly reacted: number
  /** Acknowledged and never reacted to. */
  readonly lost: number
  readonly twice?: number
}

/** Events by what became of them. */
export const measure: Measure = async ({ peer, runs, size = EVENTS }) => {
  const times = Math.min(runs, 3)
  const brine: Loss[] = []
  for (let run = 0; run < times; run++) {
    brine.push(await runOnce(size))
    say(`run ${run + 1}: ${JSON.stringify(brine.at(-1))}`)
  }
  const salt = peer ? await measureSalt(size, times) : []
  for (const [run, one] of salt.entries()) say(`Salt, run ${run + 1}: ${JSON.stringify(one)}`)
  const row = (what: string, field: keyof Loss, better: 'higher' | 'lower'): Row => {
    const peers = salt.flatMap((one) => one[field] ?? [])
    return rowOf({
      what,
      unit: 'events',
      better,
      brine: brine.flatMap((one) => one[field] ?? []),
      peer: peers.length === 0 ? undefined : figureOf(peers),
    })
  }
  return [
    row('fired', 'fired', 'higher'),
    row('acknowledged', 'acknowledged', 'higher'),
    row('reacted to', 'reacted', 'higher'),
    row('acknowledged and never reacted to', 'lost', 'lower'),
    row('reacted to twice', 'twice', 'lower'),
  ]
}

/** A fresh master and minion; the master is killed after half of the events, and starts again at once. */
async function runOnce(size: number): Promise<Loss> {
  const stage = await failureLab()
  const { lab, file } = stage
  try {
    stage.startMinion('worker')
    await lab.waitForEvent({ tag: 'salt/minion/worker/start' })
    const acknowledged: number[] = []
    let restarted: Promise<void> | undefined
    const connection = connect({ kind: 'socket', path: lab.socket() })
    for (let n = 0; n < size; n++) {
      if (n === Math.floor(size / 2)) restarted = lab.stopMaster('SIGKILL').then(() => lab.startMaster())
      try {
        await connection.fire('note/it', { n })
        acknowledged.push(n)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error
        // As Salt's client does where nobody listens: it waits a little, counts an error and goes on.
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
    connection.close()
    await restarted
    const verdict = await judged(file, acknowledged, 20_000)
    return {
      fired: size,
      acknowledged: acknowledged.length,
      reacted: new Set(noted(file)).size,
      lost: verdict.lost.length,
      twice: verdict.twice.length,
    }
  } finally {
    await stage.close()
  }
}

async function measureSalt(size: number, runs: number): Promise<Loss[]> {
  const salt = await startSaltLab(['master'])
  try {
    say(`Salt: ${runs} runs of ${size} events`)
    const lines = jsonLines(await salt.python('b_loss.py', [`${size}`, `${Math.floor(size / 2)}`, `${runs}`], 400_000))
    return lines.map((line) => ({
      fired: Number(line.N),
      acknowledged: Number(line.fire_ok_returned),
      reacted: Number(line.reactions_run),
      lost: Math.max(0, Number(line.accepted_but_never_reacted)),
    }))
  } finally {
    await salt.stop()
  }
}
