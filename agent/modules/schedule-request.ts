// How the schedule is asked and read by the `schedule` module: over the minion's bus, or from its file where that is asked.
import { type Mapping, pythonTruth, type Value } from '../../core/value/index.ts'
import { dumpYaml } from '../../core/yaml-writer/index.ts'
import { mapOf } from '../beacons/entry.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { saveConfig, savedConfigPath } from '../saved-config.ts'
import { listedOptions } from '../schedule/build-item.ts'
import { scheduleAnswerTags, scheduleRequestTag } from '../schedule/requests.ts'
import type { Arguments } from './arguments.ts'
import type { Call } from './module.ts'

/** Asks the running minion; undefined where none answers. */
export function askSchedule(call: Call, func: string, more: Mapping = {}): Promise<Mapping | undefined> {
  return call.agent.askMinion({
    tag: scheduleRequestTag,
    data: { func, ...more },
    answerTag: scheduleAnswerTags[func] ?? '',
    patience: 30_000,
  })
}

/** `offline=True`: the file alone, not the running minion. */
export function isOffline(args: Arguments): boolean {
  return pythonTruth(args.keywords.offline ?? args.value('offline') ?? false)
}

/** The jobs that are saved. Throws where the file is no YAML. */
export async function savedJobs(call: Call): Promise<Mapping> {
  const text = (await readTextIfThere(savedConfigPath(call.agent.opts, '_schedule.conf'))) ?? ''
  if (text.trim() === '') return {}
  const { loadYaml } = await import('../../core/render/yaml/index.ts')
  return mapOf(mapOf(loadYaml(text))?.schedule) ?? {}
}

/** Saves jobs for the next start. */
export async function saveJobs(opts: Mapping, schedule: Mapping): Promise<void> {
  await saveConfig(savedConfigPath(opts, '_schedule.conf'), dumpYaml({ schedule }))
}

/** How a listing is narrowed. */
export interface Listing {
  readonly showAll?: boolean
  readonly showDisabled?: boolean
  readonly where?: Value
  readonly offline?: boolean
}

/** The jobs as `schedule.list` shows them: those of Salt's own (`__…`) only where all are asked for. */
export async function listedJobs(call: Call, listing: Listing = {}): Promise<Mapping> {
  const { showAll = true, showDisabled = true, where = null, offline = false } = listing
  const jobs = offline ? await savedJobs(call) : mapOf((await askSchedule(call, 'list', { where }))?.schedule)
  const shown: Mapping = {}
  for (const [name, written] of Object.entries(jobs ?? {})) {
    const job = mapOf(written)
    if (job === undefined) {
      if (name === 'enabled' || name === 'skip_function') shown[name] = written
      continue
    }
    if (name === 'skip_during_range' || (name === 'splay' && job.function === undefined)) {
      shown[name] = job
      continue
    }
    if (name.startsWith('__') && !showAll) continue
    const options = Object.entries({ ...job, enabled: job.enabled ?? true }).flatMap(([key, value]) =>
      listedOptions.has(key) && value !== null ? [[key, booleanOf(value)]] : [],
    )
    const item = Object.fromEntries(options) as Mapping
    if (showDisabled || pythonTruth(item.enabled ?? true)) shown[name] = item
  }
  return shown
}

const booleanOf = (value: Value): Value => (value === 'true' ? true : value === 'false' ? false : value)
