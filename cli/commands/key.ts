// `brine-key`: keys listed, accepted, rejected and deleted, with salt-key's words and prompts.
import type { Connection } from '../../client/connection.ts'
import { entries, isMap, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { KeyAction } from '../options/index.ts'
import type { OutputOptions } from '../output/outputter.ts'
import type { Io } from './io.ts'
import type { KeyPairRequest } from './key-pair.ts'
import { confirmed } from './key-question.ts'
import { printTo } from './print.ts'

/** What the command line asks for: one action, and how to ask and print. */
export interface KeyCommand {
  readonly action: KeyAction
  readonly yes: boolean
  /** Keep what is known of a deleted minion. */
  readonly preserve: boolean
  /** What `--gen-keys` makes. */
  readonly pair: KeyPairRequest
  readonly out?: string | undefined
  readonly print: OutputOptions
}

type Lists = Record<string, string[]>

/** Always ends with 0, as salt-key does; what did not match is said. */
export async function keyCommand(connection: Connection, command: KeyCommand, io: Io): Promise<number> {
  const show = async (value: Value): Promise<void> => {
    await printTo(
      io,
      value,
      command.out === undefined || command.out === 'highstate' ? 'key' : command.out,
      command.print,
    )
  }
  const { action } = command
  switch (action.action) {
    case 'list':
      await show(named(await listsOf(connection, 'list', '*'), action.match))
      return 0
    case 'print':
      await show(((await connection.keys({ act: 'texts', match: action.match })).texts ?? {}) as Mapping)
      return 0
    case 'finger': {
      const { texts, local } = await connection.keys({ act: 'fingers', match: action.match })
      await show({ ...(action.all ? { local: local ?? {} } : {}), ...((texts ?? {}) as Mapping) })
      return 0
    }
    case 'gen_keys':
      await show({ return: await (await import('./key-pair.ts')).makeKeyPair(command.pair) })
      return 0
    case 'import':
      return (await import('./key-import.ts')).importKeys(connection, action.match, { yes: command.yes, show }, io)
    default:
      return change(connection, command, action.action, io, show)
  }
}

async function change(
  connection: Connection,
  command: KeyCommand,
  act: 'accept' | 'reject' | 'delete',
  io: Io,
  show: (value: Value) => Promise<void>,
): Promise<number> {
  const { match, includeAccepted: accepted, includeRejected: rejected, includeDenied: denied } = command.action
  const found = await listsOf(connection, 'match', match)
  const wanted = [
    'minions_pre',
    ...(accepted ? ['minions'] : []),
    ...(rejected ? ['minions_rejected'] : []),
    ...(denied ? ['minions_denied'] : []),
  ]
  const lists = act === 'delete' ? Object.keys(found) : wanted
  const chosen: Lists = Object.fromEntries(
    lists.map((list) => [list, found[list] ?? []]).filter(([, ids]) => ids?.length),
  )
  if (Object.keys(chosen).length === 0) {
    const states = [
      'unaccepted',
      ...(accepted ? ['accepted'] : []),
      ...(rejected ? ['rejected'] : []),
      ...(denied ? ['denied'] : []),
    ]
    const words = states.length === 1 ? states[0] : `${states.slice(0, -1).join(', ')} or ${states.at(-1)}`
    await io.out(`The key glob '${match}' does not match any ${words} keys.\n`)
    return 0
  }
  await io.out(`The following keys are going to be ${act.replace(/e$/, '')}ed:\n`)
  await show(chosen)
  if (!command.yes && !(await confirmed(io, act === 'delete'))) return 0
  const ids = Object.values(chosen).flat()
  await connection.keys({
    act,
    match: ids,
    include_accepted: accepted,
    include_rejected: rejected,
    include_denied: denied,
    ...(act === 'delete' ? { preserve: command.preserve } : {}),
  })
  for (const id of ids) await io.out(`Key for minion ${id} ${act.replace(/e$/, '')}ed.\n`)
  return 0
}

async function listsOf(connection: Connection, act: 'list' | 'match', match: string): Promise<Lists> {
  const { lists } = await connection.keys({ act, match })
  if (lists === undefined || !isMap(lists)) return {}
  return Object.fromEntries(
    entries(lists).map(([list, ids]) => [String(list), Array.isArray(ids) ? ids.map(pythonStr) : []]),
  )
}

/** The list whose name begins so: `acc`, `pre` or `un`, `den`, `rej`, `all`. */
function named(lists: Lists, name: string): Lists {
  const known = [
    ['acc', 'minions'],
    ['pre', 'minions_pre'],
    ['un', 'minions_pre'],
    ['den', 'minions_denied'],
    ['rej', 'minions_rejected'],
  ] as const
  if (name.startsWith('all')) return lists
  const list = known.find(([start]) => name.startsWith(start))?.[1]
  return list === undefined ? {} : { [list]: lists[list] ?? [] }
}
