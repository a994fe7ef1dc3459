// Where a minion's own bus is.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { BrineError } from '../../core/error.ts'

/** The longest path a Unix socket can have on the systems there are, with some room. */
const longest = 100

/** The socket of a minion's bus: in `sock_dir`, named for the id, so that several minions can share the directory. On Windows a named pipe. */
export function localBusAddress(sockDir: string, id: string, platform: NodeJS.Platform = process.platform): string {
  const name = `minion_event_${createHash('sha256').update(id).digest('hex').slice(0, 10)}`
  if (platform === 'win32') return `\\\\.\\pipe\\brine_${name}`
  const path = join(sockDir, `${name}.ipc`)
  if (Buffer.byteLength(path) > longest) {
    throw new BrineError(
      `The path ${path} is too long for a socket (${longest} bytes at most). Set sock_dir to a shorter one.`,
      { code: 'sock-dir' },
    )
  }
  return path
}
