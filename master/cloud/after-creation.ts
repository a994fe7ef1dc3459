// What a new minion is made to do first: `sync_after_install` and `start_action`.
import type { Ec2Settings } from '../../core/cloud/index.ts'
import type { Mapping } from '../../core/value/index.ts'
import type { Execute } from '../execute.ts'
import { minionOf } from './creation.ts'

interface AfterNeeds {
  readonly execute: Execute
  /** Seconds, Salt's `timeout`. */
  readonly timeout: number
}

/** What can be synchronised: `saltutil.sync_…`. */
const syncs = new Set(
  'all beacons clouds engines executors grains log matchers modules output pillar proxymodules renderers returners sdb serializers states thorium utils'.split(
    ' ',
  ),
)

/** Runs them, the second with a minute for each second of the timeout, as Salt does. Answers what the action returned, as `ret`. */
export async function afterCreation(needs: AfterNeeds, settings: Ec2Settings, name: string): Promise<Mapping> {
  const tgt = minionOf(settings, name)
  const run = async (fun: string, timeout: number): Promise<Mapping> => {
    const { returns } = await needs.execute({ tgt: [tgt], tgtType: 'list', fun, timeout })
    return Object.fromEntries([...returns].map(([id, load]) => [id, load.return ?? null]))
  }
  const { sync_after_install: sync, start_action: action } = settings
  if (sync !== undefined && sync !== false) {
    const what = typeof sync === 'string' && syncs.has(sync) ? sync : 'all'
    await run(`saltutil.sync_${what}`, 60)
  }
  if (action === undefined || action === null || action === '') return {}
  return { ret: await run(action, needs.timeout * 60) }
}
