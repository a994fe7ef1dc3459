// Launch hooks: an instance serves once its start-up job went well; one on which it failed is given up, but not for ever.
import { LAUNCH_MARK } from '../../core/event/launch-mark.ts'
import { pythonStr, type Value } from '../../core/value/index.ts'
import type { Fire } from '../fire.ts'
import type { Clock, JobStore, KeyRing } from '../ports.ts'
import type { Publish } from '../publish.ts'
import type { FleetStore, Launch, Lifecycle } from './ports.ts'

/** What a launch has to go through. Times in seconds. */
export interface LaunchOptions {
  /** The job that decides. */
  readonly fun: string
  readonly arg: readonly Value[]
  /** From the hook's event to the job's return. */
  readonly within: number
  /** So many launches of a group are given up within the window; a further one is let through, for a person to look at. */
  readonly abandonLimit: number
  readonly abandonWindow: number
}

/** An accepted key, a ping that came back within 15 minutes, and no more than 3 instances given up in 30 minutes. */
export const defaultLaunchOptions: LaunchOptions = {
  fun: 'test.ping',
  arg: [],
  within: 900,
  abandonLimit: 3,
  abandonWindow: 1800,
}

interface LaunchNeeds {
  readonly store: FleetStore
  readonly lifecycle: Lifecycle
  readonly ring: Pick<KeyRing, 'list'>
  readonly jobs: Pick<JobStore, 'get' | 'returns'>
  readonly publish: Publish
  readonly fire: Fire
  readonly clock: Clock
}

/** How many launches ended in one round, and how. */
export interface LaunchRound {
  readonly open: number
  readonly continued: number
  readonly abandoned: number
  /** Let through although their job failed, since their group had too many that did. */
  readonly stopped: number
}

/** The launches under way. Both are safe to repeat and to run at once: what ends a launch is a conditional write. */
export interface Launches {
  begin(launch: Launch): Promise<void>
  /** Takes every open launch as far as it goes now; called when a minion starts, when a start-up job returns, and each minute. */
  advance(): Promise<LaunchRound>
}

type Step = 'open' | 'continued' | 'abandoned' | 'stopped' | 'gone'

const micros = 1_000_000
/** Seconds after `within` in which a launch is forgotten that Auto Scaling answers nothing but errors about: its hook has timed out by itself. */
const forgotten = 3600

/**
 * Joins the parts. A launch whose `within` has passed is given up even where nobody looked at it meanwhile. One that cannot
 * be taken further now (its group is gone, AWS does not answer) keeps no other from it; `advance` rejects when all were tried.
 */
export function createLaunches(needs: LaunchNeeds, options: LaunchOptions): Launches {
  const { store, lifecycle, clock } = needs

  const end = async (launch: Launch, result: 'CONTINUE' | 'ABANDON', step: Step): Promise<Step> => {
    // Completed before it is forgotten: cut off in between, the next round completes again and is told `gone`.
    const answer = await lifecycle.complete(launch.action, result)
    await store.close(launch.action.instance)
    return answer === 'gone' ? 'gone' : step
  }

  const giveUp = async (launch: Launch, reason: string): Promise<Step> => {
    const { group, instance } = launch.action
    const now = clock.now()
    const count = await store.abandoned(group, instance, now, now - options.abandonWindow * micros)
    const stopped = count > options.abandonLimit
    await needs.fire({
      tag: stopped ? 'brine/fleet/abandon-stopped' : 'brine/fleet/abandoned',
      data: { asg: group, instance_id: instance, reason, count, window: options.abandonWindow },
    })
    return stopped ? end(launch, 'CONTINUE', 'stopped') : end(launch, 'ABANDON', 'abandoned')
  }

  const step = async (launch: Launch, minion: string | undefined): Promise<Step> => {
    const late = clock.now() > launch.at + options.within * micros
    if (minion === undefined && late) return giveUp(launch, `no minion was accepted for it within ${options.within} s`)
    if (minion !== undefined) {
      const job = await startUpJob(needs, options, launch, minion)
      const returned = (await needs.jobs.returns(job)).find(({ id }) => id === minion)
      if (returned !== undefined) {
        const { success, retcode } = returned.load
        const well = success === true && (retcode ?? 0) === 0
        return well
          ? end(launch, 'CONTINUE', 'continued')
          : giveUp(launch, `${options.fun} returned ${pythonStr(retcode ?? null)} (job ${job})`)
      }
      if (late) return giveUp(launch, `${options.fun} did not return within ${options.within} s (job ${job})`)
    }
    if ((await lifecycle.heartbeat(launch.action)) === 'done') return 'open'
    await store.close(launch.action.instance)
    return 'gone'
  }

  const attempt = async (launch: Launch, minion: string | undefined): Promise<Step> => {
    try {
      return await step(launch, minion)
    } catch (error) {
      if (clock.now() <= launch.at + (options.within + forgotten) * micros) throw error
      await store.close(launch.action.instance)
      return 'gone'
    }
  }

  return {
    async begin(launch) {
      const known = (await store.launches()).find(({ action }) => action.instance === launch.action.instance)
      if (known?.action.token !== launch.action.token) await store.open(launch)
    },
    async advance() {
      const [launches, records] = await Promise.all([store.launches(), needs.ring.list()])
      const minions = new Map(
        records
          .filter(({ current }) => current?.state === 'accepted')
          .map(({ id, current }) => [current?.identity?.instance_id, id]),
      )
      const tried = await Promise.allSettled(
        launches.map((launch) => attempt(launch, minions.get(launch.action.instance))),
      )
      const steps = tried.map((outcome) => {
        if (outcome.status === 'rejected') throw outcome.reason
        return outcome.value
      })
      const count = (wanted: Step): number => steps.filter((one) => one === wanted).length
      return {
        open: count('open'),
        continued: count('continued'),
        abandoned: count('abandoned'),
        stopped: count('stopped'),
      }
    },
  }
}

/** The launch's job, published now if it was not. Its jid is stored before it is published, so that a retry repeats it. */
async function startUpJob(
  needs: LaunchNeeds,
  { fun, arg, within }: LaunchOptions,
  launch: Launch,
  minion: string,
): Promise<string> {
  const { store, jobs, clock, publish } = needs
  const jid = launch.jid ?? clock.jid()
  if (launch.jid === undefined) await store.open({ ...launch, jid, minion })
  if ((await jobs.get(jid)) !== undefined) return jid
  const outcome = await publish({
    tgt: [minion],
    tgtType: 'list',
    fun,
    arg,
    ret: '',
    user: 'brine',
    expiresIn: within,
    jid,
    origin: `launch/${launch.action.instance}`,
    metadata: { [LAUNCH_MARK]: launch.action.instance },
  })
  if (outcome.kind !== 'jid-taken') return jid
  const { jid: _, ...fresh } = launch
  return startUpJob(needs, { fun, arg, within, abandonLimit: 0, abandonWindow: 0 }, fresh, minion)
}
