// `brine-cloud -m`: the machines of a map told of, made, changed and ended, with salt-cloud's words and prompts.
import { readFile } from 'node:fs/promises'
import { machinesThere, onlyNamed, readMap, renderMap } from '../../core/cloud/map.ts'
import { messageOf } from '../../core/error.ts'
import { entries, get, isList, isMap, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { CloudAction } from '../options/index.ts'
import type { RunEnd } from './followed-run.ts'
import type { Io } from './io.ts'

type MapAction = Extract<CloudAction, { kind: 'map' }>

/** What it is done with; the first of them starts a runner `cloud.…` and waits for its end, undefined where the user interrupts. */
export interface MapDesk {
  readonly run: (fun: string, arg: readonly Value[], kwarg: Mapping) => Promise<RunEnd | undefined>
  readonly confirmed: (question: string) => Promise<boolean>
  readonly show: (value: Value) => Promise<void>
  /** Says that it failed, and answers the exit code. */
  readonly failed: (trouble: string, text: string) => number
  readonly destroy: (names: readonly string[]) => Promise<number>
  readonly act: (names: readonly string[]) => Promise<number>
  readonly making: Mapping
  readonly io: Pick<Io, 'out' | 'err'>
}

/** States in which a machine of a map is started, stopped or rebooted; others are left as they are. */
const statesFor: Readonly<Record<string, readonly string[]>> = {
  start: ['stopped'],
  stop: ['running', 'active'],
  reboot: ['running', 'active'],
}

const already = 'Instance already exists, or is terminated and has the same name.'

/** The exit code: 64 where the file cannot be read, 1 where nothing could be done, 130 where the user interrupts. */
export async function mapCommand(action: MapAction, desk: MapDesk): Promise<number> {
  const { io, run } = desk
  if (action.what.kind === 'destroy' && action.names.length > 0) {
    const names = pythonStr([...action.names])
    io.err(
      `[ERROR   ] Supplying a mapfile, '${action.path}', in addition to instance names ${names} with the '--destroy' or '-d' function is not supported. Please choose to delete either the entire map file or individual instances.\n`,
    )
    return 1
  }
  let data: Value
  try {
    data = renderMap(action.path, await readFile(action.path, 'utf8'))
    readMap(data)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    io.err(`[ERROR   ] ${isMissing ? `The specified map file does not exist: '${action.path}'` : messageOf(error)}\n`)
    io.err('Usage: brine-cloud [options] <-m MAP | -p PROFILE> <NAME> [NAME2 ...]\n\n')
    io.err('brine-cloud: error: There was an error generating the mapper.\n')
    return 64
  }
  const names = action.names.length === 0 ? {} : { names: [...action.names] }
  const asked: Mapping = { map_data: data, ...names }
  if (action.what.kind !== 'make') {
    const query = action.what.kind === 'query' ? action.what.query : 'list_nodes'
    const told = await run('map_query', [], { ...asked, query_type: query })
    if (told === undefined) return 130
    if (!told.success) return desk.failed('There was an error with a custom map: ', pythonStr(told.return))
    if (action.what.kind === 'query') return shown(desk, told.return)
    if (action.what.kind === 'destroy') return desk.destroy(machinesThere(told.return))
    const states = statesFor[action.what.fun]
    if (states !== undefined) return desk.act(machinesThere(told.return, states))
    io.err(
      `[ERROR   ] The use of '${action.what.fun}' as an action is not supported in this context. Only 'start', 'stop', and 'reboot' are supported options.\n`,
    )
    return desk.failed('There was an error actioning virtual machines.', '')
  }
  if (onlyNamed(readMap(data), action.names).length === 0) {
    io.err('No nodes defined in this map')
    return 1
  }
  return make(asked, desk)
}

async function make(asked: Mapping, desk: MapDesk): Promise<number> {
  const trouble = 'There was a query error: '
  const { io, run } = desk
  const planned = await run('map_plan', [], asked)
  if (planned === undefined) return 130
  if (!planned.success) return desk.failed(trouble, pythonStr(planned.return))
  const errors = partOf(planned.return, 'errors')
  if (isMap(errors)) {
    for (const [, error] of entries(errors)) io.err(`[ERROR   ] ${pythonStr(error)}\n`)
    io.err('Found the following errors:\n')
    for (const [profile, error] of entries(errors)) io.err(`  ${pythonStr(profile)}: ${pythonStr(error)}\n`)
  }
  const [existing, create] = [namesIn(planned.return, 'existing'), namesIn(planned.return, 'create')]
  if (create.length === 0 && existing.length === 0) {
    await io.out('\n')
    return 1
  }
  const question =
    listed('The following virtual machines already exist:', existing) +
    listed('The following virtual machines are set to be created:', create)
  const made: Record<string, Value> = {}
  if (create.length > 0 && (await desk.confirmed(question))) {
    const ended = await run('map_run', [], { ...asked, ...desk.making })
    if (ended === undefined) return 130
    if (!ended.success) return desk.failed(trouble, pythonStr(ended.return))
    for (const [name, each] of isMap(ended.return) ? entries(ended.return) : []) {
      made[pythonStr(name)] = each
      const error = isMap(each) ? get(each, 'Error') : undefined
      if (typeof error === 'string') io.err(`[ERROR   ] Failed to deploy '${pythonStr(name)}'. Error: ${error}\n`)
    }
  }
  for (const name of existing) made[name] = { Message: already }
  return shown(desk, made)
}

async function shown({ show }: MapDesk, value: Value): Promise<number> {
  await show(value)
  return 0
}

function listed(title: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${title}\n${names.map((name) => `  ${name}\n`).join('')}`
}

function partOf(value: Value, key: string): Value {
  return isMap(value) ? (get(value, key) ?? null) : null
}

function namesIn(value: Value, key: string): string[] {
  const names = partOf(value, key)
  return isList(names) ? names.map(pythonStr) : []
}
