// Internet addresses and networks as Python's ipaddress reads and prints them.

/** An address: its number, and its text in the one form Python prints. */
export interface Address {
  readonly version: 4 | 6
  readonly value: bigint
  readonly text: string
}

/** A network without host bits. */
export interface Network {
  readonly version: 4 | 6
  readonly value: bigint
  readonly prefix: number
}

const WIDTHS = { 4: 32, 6: 128 } as const

/** An address, `undefined` for anything Python refuses: leading zeros, spaces, too few or many parts. */
export function parseAddress(text: string): Address | undefined {
  const four = parseIpv4(text)
  if (four !== undefined) return { version: 4, value: four, text: text }
  const [plain = '', scope, ...rest] = text.split('%')
  if (rest.length > 0 || scope === '') return undefined
  const six = parseIpv6(plain)
  if (six === undefined) return undefined
  return { version: 6, value: six, text: formatIpv6(six) + (scope === undefined ? '' : `%${scope}`) }
}

/** A network in CIDR or netmask form; `undefined` where bits of the host are set. */
export function parseNetwork(text: string): Network | undefined {
  const [host = '', mask, ...rest] = text.split('/')
  const address = parseAddress(host)
  if (address === undefined || rest.length > 0) return undefined
  const width = WIDTHS[address.version]
  const prefix = mask === undefined ? width : prefixOf(mask, address.version)
  if (prefix === undefined) return undefined
  const hostBits = BigInt(width - prefix)
  if ((address.value >> hostBits) << hostBits !== address.value) return undefined
  return { version: address.version, value: address.value, prefix }
}

/** Whether an address lies in a network; never across versions. */
export function contains(network: Network, address: Address): boolean {
  const hostBits = BigInt(WIDTHS[network.version] - network.prefix)
  return network.version === address.version && address.value >> hostBits === network.value >> hostBits
}

/** A number of bits; in IPv4 also a netmask, or a host mask. */
function prefixOf(mask: string, version: 4 | 6): number | undefined {
  if (/^[0-9]+$/.test(mask)) return Number(mask) <= WIDTHS[version] ? Number(mask) : undefined
  const value = version === 4 ? parseIpv4(mask) : undefined
  if (value === undefined) return undefined
  const bits = value.toString(2).padStart(32, '0')
  if (/^1*0*$/.test(bits)) return bits.indexOf('0') < 0 ? 32 : bits.indexOf('0')
  return /^0*1*$/.test(bits) ? bits.indexOf('1') : undefined
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0n
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined
    value = value * 256n + BigInt(part)
  }
  return value
}

function parseIpv6(text: string): bigint | undefined {
  const parts = text.split(':')
  const last = parts.at(-1) ?? ''
  if (last.includes('.')) {
    const four = parseIpv4(last)
    if (four === undefined) return undefined
    parts.splice(-1, 1, (four >> 16n).toString(16), (four & 0xffffn).toString(16))
  }
  const halves = parts.join(':').split('::')
  if (parts.length < 3 || halves.length > 2) return undefined
  const head = groupsOf(halves[0] ?? '')
  const tail = halves.length === 2 ? groupsOf(halves[1] ?? '') : []
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...head, ...Array.from({ length: missing }, () => 0n), ...tail]
  return groups.reduce((value, group) => (value << 16n) | group, 0n)
}

function groupsOf(text: string): bigint[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  return parts.every((part) => /^[0-9a-fA-F]{1,4}$/.test(part)) ? parts.map((part) => BigInt(`0x${part}`)) : undefined
}

/** Lower case, no leading zeros, the longest run of zero groups as `::`. */
function formatIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16))
  let best = { start: -1, length: 1 }
  for (let start = 0; start < 8; start++) {
    let length = 0
    while (groups[start + length] === '0') length++
    if (length > best.length) best = { start, length }
  }
  if (best.start < 0) return groups.join(':')
  return `${groups.slice(0, best.start).join(':')}::${groups.slice(best.start + best.length).join(':')}`
}
