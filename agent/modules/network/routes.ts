// Where packets go: routes, and the neighbours that are known by their hardware addresses.
import { type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError } from '../errors.ts'
import type { Call } from '../module.ts'
import { outputOf } from '../program.ts'
import { maskText, netOf, networkText } from './addresses.ts'

/** Kinds of routes that lead nowhere, or not to one machine. */
const elsewhere = [
  'unicast',
  'broadcast',
  'throw',
  'unreachable',
  'prohibit',
  'blackhole',
  'nat',
  'anycast',
  'multicast',
]

const lines = async (call: Call, words: readonly string[]): Promise<string[][]> =>
  (await outputOf(call, words)).split('\n').flatMap((line) => (line === '' ? [] : [line.trim().split(/\s+/)]))

function familyOf(args: Arguments): string | undefined {
  const family = args.value('family')
  if (family === null || family === 'inet' || family === 'inet6') return family ?? undefined
  throw new CommandExecutionError(`Invalid address family ${args.text('family')}`)
}

/** The word behind another. */
const behind = (words: readonly string[], name: string): string =>
  words.includes(name) ? (words[words.indexOf(name) + 1] ?? '') : ''

function inetRoute(words: readonly string[]): Mapping {
  const [destination = ''] = words
  const net = destination === 'default' ? netOf('0.0.0.0/0') : netOf(destination)
  const gateway = behind(words, 'via')
  return {
    addr_family: 'inet',
    destination: networkText(net),
    gateway: gateway === '' ? '0.0.0.0' : gateway,
    netmask: maskText(net),
    flags: gateway === '' ? 'U' : 'UG',
    interface: behind(words, 'dev'),
  }
}

function inet6Route(words: readonly string[]): Mapping {
  const [first = '', second = ''] = words
  const destination = first === 'default' ? '::/0' : first === 'local' ? `${second}/128` : first
  const gateway = behind(words, 'via')
  return {
    addr_family: 'inet6',
    destination,
    gateway: gateway === '' ? '::' : gateway,
    netmask: '',
    flags: gateway === '' ? 'U' : 'UG',
    interface: behind(words, 'dev'),
  }
}

/** The routes of the main table; in IPv6 those of every table. */
export async function routes(args: Arguments, call: Call): Promise<Mapping[]> {
  const family = familyOf(args)
  const leads = ([kind = '']: readonly string[]): boolean => !elsewhere.includes(kind)
  const told: Mapping[] = []
  if (family !== 'inet6')
    for (const words of await lines(call, ['ip', '-4', 'route', 'show', 'table', 'main']))
      if (leads(words)) told.push(inetRoute(words))
  if (family !== 'inet')
    for (const words of await lines(call, ['ip', '-6', 'route', 'show', 'table', 'all']))
      if (leads(words)) told.push(inet6Route(words))
  return told
}

/** Those of them that everything else takes. */
export async function defaultRoutes(args: Arguments, call: Call): Promise<Mapping[]> {
  const all = await routes(args, call)
  return all.filter(({ destination }) => destination === '0.0.0.0' || destination === '::/0')
}

/** By which gateway and interface an address is reached, and from which address of this machine. */
export async function routeTo(args: Arguments, call: Call): Promise<Mapping> {
  const destination = args.text('ip')
  const told = await outputOf(call, ['ip', 'route', 'get', destination], { merge: true })
  const found = /(?:via\s+([\w.:]+))?\s+dev\s+([\w.:-]+)\s+.*src\s+([\w.:]+)/.exec(told.split('\n')[0] ?? '')
  if (found === null) throw new CommandExecutionError(`No route to ${destination} is known: ${told}`)
  const [, gateway = null, device = '', source = ''] = found
  return { destination, gateway, interface: device, source }
}

/** Addresses of one kind by the hardware address behind them. */
export async function neighbours(call: Call, mark: '.' | ':'): Promise<Mapping> {
  const told: Mapping = {}
  for (const [address = '', , , , hardware] of await lines(call, ['ip', 'neigh', 'show']))
    if (hardware !== undefined && address.includes(mark)) told[hardware] = address
  return told
}

/** What `arp -an` tells, in the same form. */
export async function arpTable(call: Call): Promise<Value> {
  const told: Mapping = {}
  for (const [, address = '', , hardware] of await lines(call, ['arp', '-an']))
    if (hardware !== undefined) told[hardware] = address.replaceAll(/^\(+|\)+$/g, '')
  return told
}

/** How much an interface can keep and keeps, as ethtool tells it. */
export async function bufferSizes(call: Call, iface: string): Promise<Mapping> {
  const told: Mapping = { result: false }
  const output = await outputOf(call, ['ethtool', '-g', iface], { merge: true })
  let suffix = 'max-'
  for (const line of output.split('\n')) {
    const [, name, size] = /^(.+):\s+(\d+)$/.exec(line) ?? []
    if (name !== undefined) {
      told[name.toLowerCase().replaceAll(' ', '-') + suffix] = Number(size)
      told.result = true
    } else if (line.endsWith('maximums:')) suffix = '-max'
    else if (line.endsWith('settings:')) suffix = ''
  }
  return told.result === true ? told : { ...told, comment: output }
}

/** Gives an interface other sizes. */
export async function setBufferSizes(args: Arguments, call: Call): Promise<Mapping> {
  const refused = (comment: string): Mapping => ({ result: false, comment })
  const needed = 'Requires rx=<val> tx==<val> rx-mini=<val> and/or rx-jumbo=<val>'
  if (Object.keys(args.keywords).length === 0) return refused(needed)
  if (args.positional.length > 0) return refused(`Unknown arguments: ${args.positional.map(pythonStr).join(' ')}`)
  const words = ['rx', 'tx', 'rx-mini', 'rx-jumbo'].flatMap((name) => {
    const value = args.keywords[name] ?? null
    return value === null ? [] : [name, pythonStr(value)]
  })
  if (words.length === 0) return refused(needed)
  const output = await outputOf(call, ['ethtool', '-G', args.text('iface'), ...words], { merge: true })
  return output === '' ? { comment: words.join(' '), result: true } : refused(output)
}
