// Has orchestrations go on in the state machine: begins an execution, and looks after those whose execution is gone.
import type { Jid } from '../../../core/event/event.ts'
import type { OrchestrationDriver } from '../../../master/orchestrate/local-driver.ts'
import type { Orchestrator } from '../../../master/orchestrate/orchestrator.ts'
import type { Orchestration } from '../../../master/orchestrate/record.ts'
import type { Clock } from '../../../reaction/ports.ts'
import type { DynamoHolds } from '../store/orchestration-holds.ts'
import type { Executions } from './executions.ts'
import { wake } from './wake.ts'

/** What driving takes. */
export interface MachineDriverNeeds {
  readonly executions: Executions
  readonly holds: DynamoHolds
  readonly clock: Pick<Clock, 'now'>
}

/** Milliseconds between two looks whether an orchestration has ended: the first, and the longest. */
const FIRST_LOOK = 250
const LONGEST_LOOK = 2_000
/** Microseconds that an orchestration may be late before its execution is asked after. */
const LATE = 120_000_000

/**
 * A driver whose orchestrations outlive every function.
 *
 * INVARIANT: an orchestration that is not done and that nobody aborted has an execution, at the latest after {@link mend}.
 */
export class MachineDriver implements OrchestrationDriver {
  readonly #needs: MachineDriverNeeds
  readonly #orchestrator: Pick<Orchestrator, 'get' | 'unfinished'>
  readonly #begun = new Set<Jid>()
  /** How long whoever ordered the run under way is waited with for an end, and who is told that it is over. */
  #waiter: { readonly patience: number; readonly leave: () => void } | undefined

  constructor(orchestrator: Pick<Orchestrator, 'get' | 'unfinished'>, needs: MachineDriverNeeds) {
    this.#orchestrator = orchestrator
    this.#needs = needs
  }

  async begin(jid: Jid): Promise<void> {
    await this.#start(jid, 1)
    this.#begun.add(jid)
  }

  /**
   * Resolves where it ends while somebody waits for it ({@link unlessHandedOver}), and never otherwise. Begins another
   * execution where the last one is gone.
   */
  async finished(jid: Jid): Promise<Orchestration> {
    if (!this.#begun.delete(jid)) await this.#revive(jid, true)
    const end = performance.now() + (this.#waiter?.patience ?? 0)
    for (let pause = FIRST_LOOK; ; pause = Math.min(pause * 1.5, LONGEST_LOOK)) {
      const record = await this.#orchestrator.get(jid)
      if (record !== undefined && record.status !== 'running') return record
      if (performance.now() > end) {
        this.#waiter?.leave()
        return new Promise(() => undefined)
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  wake(jid: Jid): Promise<void> {
    return wake(jid, this.#needs.holds, this.#needs.executions)
  }

  /**
   * What a run came to; undefined where it waits for an orchestration that goes on by itself for longer than `patience`
   * milliseconds. For one run at a time, as Lambda has it.
   */
  async unlessHandedOver<T>(outcome: Promise<T>, patience: number): Promise<T | undefined> {
    const left = new Promise<undefined>((resolve) => {
      this.#waiter = { patience, leave: () => resolve(undefined) }
    })
    try {
      return await Promise.race([outcome, left])
    } finally {
      this.#waiter = undefined
    }
  }

  /** Begins another execution for each orchestration that has none and is late; answers how many. */
  async mend(): Promise<number> {
    const open = await this.#orchestrator.unfinished()
    if (open.length === 0) return 0
    const holds = await this.#needs.holds.all()
    let mended = 0
    for (const jid of open) {
      const at = holds.get(jid)?.wakeAt ?? 0
      const since = at === 0 ? ((await this.#orchestrator.get(jid))?.at ?? 0) : at
      if (this.#needs.clock.now() > since + LATE && (await this.#revive(jid, false))) mended++
    }
    return mended
  }

  /** Whether another execution was begun. What a person aborted is taken up again only where a person asks. */
  async #revive(jid: Jid, isAsked: boolean): Promise<boolean> {
    // No part is noted before the first turn is over; the first execution is there by then.
    const part = Math.max((await this.#needs.holds.get(jid))?.part ?? 0, 1)
    const state = await this.#needs.executions.state({ jid, part })
    if (state === 'running' || (state === 'aborted' && !isAsked)) return false
    await this.#start(jid, state === 'none' ? part : part + 1)
    return true
  }

  async #start(jid: Jid, part: number): Promise<void> {
    const record = await this.#orchestrator.get(jid)
    if (record === undefined || record.status !== 'running') return
    const { mods, user } = record.request
    await this.#needs.executions.start({ jid, sls: mods, user, part, turns: 0 })
  }
}
