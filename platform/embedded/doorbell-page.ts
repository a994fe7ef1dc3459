// The minions' doorbells: a socket on which nothing is said but "look in your mailbox".
import type { MinionId } from '../../core/event/event.ts'
import type { SocketPage } from './sockets.ts'

interface DoorbellNeeds {
  /** The minion a bearer token speaks for; undefined turns it away. */
  readonly minionOf: (token: string) => Promise<MinionId | undefined>
  /** Counts a minion's open socket until the returned function is called. */
  readonly connected: (minion: MinionId, ring: () => void) => () => void
}

/** `/minion/socket`. */
export function doorbellPage({ minionOf, connected }: DoorbellNeeds): SocketPage {
  return {
    takes: (path) => path === '/minion/socket',
    async admit(request) {
      const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const minion = token === undefined ? undefined : await minionOf(token)
      if (minion === undefined) return undefined
      return (peer) => {
        const leave = connected(minion, () => peer.send('{"doorbell":true}'))
        peer.on('close', leave)
      }
    },
  }
}
