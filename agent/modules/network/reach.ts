// Reaching other machines: asked for an answer, looked up, woken, the way to them told.
import { createSocket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { lookup, lookupService } from 'node:dns/promises'
import { connect as connectTo } from 'node:net'
import { hostname } from 'node:os'
import { float, type Mapping, type Value } from '../../../core/value/index.ts'
import { type Arguments, integerOf } from '../arguments.ts'
import type { Call } from '../module.ts'
import { outputOf } from '../program.ts'
import { hardwareBytes, plainHost } from './addresses.ts'

/** Four pings; what the program prints, or whether anybody answered. */
export async function ping(args: Arguments, call: Call): Promise<Value> {
  const timeout = args.textIfAny('timeout')
  const words = ['ping', '-c', '4', ...(timeout === undefined ? [] : ['-W', timeout]), '--', args.text('host')]
  const output = await outputOf(call, words, { merge: true })
  if (!args.is('return_boolean')) return output
  return /, ([1-9]\d*) (packets )?received/.test(output)
}

/** Whether somebody listens at a port; by UDP, whether somebody answers what means nothing. */
export async function connect(args: Arguments): Promise<Mapping> {
  const [host, port] = [args.textIfAny('host') ?? '', args.textIfAny('port') ?? '']
  for (const [name, value] of Object.entries({ host, port }))
    if (value === '') return { result: false, comment: `Required argument, ${name}, is missing.` }
  const { timeout = 5, family, proto: wanted } = args.cleanKeywords
  const proto = wanted === 'udp' ? 'udp' : 'tcp'
  const version = family === 'ipv4' ? 4 : family === 'ipv6' ? 6 : 0
  const address = await lookup(plainHost(host), { family: version }).catch(() => undefined)
  // An address that is written out is found whatever its family.
  if (address === undefined || (version !== 0 && address.family !== version))
    return { result: false, comment: `Unable to resolve host ${host} on ${proto} port ${port}` }
  const reached = await (proto === 'udp' ? answersAt : listensAt)(address, Number(port), Number(timeout) * 1000)
  const place = `to ${host} (${address.address}) on ${proto} port ${port}`
  return { result: reached, comment: `${reached ? 'Successfully connected' : 'Unable to connect'} ${place}` }
}

function listensAt({ address }: LookupAddress, port: number, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTo({ host: address, port, timeout: milliseconds })
    for (const [name, result] of [
      ['connect', true],
      ['timeout', false],
      ['error', false],
    ] as const)
      socket.on(name, () => {
        socket.destroy()
        resolve(result)
      })
  })
}

function answersAt({ address, family }: LookupAddress, port: number, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
    const end = (result: boolean) => {
      clearTimeout(timer)
      socket.close()
      resolve(result)
    }
    const timer = setTimeout(() => end(false), milliseconds)
    socket.once('message', () => end(true))
    socket.once('error', () => end(false))
    // A port that nobody listens at is told of by a connected socket alone.
    socket.connect(port, address, () => socket.send('brine'))
  })
}

/** What dig prints of a name. */
export const dig = (args: Arguments, call: Call): Promise<string> =>
  outputOf(call, ['dig', plainHost(args.text('host'))], { merge: true })

/** Seconds after which the way is told as far as it is known. */
const patience = 120

/** The machines on the way to a host. A line that is not understood is an empty map. */
export async function traceroute(args: Arguments, call: Call): Promise<Value> {
  const host = plainHost(args.text('host'))
  const said = await call.salt('cmd.run', [['traceroute', host]], { python_shell: false, timeout: patience })
  const output = String(said)
  if (output.includes('Timed out after')) return []
  const hop = hopReader(await outputOf(call, ['traceroute', '--version'], { merge: true }))
  return output.split('\n').flatMap((line) => (!line.includes(' ') || line.startsWith('traceroute') ? [] : [hop(line)]))
}

/** Lines are told apart by two spaces since version 2.0.14. */
function hopReader(version: string): (line: string) => Mapping {
  const [, major = '0', minor = '0', patch = '0'] = /.*[Vv]ersion (\d+)\.(\w+)\.*(\w*)/.exec(version) ?? []
  const isModern = Number(major) >= 2 && (Number(minor) > 0 || Number(patch) >= 14)
  return isModern ? modernHop : olderHop
}

function modernHop(line: string): Mapping {
  const [count = '', host = '', ...times] = line.split('  ')
  if (host === '* * *') return { count: Number(count), hostname: '*' }
  const [one, two, three] = times.map((time) => float(Number(time.trim().split(/\s+/)[0])))
  if (one === undefined || two === undefined || three === undefined) return {}
  const [name = '', ip = ''] = host.trim().split(/\s+/)
  return {
    count: Number(count),
    hostname: name,
    ip: ip.replaceAll(/^[()]+|[()]+$/g, ''),
    ms1: one,
    ms2: two,
    ms3: three,
  }
}

function olderHop(line: string): Mapping {
  const words = line.trim().split(/\s+/)
  if (words.length < 9) return {}
  const [count = '', name = '', ip = '', ping1 = '', ms1 = '', ping2 = '', ms2 = '', ping3 = '', ms3 = ''] = words
  return { count, hostname: name, ip, ms1, ms2, ms3, ping1, ping2, ping3 }
}

/** Sends the packet that wakes a sleeping machine. */
export async function wake(args: Arguments): Promise<boolean> {
  const bytes = hardwareBytes(args.text('mac'))
  const packet = Buffer.concat([Buffer.alloc(6, 0xff), ...Array<Buffer>(16).fill(bytes)])
  const port = integerOf(args.value('destport'))
  const socket = createSocket('udp4')
  try {
    await new Promise<void>((resolve) => socket.bind(() => resolve()))
    socket.setBroadcast(true)
    await new Promise<void>((resolve, reject) =>
      socket.send(packet, port, args.text('bcast'), (error) => (error === null ? resolve() : reject(error))),
    )
  } finally {
    socket.close()
  }
  return true
}

/** The name that an address has; undefined where it has none. */
async function nameOf(address: string): Promise<string | undefined> {
  const found = await lookupService(address, 0).catch(() => undefined)
  return found === undefined || found.hostname === address ? undefined : found.hostname
}

/** The name of this machine with its domain, as far as it can be known. */
export async function fullName(): Promise<string> {
  const own = hostname()
  const found = await lookup(own).catch(() => undefined)
  const name = found === undefined ? undefined : await nameOf(found.address)
  return name?.includes('.') === true ? name : own
}

/** The names that these addresses have, each once. */
export async function namesOf(addresses: readonly string[]): Promise<string[]> {
  const names = await Promise.all(addresses.map(nameOf))
  return [...new Set(names.flatMap((name) => name ?? []))].sort()
}
