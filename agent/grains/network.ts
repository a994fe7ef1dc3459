// Names and addresses of the machine.
import { hostname, networkInterfaces } from 'node:os'
import type { Mapping, Value } from '../../core/value/index.ts'
import { namesIn, textOf } from './read.ts'

/** Salt's grains about the network. Names come from `/etc/hosts`: nothing waits for a name server. */
export async function networkGrains(): Promise<Mapping> {
  const [hosts, addresses, dns, gateways] = await Promise.all([
    textOf('/etc/hosts'),
    addressGrains(),
    dnsGrain(),
    gatewayGrains(),
  ])
  return { ...nameGrains(hostname(), hosts), ...addresses, dns, ...gateways, fqdns: [] }
}

/** The names that a host name and a text of `/etc/hosts` mean. */
export function nameGrains(name: string, hosts: string): Mapping {
  const lines = hosts
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
    .filter((words) => words.length > 1)
  const named = lines.filter(([, ...names]) => names.includes(name))
  const fqdn = named.flatMap(([, ...names]) => names).find((alias) => alias.startsWith(`${name}.`)) ?? name
  const addresses = [...new Set(named.map(([address = '']) => address))]
  const dot = fqdn.indexOf('.')
  return {
    localhost: name,
    nodename: name,
    fqdn,
    host: dot < 0 ? fqdn : fqdn.slice(0, dot),
    domain: dot < 0 ? '' : fqdn.slice(dot + 1),
    fqdn_ip4: addresses.filter((address) => !address.includes(':')),
    fqdn_ip6: addresses.filter((address) => address.includes(':') && address !== '::1'),
  }
}

async function addressGrains(): Promise<Mapping> {
  const found = networkInterfaces()
  const names = await namesIn('/sys/class/net')
  const all = [...new Set([...names, ...Object.keys(found)])]
  const ip: Mapping = {}
  const ip4: Mapping = {}
  const ip6: Mapping = {}
  const hardware: Mapping = {}
  for (const name of all) {
    const entries = found[name] ?? []
    const v4 = entries.filter(({ family }) => family === 'IPv4').map(({ address }) => address)
    const v6 = entries.filter(({ family }) => family === 'IPv6').map(({ address }) => address)
    ip4[name] = v4
    ip6[name] = v6
    ip[name] = [...v4, ...v6]
    const mac = entries[0]?.mac ?? (await textOf(`/sys/class/net/${name}/address`)).trim()
    if (mac !== '') hardware[name] = mac
  }
  return {
    ip_interfaces: ip,
    ip4_interfaces: ip4,
    ip6_interfaces: ip6,
    hwaddr_interfaces: hardware,
    ipv4: unique(Object.values(ip4)),
    ipv6: unique(Object.values(ip6)),
  }
}

function unique(lists: readonly Value[]): string[] {
  return [...new Set(lists.flatMap((list) => (Array.isArray(list) ? list.map(String) : [])))].sort()
}

async function dnsGrain(): Promise<Mapping> {
  const text = await textOf('/etc/resolv.conf')
  const words = (name: string): string[] =>
    [...text.matchAll(new RegExp(`^${name}\\s+(.*)$`, 'gm'))].flatMap(([, rest]) => (rest ?? '').trim().split(/\s+/))
  const servers = words('nameserver')
  return {
    nameservers: servers,
    ip4_nameservers: servers.filter((server) => !server.includes(':')),
    ip6_nameservers: servers.filter((server) => server.includes(':')),
    sortlist: words('sortlist'),
    domain: words('domain')[0] ?? '',
    search: words('search'),
    options: words('options'),
  }
}

async function gatewayGrains(): Promise<Mapping> {
  const [v4, v6] = await Promise.all([textOf('/proc/net/route'), textOf('/proc/net/ipv6_route')])
  const route4 = v4
    .split('\n')
    .map((line) => line.split(/\s+/))
    .find((words) => words[1] === '00000000' && words[2] !== '00000000')
  const ip4 = route4?.[2]
    ?.match(/../g)
    ?.reverse()
    .map((pair) => Number.parseInt(pair, 16))
    .join('.')
  const route6 = v6
    .split('\n')
    .map((line) => line.split(/\s+/))
    .find((words) => /^0{32}$/.test(words[0] ?? '') && words[1] === '00' && !/^0{32}$/.test(words[4] ?? '0'.repeat(32)))
  const ip6 = route6?.[4] === undefined ? undefined : compress(route6[4])
  return { ip_gw: ip4 !== undefined || ip6 !== undefined, ip4_gw: ip4 ?? false, ip6_gw: ip6 ?? false }
}

/** 32 hex digits as an IPv6 address, its longest run of zeros shortened. */
function compress(hex: string): string {
  return new URL(`http://[${hex.match(/.{4}/g)?.join(':')}]`).hostname.slice(1, -1)
}
