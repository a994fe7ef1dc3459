// The functions of `network` about the interfaces of this machine and their addresses.
import { isList, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../arguments.ts'
import { type Call, define, type ExecutionFunction, examples } from '../module.ts'
import { anyInside, maskText, type Net, netText, networkText, sizeOf } from './addresses.ts'
import { addressesIn, chosen, type Interface, interfacesOf, networksIn, shown } from './interfaces.ts'

type Kind = 'inet' | 'inet6'

const addresses =
  (kind: Kind): ExecutionFunction['run'] =>
  async (args, call) =>
    addressesIn(chosen(await interfacesOf(call), args.value('interface')), kind, args.is('include_loopback'))

/** One interface; where there is none of that name, the words that say so are what is returned. */
const ofInterface =
  (tell: (one: Interface) => Value): ExecutionFunction['run'] =>
  async (args, call) => {
    const all = await interfacesOf(call)
    const one = all.get(args.text('iface'))
    if (one !== undefined) return tell(one)
    return `Interface "${args.text('iface')}" not in available interfaces: "${[...all.keys()].join('", "')}"`
  }

const networks =
  (kind: Kind): ExecutionFunction['run'] =>
  async (args, call) => {
    const list = chosen(await interfacesOf(call), args.value('interface'))
    const nets = networksIn(list, kind, args.is('include_loopback'))
    return args.is('verbose') ? Object.fromEntries(nets.map((net) => [netText(net), told(net)])) : nets.map(netText)
  }

function told(net: Net): Mapping {
  const size = sizeOf(net)
  return {
    address: networkText(net),
    netmask: maskText(net),
    num_addresses: size <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(size) : size,
    prefixlen: net.prefix,
  }
}

/** The names alone, no patterns. */
async function subnets(call: Call, wanted: Value, kind: Kind): Promise<string[]> {
  const all = await interfacesOf(call)
  const names = wanted === null ? [...all.keys()] : isList(wanted) ? wanted.map(pythonStr) : [pythonStr(wanted)]
  const list = names.flatMap((name) => all.get(name) ?? [])
  return networksIn(list, kind, false).map(netText)
}

/** The addresses by which others know this machine. */
export async function ownAddresses(call: Call): Promise<string[]> {
  const all = [...(await interfacesOf(call)).values()]
  return [...addressesIn(all, 'inet', false), ...addressesIn(all, 'inet6', false)]
}

async function labelsFrom(args: Arguments, call: Call): Promise<string[]> {
  const beginning = args.text('cidr')
  const all = [...(await interfacesOf(call)).values()].flatMap(({ inet = [] }) => inet)
  return all.filter(({ address }) => address.startsWith(beginning)).map(({ label }) => label)
}

const readOnly = { readOnly: true }
const chosenDoc = `

interface
    Of these interfaces only: a name or a shell pattern, a list of them, or several between commas.
include_loopback
    Also those by which a machine calls itself.`

/** What they are called by. */
export const interfaceFunctions: Readonly<Record<string, ExecutionFunction>> = {
  interfaces: define(
    '',
    `Return the interfaces with their addresses.${examples("brine '*' network.interfaces")}`,
    async (_, call) => Object.fromEntries([...(await interfacesOf(call))].map(([name, one]) => [name, shown(one)])),
    readOnly,
  ),
  interface: define(
    'iface',
    `Return the IPv4 addresses of an interface.${examples("brine '*' network.interface eth0")}`,
    ofInterface(({ inet }) => inet?.map((one) => ({ ...one })) ?? ''),
    readOnly,
  ),
  interface_ip: define(
    'iface',
    `Return the first IPv4 address of an interface.${examples("brine '*' network.interface_ip eth0")}`,
    ofInterface(({ inet }) => inet?.[0]?.address ?? ''),
    readOnly,
  ),
  ip_addrs: define(
    'interface=None, include_loopback=False',
    `List the IPv4 addresses.${chosenDoc}${examples("brine '*' network.ip_addrs", "brine '*' network.ip_addrs 'eth*'")}`,
    addresses('inet'),
    readOnly,
  ),
  ip_addrs6: define(
    'interface=None, include_loopback=False',
    `List the IPv6 addresses.${chosenDoc}${examples("brine '*' network.ip_addrs6")}`,
    addresses('inet6'),
    readOnly,
  ),
  ip_networks: define(
    'interface=None, include_loopback=False, verbose=False',
    `List the IPv4 networks the machine is in.${chosenDoc}
verbose
    Their first addresses, masks and sizes too.${examples("brine '*' network.ip_networks", "brine '*' network.ip_networks interface=docker0,enp*")}`,
    networks('inet'),
    readOnly,
  ),
  ip_networks6: define(
    'interface=None, include_loopback=False, verbose=False',
    `List the IPv6 networks the machine is in.${chosenDoc}
verbose
    Their first addresses, masks and sizes too.${examples("brine '*' network.ip_networks6", "brine '*' network.ip_networks6 interface='eth*'")}`,
    networks('inet6'),
    readOnly,
  ),
  subnets: define(
    'interfaces=None',
    `List the IPv4 networks the machine is in, without those by which it calls itself.

interfaces
    A name or a list of names.${examples("brine '*' network.subnets", "brine '*' network.subnets interfaces=eth1")}`,
    (args, call) => subnets(call, args.value('interfaces'), 'inet'),
    readOnly,
  ),
  subnets6: define(
    '',
    `List the IPv6 networks the machine is in, without those by which it calls itself.${examples("brine '*' network.subnets6")}`,
    (_, call) => subnets(call, null, 'inet6'),
    readOnly,
  ),
  in_subnet: define(
    'cidr',
    `Return whether one of the machine's addresses lies in a network.${examples("brine '*' network.in_subnet 10.0.0.0/16")}`,
    async (args, call) => anyInside(args.text('cidr'), await ownAddresses(call)),
    readOnly,
  ),
  ifacestartswith: define(
    'cidr',
    `List the interfaces with an IPv4 address that begins with this text.${examples("brine '*' network.ifacestartswith 10.0")}`,
    labelsFrom,
    readOnly,
  ),
  hw_addr: define(
    'iface',
    `Return the hardware address of an interface.${examples("brine '*' network.hw_addr eth0")}`,
    ofInterface(({ hwaddr = '' }) => hwaddr),
    readOnly,
  ),
}
