// Salt's `host` states: entries of the hosts file.
import { isIP } from 'node:net'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { fine, would, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

const listOf = (value: Value): string[] => (Array.isArray(value) ? value : [value]).map(pythonStr)

interface Work {
  readonly address: string
  readonly value: string
}

/** What there is to do, and what is as it should be. */
interface Plan {
  readonly add: Work[]
  readonly remove: Work[]
  readonly comment: Work[]
  readonly words: string[]
  readonly warnings: string[]
  isWrong: boolean
}

async function planOf(args: Arguments, call: StateCall): Promise<Plan> {
  const name = args.text('name')
  const wanted = listOf(args.value('ip'))
  const comment = args.text('comment')
  const told = await call.salt('hosts.list_hosts', [])
  const all = isMapping(told) ? told : {}
  const plan: Plan = { add: [], remove: [], comment: [], words: [], warnings: [], isWrong: false }
  const addition = (address: string): void => {
    plan.add.push({ address, value: name })
    if (comment !== '') plan.comment.push({ address, value: comment })
  }
  for (const address of wanted) if (all[address] === undefined) addition(address)
  for (const [address, host] of Object.entries(all)) {
    const about = isMapping(host) ? host : {}
    const isNamed = Array.isArray(about.aliases) && about.aliases.includes(name)
    if (!wanted.includes(address)) {
      if (isNamed && args.is('clean')) plan.remove.push({ address, value: name })
      else if (isNamed)
        plan.warnings.push(
          `Host ${name} present for IP address ${address}. To get rid of this warning, either run this state with 'clean' set to True to remove ${name} from ${address}, or add ${address} to the 'ip' argument.`,
        )
    } else if (isNamed) {
      if (comment !== '' && about.comment !== comment) plan.comment.push({ address, value: comment })
      else plan.words.push(`Host ${name} (${address}) already present`)
    } else if (isIP(address) !== 0) addition(address)
    else {
      plan.isWrong = true
      plan.words.push(`Invalid IP Address for ${name} (${address})`)
    }
  }
  return plan
}

async function present(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const plan = await planOf(args, call)
  const changes: Mapping = {}
  const words = [...plan.words]
  let result: boolean | null = !plan.isWrong
  const steps = [
    [
      'add_host',
      plan.add,
      'added',
      (w: Work) => [`Host ${w.value} (${w.address}) would be added`, `Added host ${w.value} (${w.address})`],
    ],
    [
      'set_comment',
      plan.comment,
      'comment_added',
      (w: Work) => [
        `Comment for ${w.address} (${w.value}) would be added`,
        `Set comment for host ${w.address} (${w.value})`,
      ],
    ],
    [
      'rm_host',
      plan.remove,
      'removed',
      (w: Work) => [`Host ${w.value} (${w.address}) would be removed`, `Removed host ${w.value} (${w.address})`],
    ],
  ] as const
  for (const [fun, all, key, wordsOf] of steps) {
    for (const work of all) {
      const [before = '', after = ''] = wordsOf(work)
      if (!call.test && (await call.salt(`hosts.${fun}`, [work.address, work.value])) !== true) {
        result = false
        words.push(`Failed: ${fun} ${work.address} ${work.value}`)
        continue
      }
      // As in Salt, a comment alone is no change that test mode foretells.
      if (call.test && fun !== 'set_comment') result = null
      words.push(call.test ? before : after)
      const told = changes[key]
      changes[key] = { ...(isMapping(told) ? told : {}), [work.address]: [work.value] }
    }
  }
  const warnings = plan.warnings.length === 0 ? {} : { warnings: [...plan.warnings] }
  return { name, result, changes, comment: words.join('\n'), ...warnings }
}

async function absent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const words: string[] = []
  let changes: Mapping = {}
  let result: boolean | null = null
  for (const address of listOf(args.value('ip'))) {
    if ((await call.salt('hosts.has_pair', [address, name])) !== true) {
      result = true
      words.push(`Host ${name} (${address}) already absent`)
    } else if (call.test) words.push(`Host ${name} (${address}) needs to be removed`)
    else {
      result = (await call.salt('hosts.rm_host', [address, name])) === true
      if (result) changes = { host: name }
      words.push(result ? `Removed host ${name} (${address})` : 'Failed to remove host')
    }
  }
  return { name, result, changes, comment: words.join('\n') }
}

async function only(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const told = await call.salt('hosts.get_alias', [name])
  const old = Array.isArray(told) ? told.map(pythonStr).join(' ') : ''
  const now = listOf(args.value('hostnames'))
    .map((one) => one.trim())
    .join(' ')
  if (old === now) return fine(name, `IP address ${name} already set to "${now}"`)
  if (call.test) return would(name, `Would change ${name} from "${old}" to "${now}"`)
  if ((await call.salt('hosts.set_host', [name, now])) !== true)
    return wrong(name, `hosts.set_host failed to change ${name} from "${old}" to "${now}"`)
  return fine(name, `successfully changed ${name} from "${old}" to "${now}"`, { [name]: { old, new: now } })
}

/** Salt's `host` states. */
export const host: StateModule = {
  name: 'host',
  functions: {
    present: defineState(
      "name, ip, comment='', clean=False",
      `A name is in the hosts file.

ip
    Its address, or a list of them.
comment
    A comment beside the address.
clean
    Take the name from all other addresses.${slsExample(`
salt-master:
  host.present:
    - ip: 192.168.0.42`)}`,
      present,
    ),
    absent: defineState(
      'name, ip',
      `A name is not in the hosts file.

ip
    The address, or a list of them, that does not have it.${slsExample(`
salt-master:
  host.absent:
    - ip: 192.168.0.42`)}`,
      absent,
    ),
    only: defineState(
      'name, hostnames',
      `An address has these names in the hosts file, and no others.

hostnames
    A name, or a list; an empty list removes the address.${slsExample(`
127.0.1.1:
  host.only:
    - hostnames:
      - foo.bar
      - foo`)}`,
      only,
    ),
  },
}
