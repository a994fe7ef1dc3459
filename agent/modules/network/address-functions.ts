// The functions of `network` that only calculate with the addresses they are given.
import { isList, type Mapping } from '../../../core/value/index.ts'
import type { Arguments } from '../arguments.ts'
import { define, type ExecutionFunction, examples } from '../module.ts'
import {
  anyInside,
  broadcastText,
  hexadecimal,
  holds,
  maskText,
  type Net,
  netOf,
  netText,
  networkText,
  reversed,
} from './addresses.ts'

function calculated(args: Arguments): Net {
  return netOf(
    args.value('netmask') === null ? args.text('ip_addr') : `${args.text('ip_addr')}/${args.text('netmask')}`,
  )
}

function converted(args: Arguments): Mapping {
  const net = netOf(args.text('cidr'))
  return { network: networkText(net), netmask: maskText(net), broadcast: broadcastText(net) }
}

const readOnly = { readOnly: true }

/** What they are called by. */
export const addressFunctions: Readonly<Record<string, ExecutionFunction>> = {
  ip_in_subnet: define(
    'ip_addr, cidr',
    `Return whether an address, or one of a list of addresses, lies in a network.${examples("brine '*' network.ip_in_subnet 172.17.0.4 172.16.0.0/12")}`,
    (args) => {
      const given = args.value('ip_addr')
      return anyInside(args.text('cidr'), isList(given) ? [...given] : [given])
    },
    readOnly,
  ),
  calc_net: define(
    'ip_addr, netmask=None',
    `Return the network of an address. The address may name its prefix, or the mask is given beside it.${examples("brine '*' network.calc_net 172.17.0.5 255.255.255.240", "brine '*' network.calc_net 2a02:f6e:a000:80:84d8:8332:7866:4e07/64")}`,
    (args) => netText(calculated(args)),
    readOnly,
  ),
  convert_cidr: define(
    'cidr',
    `Return the first address, the mask and the last address of a network.${examples("brine '*' network.convert_cidr 172.31.0.0/16")}`,
    converted,
    readOnly,
  ),
  is_private: define(
    'ip_addr',
    `Return whether an address is one of a private network.${examples("brine '*' network.is_private 10.0.0.3")}`,
    (args) => holds('private', args.value('ip_addr')),
    readOnly,
  ),
  is_loopback: define(
    'ip_addr',
    `Return whether an address is one by which a machine calls itself.${examples("brine '*' network.is_loopback 127.0.0.1")}`,
    (args) => holds('loopback', args.value('ip_addr')),
    readOnly,
  ),
  reverse_ip: define(
    'ip_addr',
    `Return the name under which an address is looked up backwards.${examples("brine '*' network.reverse_ip 172.17.0.4")}`,
    (args) => reversed(args.value('ip_addr')),
    readOnly,
  ),
  iphexval: define(
    'ip',
    `Return an IPv4 address in hexadecimal digits.${examples("brine '*' network.iphexval 10.0.0.1")}`,
    (args) => hexadecimal(args.text('ip')),
    readOnly,
  ),
}
