// The interfaces of this machine with their addresses, as `ip` tells them, or Node where there is no `ip`.
import { networkInterfaces } from 'node:os'
import { matchTag } from '../../../core/event/tag-glob.ts'
import { isList, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { which } from '../cmd-run.ts'
import type { Call } from '../module.ts'
import { outputOf } from '../program.ts'
import { addressesInOrder, holds, inOrder, isLoopbackNet, maskText, type Net, netOf } from './addresses.ts'

/** An IPv4 address of an interface. */
export interface Inet {
  readonly address: string
  readonly netmask: string
  readonly broadcast: string | null
  readonly label: string
}

/** An IPv6 address of an interface. */
export interface Inet6 {
  readonly address: string
  readonly prefixlen: string
  readonly scope: string | null
}

/** Lists are left out where they are empty. */
export interface Interface {
  up: boolean
  parent?: string
  hwaddr?: string
  inet?: Inet[]
  inet6?: Inet6[]
  secondary?: ((Inet | Inet6) & { readonly type: string })[]
}

/** All interfaces by name. */
export type Interfaces = ReadonlyMap<string, Interface>

/** They are asked for anew each time. */
export async function interfacesOf(call: Call): Promise<Interfaces> {
  if ((await which('ip')) === undefined) return interfacesOfNode()
  const told = [await outputOf(call, ['ip', 'link', 'show']), await outputOf(call, ['ip', 'addr', 'show'])]
  return interfacesIn(told.join('\n'))
}

/** What `ip link show` and `ip addr show` print; of an interface told twice the later counts. */
function interfacesIn(text: string): Interfaces {
  const found = new Map<string, Interface>()
  let current: Interface | undefined
  for (const line of text.split('\n')) {
    const head = /^\d+:\s+([\w.-]+)(?:@([\w.-]+))?:\s+<(.+)>/.exec(line)
    if (head !== null) {
      const [, name = '', parent, attributes = ''] = head
      current = { up: attributes.split(',').includes('UP'), ...(parent === undefined ? {} : { parent }) }
      found.set(name, current)
    } else if (current !== undefined) readLine(current, line.trim().split(/\s+/))
  }
  return found
}

function readLine(one: Interface, words: readonly string[]): void {
  const [kind = '', value = ''] = words
  if (kind.startsWith('link')) one.hwaddr = value
  if (kind !== 'inet' && kind !== 'inet6') return
  const [address = '', bits = kind === 'inet' ? '32' : ''] = value.split('/')
  const word = (name: string): string | null => (words.includes(name) ? (words[words.indexOf(name) + 1] ?? null) : null)
  const told: Inet | Inet6 =
    kind === 'inet'
      ? { address, netmask: maskText(netOf(`0.0.0.0/${bits}`)), broadcast: word('brd'), label: words.at(-1) ?? '' }
      : { address, prefixlen: bits, scope: word('scope') }
  if (words.includes('secondary')) one.secondary = [...(one.secondary ?? []), { type: kind, ...told }]
  else if ('netmask' in told) one.inet = [...(one.inet ?? []), told]
  else one.inet6 = [...(one.inet6 ?? []), told]
}

function interfacesOfNode(): Interfaces {
  const found = new Map<string, Interface>()
  for (const [name, list = []] of Object.entries(networkInterfaces())) {
    const inet = list
      .filter(({ family }) => family === 'IPv4')
      .map(({ address, netmask }) => ({ address, netmask, broadcast: broadcastOf(address, netmask), label: name }))
    const inet6 = list
      .filter(({ family }) => family === 'IPv6')
      .map(({ address, cidr }) => ({
        address,
        prefixlen: (cidr ?? '').split('/')[1] ?? '',
        scope: address.startsWith('fe80') ? 'link' : address === '::1' ? 'host' : 'global',
      }))
    found.set(name, {
      up: true,
      hwaddr: list[0]?.mac ?? '',
      ...(inet.length > 0 ? { inet } : {}),
      ...(inet6.length > 0 ? { inet6 } : {}),
    })
  }
  return found
}

function broadcastOf(address: string, netmask: string): string | null {
  if (address.startsWith('127.')) return null
  const mask = netmask.split('.').map(Number)
  return address
    .split('.')
    .map((part, at) => Number(part) | (255 - (mask[at] ?? 255)))
    .join('.')
}

/** Those that are wanted: all for None, else names or shell patterns in a list or between commas. */
export function chosen(all: Interfaces, wanted: Value): Interface[] {
  if (wanted === null) return [...all.values()]
  const patterns = (isList(wanted) ? [...wanted] : pythonStr(wanted).split(',')).map((one) => pythonStr(one).trim())
  return [...all].filter(([name]) => patterns.some((glob) => matchTag(glob, name))).map(([, one]) => one)
}

/** The addresses of one kind; those that are secondary come after the others. */
function told(list: readonly Interface[], kind: 'inet' | 'inet6'): (Inet | Inet6)[] {
  return list.flatMap((one) => [
    ...((one[kind] ?? []) as (Inet | Inet6)[]),
    ...(one.secondary ?? []).filter(({ type }) => type === kind),
  ])
}

/** Addresses of interfaces in the order of their numbers; those by which a machine calls itself only if asked for. */
export function addressesIn(list: readonly Interface[], kind: 'inet' | 'inet6', loopback: boolean): string[] {
  const texts = told(list, kind).map(({ address }) => address)
  return addressesInOrder(texts).filter((text) => loopback || !holds('loopback', text))
}

/** The networks that interfaces are in, in order. */
export function networksIn(list: readonly Interface[], kind: 'inet' | 'inet6', loopback: boolean): Net[] {
  const nets = told(list, kind).map((one) => netOf(`${one.address}/${'netmask' in one ? one.netmask : one.prefixlen}`))
  return inOrder(nets.filter((net) => loopback || !isLoopbackNet(net)))
}

/** An interface as it is returned. */
export function shown(one: Interface): Mapping {
  const { inet, inet6, secondary, ...rest } = one
  return {
    ...rest,
    ...(inet === undefined ? {} : { inet: inet.map((each) => ({ ...each })) }),
    ...(inet6 === undefined ? {} : { inet6: inet6.map((each) => ({ ...each })) }),
    ...(secondary === undefined ? {} : { secondary: secondary.map((each) => ({ ...each })) }),
  }
}
