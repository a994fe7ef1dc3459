// The beacons of the running minion: asked and changed over its own bus, from within it and from brine-call alike.

import { isList, isMap, type Mapping, pythonEquals, pythonStr, type Value } from '../../core/value/index.ts'
import { dumpYaml } from '../../core/yaml-writer/index.ts'
import { mapOf, mergedOptions } from '../beacons/entry.ts'
import { beaconAnswerTags, beaconRequestTag } from '../beacons/requests.ts'
import { saveConfig, savedConfigPath } from '../saved-config.ts'
import type { Arguments } from './arguments.ts'
import { isDryRun, noMinion, secondsToWait } from './minion-request.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'

async function ask(call: Call, args: Arguments, func: string, more: Mapping = {}): Promise<Mapping | undefined> {
  return call.agent.askMinion({
    tag: beaconRequestTag,
    data: { func, ...more },
    answerTag: beaconAnswerTags[func] ?? '',
    patience: secondsToWait(args, 60) * 1000,
  })
}

async function listed(call: Call, args: Arguments, pillar = true, opts = true): Promise<Mapping> {
  const answer = await ask(call, args, 'list', { include_pillar: pillar, include_opts: opts })
  return mapOf(answer?.beacons) ?? {}
}

async function available(call: Call, args: Arguments): Promise<readonly Value[]> {
  const names = (await ask(call, args, 'list_available'))?.beacons
  return isList(names) ? names : []
}

const told = (result: boolean, comment: Value): Mapping => ({ comment, result })

async function add(args: Arguments, call: Call): Promise<Mapping> {
  const name = args.text('name')
  const data = args.value('beacon_data')
  if (Object.hasOwn(await listed(call, args), name)) return told(true, `Beacon ${name} is already configured.`)
  const kind = mergedOptions(data)?.beacon_module ?? name
  const kinds = await available(call, args)
  if (kinds.length === 0) return told(false, `Failed to add beacon ${name}. ${noMinion}`)
  if (!kinds.includes(kind)) return told(false, `Beacon "${pythonStr(kind)}" is not available.`)
  if (isDryRun(args)) return told(true, `Beacon: ${name} would be added.`)
  const checked = await ask(call, args, 'validate_beacon', { name, beacon_data: data })
  if (checked?.valid !== true)
    return told(false, `Beacon ${name} configuration invalid, not adding.\n${pythonStr(checked?.vcomment ?? noMinion)}`)
  const answer = await ask(call, args, 'add', { name, beacon_data: data })
  if (answer === undefined) return told(false, `Failed to add beacon ${name}. ${noMinion}`)
  return answer.complete === true ? told(true, `Added beacon: ${name}.`) : told(false, answer.comment ?? '')
}

async function modify(args: Arguments, call: Call): Promise<Mapping> {
  const name = args.text('name')
  const data = args.value('beacon_data')
  const current = (await listed(call, args))[name]
  if (current === undefined) return told(true, `Beacon ${name} is not configured.`)
  if (isDryRun(args)) return told(true, `Beacon: ${name} would be modified.`)
  const checked = await ask(call, args, 'validate_beacon', { name, beacon_data: data })
  if (checked?.valid !== true)
    return told(
      false,
      `Beacon ${name} configuration invalid, not modifying.\n${pythonStr(checked?.vcomment ?? noMinion)}`,
    )
  if (pythonEquals(current, data)) return told(true, `Job ${name} in correct state`)
  const changes = { diff: difference(current, data) }
  const answer = await ask(call, args, 'modify', { name, beacon_data: data })
  if (answer === undefined) return { ...told(false, `Failed to modify beacon ${name}. ${noMinion}`), changes }
  const isDone = answer.complete === true
  return { ...told(isDone, isDone ? `Modified beacon: ${name}.` : (answer.comment ?? '')), changes }
}

/** The options that differ, as a unified diff of `key:value` lines. */
function difference(before: Value, after: Value): string {
  const lines = (value: Value): string[] => {
    const entries = isList(value) ? value : [value]
    return entries.flatMap((entry) =>
      Object.entries(isMap(entry) ? (mapOf(entry) ?? {}) : {}).map(([key, item]) => `${key}:${pythonStr(item)}`),
    )
  }
  const [old, now] = [lines(before), lines(after)]
  const gone = old.filter((line) => !now.includes(line)).map((line) => `-${line}\n`)
  const come = now.filter((line) => !old.includes(line)).map((line) => `+${line}\n`)
  return ['--- \n', '+++ \n', `@@ -1,${old.length} +1,${now.length} @@\n`, ...gone, ...come].join('')
}

async function remove(args: Arguments, call: Call): Promise<Mapping> {
  const name = args.text('name')
  if (isDryRun(args)) return told(true, `Beacon: ${name} would be deleted.`)
  const answer = await ask(call, args, 'delete', { name })
  if (answer === undefined) return told(false, `Failed to delete beacon ${name}. ${noMinion}`)
  return answer.complete === true ? told(true, `Deleted beacon: ${name}.`) : told(false, answer.comment ?? '')
}

async function save(args: Arguments, call: Call): Promise<Mapping> {
  const beacons = await listed(call, args, false)
  const text = Object.keys(beacons).length === 0 ? '' : dumpYaml({ beacons })
  const path = savedConfigPath(call.agent.opts, 'beacons.conf')
  try {
    await saveConfig(path, text)
    return told(true, `Beacons saved to ${path}.`)
  } catch (error) {
    call.agent.outside.log.error(`${path}: ${error instanceof Error ? error.message : String(error)}`)
    return told(false, `Unable to write to beacons file at ${path}. Check permissions.`)
  }
}

function switchAll(enabled: boolean): (args: Arguments, call: Call) => Promise<Mapping> {
  const word = enabled ? 'enable' : 'disable'
  return async (args, call) => {
    if (isDryRun(args)) return told(true, `Beacons would be ${word}d.`)
    const answer = await ask(call, args, word)
    const isDone = mapOf(answer?.beacons)?.enabled === enabled
    if (isDone) return told(true, `${enabled ? 'Enabled' : 'Disabled'} beacons on minion.`)
    return told(false, `Failed to ${word} beacons on minion.${answer === undefined ? ` ${noMinion}` : ''}`)
  }
}

function switchOne(enabled: boolean): (args: Arguments, call: Call) => Promise<Mapping> {
  const word = enabled ? 'enable' : 'disable'
  return async (args, call) => {
    const name = args.text('name')
    if (args.textIfAny('name') === undefined) return told(false, 'Beacon name is required.')
    if (isDryRun(args)) return told(true, `Beacon ${name} would be ${word}d.`)
    if (!Object.hasOwn(await listed(call, args), name))
      return told(false, `Beacon ${name} is not currently configured.`)
    const answer = await ask(call, args, `${word}_beacon`, { name })
    if (answer?.complete === true) return told(true, `${enabled ? 'Enabled' : 'Disabled'} beacon ${name} on minion.`)
    return told(false, answer?.comment ?? `Failed to ${word} beacon ${name} on minion. ${noMinion}`)
  }
}

const beaconData = `

beacon_data
    The configuration, a list of dictionaries or a dictionary.

timeout
    How many seconds the minion may take to answer. Default: 60`

/** Salt's `beacons` module. */
export const beacons: ExecutionModule = {
  name: 'beacons',
  file: 'beacons',
  functions: {
    list: define(
      'return_yaml=True, include_pillar=True, include_opts=True, **kwargs',
      `List the beacons configured on the minion.

return_yaml
    False returns data instead of YAML text.

include_pillar, include_opts
    False leaves out those of the pillar, or those of the configuration.${examples("brine '*' beacons.list")}`,
      async (args, call) => {
        const found = await listed(call, args, args.is('include_pillar'), args.is('include_opts'))
        return args.is('return_yaml') ? dumpYaml({ beacons: found }) : found
      },
      { readOnly: true },
    ),
    list_available: define(
      'return_yaml=True, **kwargs',
      `List the kinds of beacons this minion has.${examples("brine '*' beacons.list_available")}`,
      async (args, call) => {
        const names = [...(await available(call, args))]
        if (names.length === 0) return { beacons: {} }
        return args.is('return_yaml') ? dumpYaml({ beacons: names }) : names
      },
      { readOnly: true },
    ),
    add: define(
      'name, beacon_data, **kwargs',
      `Add a beacon to the running minion; beacons.save keeps it.${beaconData}${examples(`brine '*' beacons.add ps "[{'processes': {'salt-master': 'stopped', 'apache2': 'stopped'}}]"`)}`,
      add,
    ),
    modify: define(
      'name, beacon_data, **kwargs',
      `Give a beacon of the running minion another configuration.${beaconData}${examples(`brine '*' beacons.modify ps "[{'processes': {'salt-master': 'stopped'}}]"`)}`,
      modify,
    ),
    delete: define(
      'name, **kwargs',
      `Take a beacon from the running minion.${examples("brine '*' beacons.delete ps", "brine '*' beacons.delete load")}`,
      remove,
    ),
    save: define(
      '**kwargs',
      `Write the beacons of the running minion to beacons.conf in its minion.d.${examples("brine '*' beacons.save")}`,
      save,
    ),
    enable: define(
      '**kwargs',
      `Enable the beacons of the running minion.${examples("brine '*' beacons.enable")}`,
      switchAll(true),
    ),
    disable: define(
      '**kwargs',
      `Disable all beacons of the running minion.${examples("brine '*' beacons.disable")}`,
      switchAll(false),
    ),
    enable_beacon: define(
      'name, **kwargs',
      `Enable one beacon of the running minion.${examples("brine '*' beacons.enable_beacon ps")}`,
      switchOne(true),
    ),
    disable_beacon: define(
      'name, **kwargs',
      `Disable one beacon of the running minion.${examples("brine '*' beacons.disable_beacon ps")}`,
      switchOne(false),
    ),
    reset: define(
      '**kwargs',
      `Forget all beacons of the running minion but those of the pillar.${examples("brine '*' beacons.reset")}`,
      async (args, call) => {
        if (isDryRun(args)) return told(true, 'Beacons would be reset.')
        const answer = await ask(call, args, 'reset')
        return answer === undefined
          ? told(false, `Failed to reset the beacons. ${noMinion}`)
          : told(true, 'Beacon configuration reset.')
      },
    ),
  },
}
