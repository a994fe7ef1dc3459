// Sockets: doorbells of minions, and watchers of the log.
import { openSocket } from '../platform/aws/handlers/socket.ts'

/** Admits, opens, hears and closes. */
export const handler = openSocket(process.env)
