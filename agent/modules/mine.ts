// What this minion gives to others, and what they give to it.
import { messageOf } from '../../core/error.ts'
import {
  entries,
  isList,
  isMap,
  isMapping,
  type Mapping,
  pythonStr,
  pythonTruth,
  type Value,
} from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { SaltInvocationError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'

/** One thing given: a function with its arguments, and who may see it. */
interface Gift {
  readonly name: string
  readonly fun: string
  readonly args: readonly Value[]
  readonly kwargs: Mapping
  readonly acl: Mapping
}

const aclWords = ['allow_tgt', 'allow_tgt_type']

/** What `mine_functions` says of one name: a list of arguments and one-key maps, or a map of keywords. */
function giftOf(name: string, written: Value): Gift {
  const args: Value[] = []
  const all: [string, Value][] = []
  for (const item of isList(written) ? written : isMap(written) ? [written] : []) {
    if (isMap(item)) all.push(...entries(item).map(([key, value]): [string, Value] => [pythonStr(key), value]))
    else args.push(item)
  }
  const words = new Map(all)
  const fun = pythonStr(words.get('mine_function') ?? name)
  const acl = Object.fromEntries(all.filter(([key]) => aclWords.includes(key)))
  const kwargs = Object.fromEntries(all.filter(([key]) => key !== 'mine_function' && !aclWords.includes(key)))
  return { name, fun, args, kwargs, acl }
}

/** `mine_functions` of the pillar and of the configuration; the latter wins. */
function configured(call: Call): Gift[] {
  const both = [call.agent.pillar().mine_functions ?? null, call.agent.opts.mine_functions ?? null]
  const merged = new Map(both.flatMap((written) => giftsIn(written).map((gift) => [gift.name, gift] as const)))
  return [...merged.values()]
}

function giftsIn(written: Value): Gift[] {
  if (isList(written)) return written.flatMap((item) => (isMap(item) ? giftsIn(item) : [giftOf(pythonStr(item), [])]))
  if (!isMap(written)) return []
  return entries(written).map(([name, definition]) => giftOf(pythonStr(name), definition))
}

/** What the function answers, wrapped where only some may see it; undefined where it fails, which is in the log. */
async function askedOf(gift: Gift, call: Call, where: string): Promise<Value | undefined> {
  const { log } = call.agent.outside
  if (call.agent.functions.get(gift.fun) === undefined) {
    log.error(`Function ${gift.fun} in mine_functions not available`)
    return undefined
  }
  try {
    const value = await call.salt(gift.fun, gift.args, gift.kwargs)
    if (!pythonTruth(gift.acl.allow_tgt ?? null)) return value
    return { __data__: value, __saltmine_acl__: 1, ...gift.acl }
  } catch (error) {
    log.error(`Function ${gift.fun} in ${where} failed to execute: ${messageOf(error)}`)
    return undefined
  }
}

async function update(args: Arguments, call: Call): Promise<Value> {
  const given = args.value('mine_functions')
  const gifts = pythonTruth(given) ? giftsIn(given) : configured(call)
  if (gifts.length === 0) return null
  const data: Mapping = {}
  for (const gift of gifts) {
    const value = await askedOf(gift, call, 'mine.update')
    if (value !== undefined) data[gift.name] = value
  }
  await call.agent.mine.give(data, args.is('clear'))
  return true
}

async function send(args: Arguments, call: Call): Promise<Value> {
  const gift = giftOf(args.text('name'), [...args.positional, args.cleanKeywords])
  const value = await askedOf(gift, call, 'mine.send')
  if (value === undefined) return false
  await call.agent.mine.give({ [gift.name]: value }, false)
  return true
}

async function get(args: Arguments, call: Call): Promise<Value> {
  const { agent } = call
  const type = args.text('tgt_type')
  if (agent.isLocal) {
    const match = `match.${type.replace(/_exact$/, '')}`
    if (agent.functions.get(match) === undefined) throw new SaltInvocationError(`There is no target type ${type}.`)
    if ((await call.salt(match, [args.value('tgt')])) !== true) return {}
  }
  const found = await agent.mine.get(args.value('tgt'), args.value('fun'), type)
  if (args.is('exclude_minion')) delete found[agent.id]
  return Object.fromEntries(entries(found).map(([key, value]) => [pythonStr(key), unwrapped(value)]))
}

/** One's own, without a master, may be wrapped. */
function unwrapped(value: Value): Value {
  return isMapping(value) && value.__saltmine_acl__ === 1 ? (value.__data__ ?? null) : value
}

function valid(call: Call): Value {
  const gifts = configured(call).map(({ name, fun, args, kwargs }): [string, Value] => {
    const shown = [...args, ...Object.entries(kwargs).map(([key, value]) => ({ [key]: value }))]
    return [name, fun === name ? shown : { [fun]: shown }]
  })
  return gifts.length === 0 ? null : Object.fromEntries(gifts)
}

/** Salt's `mine` module. */
export const mine: ExecutionModule = {
  name: 'mine',
  file: 'mine',
  functions: {
    update: define(
      'clear=False, mine_functions=None',
      `Run the functions of mine_functions and give what they answer to other minions.

clear
    Take everything else back.
mine_functions
    Others than those configured.${examples("brine '*' mine.update")}`,
      update,
    ),
    send: define(
      'name, *args, **kwargs',
      `Run one function and give what it answers to other minions.

mine_function
    The function, where the name is another one.
allow_tgt, allow_tgt_type
    Which minions may see it.${examples("brine '*' mine.send network.ip_addrs interface=eth0", "brine '*' mine.send eth0_ip_addrs mine_function=network.ip_addrs interface=eth0", "brine '*' mine.send eth0_ip_addrs mine_function=network.ip_addrs interface=eth0 allow_tgt='G@grain:value' allow_tgt_type=compound")}`,
      send,
    ),
    get: define(
      "tgt, fun, tgt_type='glob', exclude_minion=False",
      `Return what the minions of a target give, by minion. Several names, in a list or with commas, are told by name.${examples("brine '*' mine.get '*' network.interfaces", "brine '*' mine.get 'os:Fedora' network.interfaces grain", "brine '*' mine.get 'G@os:Fedora and S@192.168.5.0/24' network.ipaddrs compound")}`,
      get,
      { readOnly: true },
    ),
    delete: define(
      'fun',
      `Take one name back.${examples("brine '*' mine.delete 'network.interfaces'")}`,
      async (args, call) => {
        await call.agent.mine.take(args.text('fun'))
        return true
      },
    ),
    flush: define('', `Take everything back.${examples("brine '*' mine.flush")}`, async (_, call) => {
      await call.agent.mine.flush()
      return true
    }),
    valid: define('', `Return what mine_functions says.${examples("brine '*' mine.valid")}`, (_, call) => valid(call), {
      readOnly: true,
    }),
  },
}
