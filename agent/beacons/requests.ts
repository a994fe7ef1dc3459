// Requests about beacons that come over the minion's own bus, and the events that answer them: Salt's, tag by tag.
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Beacons } from './beacons.ts'

/** The tag of the requests. */
export const beaconRequestTag = 'manage_beacons'

/** The tag of the event that answers each kind of request. */
export const beaconAnswerTags: Readonly<Record<string, string>> = {
  list: '/salt/minion/minion_beacons_list_complete',
  list_available: '/salt/minion/minion_beacons_list_available_complete',
  validate_beacon: '/salt/minion/minion_beacon_validation_complete',
  add: '/salt/minion/minion_beacon_add_complete',
  modify: '/salt/minion/minion_beacon_modify_complete',
  delete: '/salt/minion/minion_beacon_delete_complete',
  enable: '/salt/minion/minion_beacons_enabled_complete',
  disable: '/salt/minion/minion_beacons_disabled_complete',
  enable_beacon: '/salt/minion/minion_beacon_enabled_complete',
  disable_beacon: '/salt/minion/minion_beacon_disabled_complete',
  reset: '/salt/minion/minion_beacon_reset_complete',
}

/** Does what a request asks; undefined for one that is not understood. */
export async function answerBeaconRequest(beacons: Beacons, request: Mapping): Promise<Mapping | undefined> {
  const { name = null, beacon_data: written = null, func = null } = request
  const id = pythonStr(name)
  switch (func) {
    case 'list': {
      const include = { pillar: request.include_pillar !== false, opts: request.include_opts !== false }
      return { complete: true, beacons: beacons.all(include) }
    }
    case 'list_available':
      return { complete: true, beacons: beacons.available() }
    case 'validate_beacon': {
      const problem = await beacons.problem(id, written)
      return { complete: true, valid: problem === undefined, vcomment: problem ?? 'Valid beacon configuration' }
    }
    case 'add':
      return answer(beacons.add(id, written))
    case 'modify':
      return answer(beacons.modify(id, written))
    case 'delete':
      return answer(beacons.delete(id))
    case 'enable':
    case 'disable':
      return answer(beacons.setEnabled(func === 'enable'))
    case 'enable_beacon':
    case 'disable_beacon':
      return answer(beacons.setEnabled(func === 'enable_beacon', id))
    case 'reset':
      return answer(beacons.reset())
    default:
      return undefined
  }
}

function answer(change: { readonly complete: boolean; readonly comment: string; readonly beacons: Value }): Mapping {
  return { ...change }
}
