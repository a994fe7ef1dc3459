// Arithmetic on addresses and networks, in the words of Python's ipaddress.
import { formatAddress, INTERFACE_OPTIONS, parseInterface } from '../../../core/render/jinja/filters/ip-interface.ts'
import { type Address, contains, parseAddress, parseNetwork } from '../../../core/target/ip.ts'
import { pythonRepr, pythonStr, type Value } from '../../../core/value/index.ts'
import { PythonError } from '../errors.ts'

/** A network by its first address and the length of its prefix. */
export interface Net {
  readonly version: 4 | 6
  readonly first: bigint
  readonly prefix: number
}

const widthOf = (version: 4 | 6): number => (version === 4 ? 32 : 128)

/** Throws ValueError for what is no address. */
function addressOf(value: Value): Address {
  const address = parseAddress(pythonStr(value))
  if (address === undefined)
    throw new PythonError('ValueError', `${pythonRepr(value)} does not appear to be an IPv4 or IPv6 address`)
  return address
}

/** The network that `address/prefix` or `address/netmask` lies in; throws ValueError for anything else. */
export function netOf(text: string): Net {
  const found = parseInterface(text)
  if (found?.prefix === undefined)
    throw new PythonError('ValueError', `${pythonRepr(text)} does not appear to be an IPv4 or IPv6 network`)
  const bits = BigInt(widthOf(found.version) - found.prefix)
  return { version: found.version, first: (found.value >> bits) << bits, prefix: found.prefix }
}

/** `10.0.0.0/8` */
export const netText = ({ first, version, prefix }: Net): string => `${formatAddress(first, version)}/${prefix}`

/** How many addresses a network has. */
export const sizeOf = ({ version, prefix }: Net): bigint => 1n << BigInt(widthOf(version) - prefix)

/** The mask as an address: `255.0.0.0`, `ffff::`. */
export function maskText(net: Net): string {
  const all = (1n << BigInt(widthOf(net.version))) - 1n
  return formatAddress(all - (sizeOf(net) - 1n), net.version)
}

/** Its first address. */
export const networkText = ({ first, version }: Net): string => formatAddress(first, version)

/** Its last address. */
export const broadcastText = (net: Net): string => formatAddress(net.first + sizeOf(net) - 1n, net.version)

/** Networks in Python's order, each once. */
export function inOrder(nets: readonly Net[]): Net[] {
  const once = [...new Map(nets.map((net) => [netText(net), net])).values()]
  return once.sort((a, b) => (a.first === b.first ? a.prefix - b.prefix : a.first < b.first ? -1 : 1))
}

/** Addresses in the order of their numbers, each once. */
export function addressesInOrder(texts: readonly string[]): string[] {
  const once = [...new Map(texts.map((text) => [text, addressOf(text)])).values()]
  return once.sort((a, b) => (a.value === b.value ? 0 : a.value < b.value ? -1 : 1)).map(({ text }) => text)
}

/** Whether an option of Salt's address filters (`private`, `loopback`) holds of an address. */
export function holds(option: 'private' | 'loopback', value: Value): boolean {
  return INTERFACE_OPTIONS.get(option)?.({ ...addressOf(value), prefix: undefined }) === true
}

/** Whether a whole network is one by which a machine calls itself. */
export function isLoopbackNet({ version, first, prefix }: Net): boolean {
  const found = { version, value: first, text: formatAddress(first, version), prefix }
  return INTERFACE_OPTIONS.get('loopback')?.(found) === true
}

/** Whether one of the addresses lies in a network; false of what is no network, or has bits of a host set. */
export function anyInside(cidr: string, addresses: readonly Value[]): boolean {
  const network = parseNetwork(cidr)
  return network !== undefined && addresses.some((one) => contains(network, addressOf(one)))
}

/** The name under which the address is looked up backwards. */
export function reversed(value: Value): string {
  const { version, value: number } = addressOf(value)
  if (version === 4) return `${formatAddress(number, 4).split('.').reverse().join('.')}.in-addr.arpa`
  return `${[...number.toString(16).padStart(32, '0')].reverse().join('.')}.ip6.arpa`
}

/** Six bytes of a hardware address, with or without separators. Throws ValueError as Python does. */
export function hardwareBytes(text: string): Buffer {
  const bare = text.length === 17 ? text.replaceAll(text[2] ?? '', '') : text
  if (text.length !== 12 && text.length !== 17) throw new PythonError('ValueError', 'Invalid MAC address')
  const bytes = [0, 2, 4, 6, 8, 10].map((at) => {
    const pair = bare.slice(at, at + 2)
    if (!/^[0-9a-fA-F]{2}$/.test(pair))
      throw new PythonError('ValueError', `invalid literal for int() with base 16: ${pythonRepr(pair)}`)
    return Number.parseInt(pair, 16)
  })
  return Buffer.from(bytes)
}

/** A host's name or address without what can be neither. */
export function plainHost(host: string): string {
  return parseAddress(host) === undefined ? host.slice(0, 255).replaceAll(/[^A-Za-z0-9._-]/g, '') : host
}

/** An IPv4 address in hexadecimal digits. */
export function hexadecimal(text: string): string {
  return text
    .split('.')
    .map((part) => {
      if (!/^\s*[-+]?\d+\s*$/.test(part))
        throw new PythonError('ValueError', `invalid literal for int() with base 10: '${part}'`)
      return Number(part).toString(16).toUpperCase().padStart(2, '0')
    })
    .join('')
}
