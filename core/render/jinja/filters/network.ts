// Salt's filters on internet addresses.
import { type Address, contains, parseAddress, parseNetwork } from '../../../target/ip.ts'
import { MAX_RANGE } from '../budget.ts'
import { type Datum, isDict, str, textOf, typeName } from '../datum.ts'
import { dictPairs, newDict } from '../dict.ts'
import { collect, Generator } from '../iterate.ts'
import { binary } from '../operators.ts'
import { PythonError, valueError } from '../python-error.ts'
import type { Run } from '../run.ts'
import { defined } from '../undefined.ts'
import { filter, type NamedFilter } from './define.ts'
import { formatAddress, INTERFACE_OPTIONS, type Interface, parseInterface } from './ip-interface.ts'

type Args = readonly (Datum | undefined)[]

function addressOf(datum: Datum): Address | undefined {
  const text = textOf(datum)
  if (text !== undefined) return parseAddress(text)
  if (typeof datum !== 'number' || !Number.isInteger(datum) || datum < 0) return undefined
  const version = datum < 2 ** 32 ? 4 : 6
  return { version, value: BigInt(datum), text: formatAddress(BigInt(datum), version) }
}

/** The address or interface as text where it is of the version and all options hold. */
function checked(datum: Datum, version: 4 | 6, options: Datum): string | undefined {
  const address = addressOf(defined(datum))
  const found: Interface | undefined =
    address === undefined ? parseInterface(textOf(datum) ?? '') : { ...address, prefix: undefined }
  if (found === undefined || found.version !== version) return undefined
  const wanted =
    options === null || textOf(options) === ''
      ? []
      : str(options)
          .split(',')
          .map((option) => option.trim())
  for (const option of wanted) {
    const holds = INTERFACE_OPTIONS.get(option)
    if (holds !== undefined && !holds(found)) return undefined
  }
  return found.prefix === undefined ? found.text : `${found.text}/${found.prefix}`
}

function isList(datum: Datum): boolean {
  return Array.isArray(datum) || datum instanceof Generator
}

function ofVersion(input: Datum, version: 4 | 6, options: Datum, run: Run): Datum {
  if (textOf(input) !== undefined) return checked(input, version, options) ?? null
  if (!isList(input)) return null
  const kept: Datum[] = []
  for (const item of collect(input, run)) {
    const text = checked(item, version, options)
    if (text !== undefined) kept.push(text)
  }
  return kept
}

function anyVersion(input: Datum, options: Datum, run: Run): Datum {
  const four = ofVersion(input, 4, options, run)
  const six = ofVersion(input, 6, options, run)
  return four === null || six === null ? (four ?? six) : binary('+', four, six, run)
}

/** What `ip_host` and the network filters work on: the addresses of the input, as a list. */
function filtered(input: Datum, [options = null, version = null]: Args, run: Run): Datum[] {
  const found =
    version === 4 || version === 6 ? ofVersion(input, version, options, run) : anyVersion(input, options, run)
  if (found === null) return []
  return textOf(found) === undefined ? collect(found, run) : [found]
}

function perAddress(name: string, work: (text: string, run: Run) => Datum): NamedFilter {
  return filter(name, 'options? version?', (input, args, run) => {
    const found = filtered(input, args, run)
    const [first] = found
    if (first === undefined) return null
    return isList(input) ? found.map((item) => work(str(item), run)) : work(str(first), run)
  })
}

function networkOf(text: string): { first: bigint; bits: number; version: 4 | 6 } {
  const found = parseInterface(text) ?? parseInterface(`${text}/`)
  const address = parseAddress(text)
  const version = found?.version ?? address?.version ?? 4
  const width = version === 4 ? 32 : 128
  const prefix = found?.prefix ?? width
  const bits = width - prefix
  const value = found?.value ?? address?.value ?? 0n
  return { first: (value >> BigInt(bits)) << BigInt(bits), bits, version }
}

function hosts(text: string, run: Run): Datum {
  const { first, bits, version } = networkOf(text)
  const size = 1n << BigInt(bits)
  if (size > BigInt(MAX_RANGE)) {
    throw new PythonError('OverflowError', `network_hosts of ${text} has more than ${MAX_RANGE} addresses`)
  }
  let from = first
  let to = first + size
  if (bits > 1) {
    from += 1n
    if (version === 4) to -= 1n
  }
  run.charge(Number(to - from))
  const list: Datum[] = []
  for (let value = from; value < to; value++) list.push(formatAddress(value, version))
  return list
}

function size(text: string): Datum {
  const count = 1n << BigInt(networkOf(text).bits)
  return count <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(count) : count
}

function byNetworks(input: Datum, networks: Datum, run: Run): Datum {
  if (networks === null) return input
  const nets = collect(networks, run).map((network) => {
    const found = parseNetwork(str(network))
    if (found !== undefined) return found
    throw parseInterface(str(network)) === undefined
      ? valueError(`'${str(network)}' does not appear to be an IPv4 or IPv6 network`)
      : valueError(`${str(network)} has host bits set`)
  })
  const keep = (ips: Datum): Datum[] =>
    collect(ips, run).flatMap((ip) => {
      const address = addressOf(ip)
      if (address === undefined) throw valueError(`'${str(ip)}' does not appear to be an IPv4 or IPv6 address`)
      return nets.filter((network) => contains(network, address)).map(() => ip)
    })
  if (isDict(input)) return newDict(dictPairs(input).map(([name, ips]) => [name, keep(ips)] as const))
  if (Array.isArray(input) || textOf(input) !== undefined) return keep(input)
  defined(input)
  throw valueError(`Do not know how to filter a <class '${typeName(input)}'>`)
}

function wrap(datum: Datum): Datum {
  if (checked(datum, 6, null) === undefined) return datum
  const address = parseAddress(str(datum).replace(/^\[+/, '').replace(/\]+$/, ''))
  if (address === undefined) throw valueError(`'${str(datum)}' does not appear to be an IPv4 or IPv6 address`)
  return `[${address.text}]`
}

/** The filters, by Salt's names. */
export const NETWORK_FILTERS: readonly NamedFilter[] = [
  filter('is_ip', '', (input) => addressOf(defined(input)) !== undefined),
  filter('is_ipv4', 'options?', (input, [options = null]) => checked(defined(input), 4, options) !== undefined),
  filter('is_ipv6', 'options?', (input, [options = null]) => checked(defined(input), 6, options) !== undefined),
  filter('ipv4', 'options?', (input, [options = null], run) => ofVersion(input, 4, options, run)),
  filter('ipv6', 'options?', (input, [options = null], run) => ofVersion(input, 6, options, run)),
  filter('ipaddr', 'options?', (input, [options = null], run) => anyVersion(input, options, run)),
  perAddress('ip_host', (text) => (text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`)),
  perAddress('network_hosts', hosts),
  perAddress('network_size', size),
  filter('filter_by_networks', 'networks', (input, [networks = null], run) => byNetworks(input, networks, run)),
  filter('ipwrap', '', (input) => (Array.isArray(input) ? Array.from(input, wrap) : wrap(defined(input)))),
]
