// Reaching other machines: asked for an answer, looked up, woken, the way to them told.
import { createSocket } from 'node:dgram'
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

/** Whether somebody listens at a TCP port. */
export function connect(args: Arguments): Promise<Mapping> {
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
