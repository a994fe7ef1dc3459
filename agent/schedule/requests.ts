// Requests about the schedule that come over the minion's own bus, and the events that answer them: Salt's, tag by tag.
import { type Mapping, pythonStr } from '../../core/value/index.ts'
import { mapOf } from '../beacons/entry.ts'
import { usualFormat } from '../date-format.ts'
import type { Log } from '../outside.ts'
import { type Schedule, saveOrSay } from './schedule.ts'

/** The tag of the requests. */
export const scheduleRequestTag = 'manage_schedule'

/** The tag of the event that answers each kind of request. Salt answers `modify`, `run_job` and `reload` with none. */
export const scheduleAnswerTags: Readonly<Record<string, string>> = {
  list: '/salt/minion/minion_schedule_list_complete',
  add: '/salt/minion/minion_schedule_add_complete',
  modify: '/salt/minion/minion_schedule_modify_complete',
  delete: '/salt/minion/minion_schedule_delete_complete',
  enable: '/salt/minion/minion_schedule_enabled_complete',
  disable: '/salt/minion/minion_schedule_disabled_complete',
  enable_job: '/salt/minion/minion_schedule_enabled_job_complete',
  disable_job: '/salt/minion/minion_schedule_disabled_job_complete',
  run_job: '/salt/minion/minion_schedule_run_job_complete',
  reload: '/salt/minion/minion_schedule_reload_complete',
  save_schedule: '/salt/minion/minion_schedule_saved',
  postpone_job: '/salt/minion/minion_schedule_postpone_job_complete',
  skip_job: '/salt/minion/minion_schedule_skip_job_complete',
  get_next_fire_time: '/salt/minion/minion_schedule_next_fire_time_complete',
  job_status: '/salt/minion/minion_schedule_job_status_complete',
}

/** Does what a request asks; undefined for one that is not understood. `done` says whether something was changed. */
export async function answerScheduleRequest(
  schedule: Schedule,
  request: Mapping,
  log: Log,
): Promise<Mapping | undefined> {
  const name = pythonStr(request.name ?? '')
  const format = pythonStr(request.time_fmt ?? usualFormat)
  const changed = async (done: boolean): Promise<Mapping> => {
    if (request.persist !== false && done) await saveOrSay(schedule, log)
    return { complete: true, done, schedule: schedule.all() }
  }
  switch (request.func) {
    case 'list':
      return { complete: true, schedule: schedule.all(request.where ?? undefined) }
    case 'add': {
      const [first] = Object.entries(mapOf(request.schedule) ?? {})
      if (first === undefined) return undefined
      return changed(schedule.set(first[0], withEnabled(mapOf(first[1]))))
    }
    case 'modify':
      return changed(schedule.set(name, withEnabled(mapOf(request.schedule))))
    case 'delete':
      return changed(schedule.delete(name))
    case 'enable':
    case 'disable':
      return changed(schedule.setEnabled(request.func === 'enable'))
    case 'enable_job':
    case 'disable_job':
      return changed(schedule.setEnabled(request.func === 'enable_job', name))
    case 'run_job':
      return { complete: true, done: schedule.runNow(name) }
    case 'reload':
      schedule.reload(mapOf(request.schedule) ?? {})
      return { complete: true, done: true, schedule: schedule.all() }
    case 'save_schedule':
      try {
        await schedule.save()
        return { complete: true }
      } catch (error) {
        log.error(`The schedule could not be saved: ${error instanceof Error ? error.message : String(error)}`)
        return { complete: false }
      }
    case 'postpone_job':
    case 'skip_job': {
      const to = request.func === 'postpone_job' ? pythonStr(request.new_time ?? '') : undefined
      const done = schedule.skip(name, pythonStr(request.time ?? ''), format, to)
      return { complete: true, done, schedule: schedule.all() }
    }
    case 'get_next_fire_time':
      return { complete: true, next_fire_time: schedule.nextFireTime(name, format) }
    case 'job_status':
      return { complete: true, data: schedule.status(name, format) }
    default:
      return undefined
  }
}

/** A job that does not say is enabled. */
function withEnabled(job: Mapping | undefined): Mapping {
  return { ...job, enabled: job?.enabled ?? true }
}
