// Salt's `network` module: interfaces, addresses, routes, connections and names of this machine.
import { hostname } from 'node:os'
import { which } from '../cmd-run.ts'
import { nameMachine } from '../hostname.ts'
import { define, type ExecutionFunction, type ExecutionModule, examples } from '../module.ts'
import { requirePrograms } from '../program.ts'
import { addressFunctions } from './address-functions.ts'
import { interfaceFunctions, ownAddresses } from './interface-functions.ts'
import { connect, dig, fullName, namesOf, ping, traceroute, wake } from './reach.ts'
import { arpTable, bufferSizes, defaultRoutes, neighbours, routes, routeTo, setBufferSizes } from './routes.ts'
import { activeTcp, sockets } from './sockets.ts'

/** A function that needs a program. */
const by =
  (program: string, run: ExecutionFunction['run']): ExecutionFunction['run'] =>
  async (args, call) => {
    await requirePrograms(program)
    return run(args, call)
  }

const readOnly = { readOnly: true }

/** Salt's `network` module. */
export const network: ExecutionModule = {
  name: 'network',
  file: 'network',
  functions: {
    ...interfaceFunctions,
    ...addressFunctions,
    get_hostname: define(
      '',
      `Return the name of the machine.${examples("brine '*' network.get_hostname")}`,
      () => hostname(),
      readOnly,
    ),
    get_fqdn: define(
      '',
      `Return the name of the machine with its domain.${examples("brine '*' network.get_fqdn")}`,
      fullName,
      readOnly,
    ),
    fqdns: define(
      '',
      `Return the names that the machine's addresses are known by.${examples("brine '*' network.fqdns")}`,
      async (_, call) => ({ fqdns: await namesOf(await ownAddresses(call)) }),
      readOnly,
    ),
    mod_hostname: define(
      'hostname',
      `Give the machine another name, now and at its next start, and in /etc/hosts where the old one stood. \`\`False\`\` where the machine refuses it.${examples("brine '*' network.mod_hostname web1.example.com")}`,
      (args, call) => nameMachine(call, args.text('hostname')),
    ),
    ping: define(
      'host, timeout=False, return_boolean=False',
      `Ping a host.

timeout
    Seconds to wait for an answer.
return_boolean
    Return only whether it answered.${examples("brine '*' network.ping archlinux.org", "brine '*' network.ping archlinux.org return_boolean=True timeout=3")}`,
      ping,
    ),
    connect: define(
      'host, port=None, **kwargs',
      `Try to connect to a port. Returns \`\`result\`\` and \`\`comment\`\`.

timeout
    Seconds, 5 where nothing is said.

family
    \`\`ipv4\`\` or \`\`ipv6\`\`.

proto
    \`\`udp\`\`: whether anything answers there.${examples("brine '*' network.connect google-public-dns-a.google.com 53 timeout=3", "brine '*' network.connect archlinux.org 80 timeout=3 family=ipv4")}`,
      connect,
    ),
    routes: define(
      'family=None',
      `List the routes.

family
    inet or inet6 alone.${examples("brine '*' network.routes")}`,
      routes,
      readOnly,
    ),
    netstat: define(
      '',
      `List the sockets that are open.${examples("brine '*' network.netstat")}`,
      (_, call) => sockets(call, ['-t', '-u', '-a', '-p']),
      readOnly,
    ),
    active_tcp: define(
      '',
      `Return the TCP connections.${examples("brine '*' network.active_tcp")}`,
      (_, call) => activeTcp(call),
      readOnly,
    ),
    default_route: define(
      'family=None',
      `List the routes that everything takes that has none of its own.

family
    inet or inet6 alone.${examples("brine '*' network.default_route")}`,
      defaultRoutes,
      readOnly,
    ),
    get_route: define(
      'ip',
      `Return the gateway and the interface by which an address is reached, and from which address of the machine.${examples("brine '*' network.get_route 10.10.10.10")}`,
      routeTo,
      readOnly,
    ),
    ip_neighs: define(
      '',
      `Return the IPv4 addresses of neighbours by their hardware addresses.${examples("brine '*' network.ip_neighs")}`,
      (_, call) => neighbours(call, '.'),
      readOnly,
    ),
    ip_neighs6: define(
      '',
      `Return the IPv6 addresses of neighbours by their hardware addresses.${examples("brine '*' network.ip_neighs6")}`,
      (_, call) => neighbours(call, ':'),
      readOnly,
    ),
    arp: define(
      '',
      `Return what arp tells: addresses by hardware addresses.${examples("brine '*' network.arp")}`,
      by('arp', (_, call) => arpTable(call)),
      readOnly,
    ),
    dig: define(
      'host',
      `Return what dig prints of a name.${examples("brine '*' network.dig archlinux.org")}`,
      by('dig', dig),
    ),
    traceroute: define(
      'host',
      `List the machines on the way to a host, as far as they are known after two minutes.${examples("brine '*' network.traceroute archlinux.org")}`,
      by('traceroute', traceroute),
    ),
    wol: define(
      "mac, bcast='255.255.255.255', destport=9",
      `Send the packet that wakes a machine with this hardware address.${examples("brine '*' network.wol 08-00-27-13-69-77", "brine '*' network.wol 080027136977 255.255.255.255 7")}`,
      wake,
    ),
    get_bufsize: define(
      'iface',
      `Return how much an interface can keep and keeps, as ethtool tells it; empty where there is no ethtool.${examples("brine '*' network.get_bufsize eth0")}`,
      async (args, call) => ((await which('ethtool')) === undefined ? {} : bufferSizes(call, args.text('iface'))),
      readOnly,
    ),
    mod_bufsize: define(
      'iface, *args, **kwargs',
      `Let an interface keep more or less, by ethtool.

rx, tx, rx-mini, rx-jumbo
    The sizes.${examples("brine '*' network.mod_bufsize eth0 rx=512 tx=512")}`,
      async (args, call) => ((await which('ethtool')) === undefined ? false : setBufferSizes(args, call)),
    ),
  },
}
