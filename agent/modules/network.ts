// Interfaces, addresses, routes, connections and names of this machine.
import { connect as connectTo } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import type { Mapping, Value } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError } from './errors.ts'
import { nameMachine } from './hostname.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { outputOf } from './program.ts'

function isMachines(address: string): boolean {
  return !address.startsWith('127.') && address !== '::1'
}

/** Addresses of one kind, in rising order; of one interface where it is named. */
function addresses(args: Arguments, family: 'IPv4' | 'IPv6'): string[] {
  const wanted = args.textIfAny('interface')
  const found = Object.entries(networkInterfaces()).flatMap(([name, list = []]) =>
    wanted === undefined || wanted === name ? list.filter((one) => one.family === family) : [],
  )
  const all = [...new Set(found.map(({ address }) => address))].sort()
  return args.is('include_loopback') || wanted !== undefined ? all : all.filter(isMachines)
}

function interfaces(): Mapping {
  const told: Mapping = {}
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
    told[name] = {
      up: true,
      hwaddr: list[0]?.mac ?? '',
      ...(inet.length > 0 ? { inet } : {}),
      ...(inet6.length > 0 ? { inet6 } : {}),
    }
  }
  return told
}

function broadcastOf(address: string, netmask: string): string | null {
  if (address.startsWith('127.')) return null
  const mask = netmask.split('.').map(Number)
  return address
    .split('.')
    .map((part, at) => Number(part) | (255 - (mask[at] ?? 255)))
    .join('.')
}

function hardwareAddress(name: string): string {
  const [first] = networkInterfaces()[name] ?? []
  if (first === undefined)
    throw new CommandExecutionError(
      `Interface "${name}" not in available interfaces: "${Object.keys(networkInterfaces()).join('", "')}"`,
    )
  return first.mac
}

async function ping(args: Arguments, call: Call): Promise<Value> {
  const timeout = args.textIfAny('timeout')
  const words = ['ping', '-c', '4', ...(timeout === undefined ? [] : ['-W', timeout]), '--', args.text('host')]
  const output = await outputOf(call, words, { merge: true })
  if (!args.is('return_boolean')) return output
  return /, ([1-9]\d*) (packets )?received/.test(output)
}

async function routes(args: Arguments, call: Call): Promise<Value> {
  const family = args.textIfAny('family')
  const kinds = [...(family === 'inet6' ? [] : ['inet']), ...(family === 'inet' ? [] : ['inet6'])]
  const told: Mapping[] = []
  for (const kind of kinds) {
    const output = await outputOf(call, ['ip', '-f', kind, 'route', 'show', 'table', 'main'])
    for (const line of output.split('\n').filter((one) => one !== '')) {
      const [destination = ''] = line.split(' ')
      const word = (name: string): string => new RegExp(` ${name} (\\S+)`).exec(line)?.[1] ?? ''
      told.push({
        addr_family: kind,
        destination: destination === 'default' ? (kind === 'inet' ? '0.0.0.0' : '::/0') : destination,
        gateway: word('via') === '' ? (kind === 'inet' ? '0.0.0.0' : '::') : word('via'),
        interface: word('dev'),
        flags: word('via') === '' ? 'U' : 'UG',
      })
    }
  }
  return told
}

/** What ss tells of sockets: protocol, state, local and remote address. */
async function sockets(call: Call, words: readonly string[]): Promise<Mapping[]> {
  const output = await outputOf(call, ['ss', '-H', '-n', ...words])
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [proto = '', state = '', received = '', sent = '', local = '', remote = '', program = ''] =
        line.split(/\s+/)
      return {
        proto,
        'recv-q': received,
        'send-q': sent,
        'local-address': local,
        'remote-address': remote,
        state,
        ...(program === '' ? {} : { program }),
      }
    })
}

async function activeTcp(call: Call): Promise<Mapping> {
  const open = await sockets(call, ['-t', '-a', 'state', 'established'])
  const told: Mapping = {}
  for (const [at, one] of open.entries()) {
    // With a state named, ss leaves out its column.
    const [local = '', remote = ''] = [String(one['send-q']), String(one['local-address'])]
    const parts = (text: string): [string, string] => [
      text.slice(0, text.lastIndexOf(':')),
      text.slice(text.lastIndexOf(':') + 1),
    ]
    const [localAddress, localPort] = parts(local)
    const [remoteAddress, remotePort] = parts(remote)
    told[String(at)] = {
      local_addr: localAddress,
      local_port: localPort,
      remote_addr: remoteAddress,
      remote_port: remotePort,
    }
  }
  return told
}

function connect(args: Arguments): Promise<Mapping> {
  const [host, port] = [args.text('host'), args.text('port')]
  const seconds = args.numberIfAny('timeout') ?? 5
  return new Promise((resolve) => {
    const socket = connectTo({ host, port: Number(port), timeout: seconds * 1000 })
    const end = (result: boolean, comment: string): void => {
      socket.destroy()
      resolve({ result, comment })
    }
    const unable = `Unable to connect to ${host} (${host}) on tcp port ${port}`
    socket.on('connect', () =>
      end(true, `Successfully connected to ${host} (${socket.remoteAddress}) on tcp port ${port}`),
    )
    socket.on('timeout', () => end(false, unable))
    socket.on('error', () => end(false, unable))
  })
}

const readOnly = { readOnly: true }
const familyDoc = `

interface
    Of this interface only.
include_loopback
    Also those by which a machine calls itself.`

/** Salt's `network` module. */
export const network: ExecutionModule = {
  name: 'network',
  file: 'network',
  functions: {
    interfaces: define(
      '',
      `Return the interfaces with their addresses.${examples("brine '*' network.interfaces")}`,
      interfaces,
      readOnly,
    ),
    ip_addrs: define(
      'interface=None, include_loopback=False',
      `List the IPv4 addresses.${familyDoc}${examples("brine '*' network.ip_addrs")}`,
      (args) => addresses(args, 'IPv4'),
      readOnly,
    ),
    ip_addrs6: define(
      'interface=None, include_loopback=False',
      `List the IPv6 addresses.${familyDoc}${examples("brine '*' network.ip_addrs6")}`,
      (args) => addresses(args, 'IPv6'),
      readOnly,
    ),
    hw_addr: define(
      'iface',
      `Return the hardware address of an interface.${examples("brine '*' network.hw_addr eth0")}`,
      (args) => hardwareAddress(args.text('iface')),
      readOnly,
    ),
    get_hostname: define(
      '',
      `Return the name of the machine.${examples("brine '*' network.get_hostname")}`,
      () => hostname(),
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
      'host, port=None, timeout=5',
      `Try to connect to a TCP port. Returns \`\`result\`\` and \`\`comment\`\`.${examples("brine '*' network.connect google-public-dns-a.google.com 53 timeout=3")}`,
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
  },
}
