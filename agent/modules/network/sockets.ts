// Sockets of this machine, as ss tells them.
import type { Mapping } from '../../../core/value/index.ts'
import type { Call } from '../module.ts'
import { outputOf } from '../program.ts'

/** What ss tells of sockets: protocol, state, local and remote address. */
export async function sockets(call: Call, words: readonly string[]): Promise<Mapping[]> {
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

/** TCP connections by a number. */
export async function activeTcp(call: Call): Promise<Mapping> {
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
