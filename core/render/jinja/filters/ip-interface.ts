// An address with its prefix, and what Python's ipaddress says of it: private, loopback, reserved …
import { parseAddress, parseNetwork } from '../../../target/ip.ts'

/** An address; with a prefix it is an interface. */
export interface Interface {
  readonly version: 4 | 6
  readonly value: bigint
  readonly text: string
  readonly prefix: number | undefined
}

/** Reads `address/prefix` or `address/netmask`; host bits may be set. */
export function parseInterface(text: string): Interface | undefined {
  const slash = text.indexOf('/')
  const address = parseAddress(slash < 0 ? text : text.slice(0, slash))
  if (address === undefined) return undefined
  if (slash < 0) return { ...address, prefix: address.version === 4 ? 32 : 128 }
  const zero = address.version === 4 ? '0.0.0.0' : '::'
  const network = parseNetwork(`${zero}${text.slice(slash)}`)
  return network === undefined ? undefined : { ...address, prefix: network.prefix }
}

/** The text Python prints for an address. */
export function formatAddress(value: bigint, version: 4 | 6): string {
  if (version === 4) {
    return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
  }
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - index * 16)) & 0xffffn).toString(16))
  return parseAddress(groups.join(':'))?.text ?? groups.join(':')
}

type Range = readonly [bits: bigint, shift: bigint, version: 4 | 6]

function ranges(...networks: string[]): readonly Range[] {
  return networks.map((text) => {
    const [host = '', prefix = '0'] = text.split('/')
    const address = parseAddress(host)
    const version = address?.version ?? 4
    const shift = BigInt((version === 4 ? 32 : 128) - Number(prefix))
    return [(address?.value ?? 0n) >> shift, shift, version] as const
  })
}

function within(list: readonly Range[]): (found: Interface) => boolean {
  return ({ value, version, prefix }) =>
    list.some(([bits, shift, of]) => {
      if (of !== version || value >> shift !== bits) return false
      const width = version === 4 ? 32 : 128
      return prefix === undefined || BigInt(width - prefix) <= shift
    })
}

const isPrivateItself = within(
  ranges(
    '0.0.0.0/8',
    '10.0.0.0/8',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/29',
    '192.0.0.170/31',
    '192.0.2.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
    '255.255.255.255/32',
    '::1/128',
    '::/128',
    '100::/64',
    '2001::/23',
    '2001:2::/48',
    '2001:db8::/32',
    '2001:10::/28',
    'fc00::/7',
    'fe80::/10',
  ),
)
const isMapped = within(ranges('::ffff:0:0/96'))
/** An IPv4 address in an IPv6 one is what it is in IPv4. */
function isPrivate(found: Interface): boolean {
  if (!isMapped({ ...found, prefix: undefined })) return isPrivateItself(found)
  const value = found.value & 0xffffffffn
  return isPrivateItself({ version: 4, value, text: formatAddress(value, 4), prefix: undefined })
}
const isMulticast = within(ranges('224.0.0.0/4', 'ff00::/8'))
const isLoopback = within(ranges('127.0.0.0/8', '::1/128'))
const isLinkLocal = within(ranges('169.254.0.0/16', 'fe80::/10'))
const isUnspecified = within(ranges('0.0.0.0/32', '::/128'))
const isSiteLocal = within(ranges('fec0::/10'))
const isReserved = within(
  ranges(
    '240.0.0.0/4',
    '::/8',
    '100::/8',
    '200::/7',
    '400::/6',
    '800::/5',
    '1000::/4',
    '4000::/3',
    '6000::/3',
    '8000::/3',
    'a000::/3',
    'c000::/3',
    'e000::/4',
    'f000::/5',
    'f800::/6',
    'fe00::/9',
  ),
)
const isGlobal = (found: Interface): boolean => !isPrivate(found)

/** The options of Salt's address filters. */
export const INTERFACE_OPTIONS: ReadonlyMap<string, (found: Interface) => boolean> = new Map([
  ['global', isGlobal],
  ['public', isGlobal],
  ['link-local', isLinkLocal],
  ['linklocal', isLinkLocal],
  ['ll', isLinkLocal],
  ['link_local', isLinkLocal],
  ['loopback', isLoopback],
  ['lo', isLoopback],
  ['multicast', isMulticast],
  ['private', isPrivate],
  ['reserved', isReserved],
  ['site-local', isSiteLocal],
  ['sl', isSiteLocal],
  ['site_local', isSiteLocal],
  ['unspecified', isUnspecified],
])
