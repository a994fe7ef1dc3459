// The SDK's clients: made once a process, with sockets enough, and long polls on sockets of their own.
import { NodeHttpHandler } from '@smithy/node-http-handler'

/** How clients reach AWS. What is absent comes from the environment, as the SDK has it. */
export interface ClientOptions {
  readonly region?: string
  /** A LocalStack-compatible endpoint for every service. */
  readonly endpoint?: string
  readonly credentials?: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken?: string
  }
}

/** Sockets of one client; the SDK's own bound is 50, which a batch of the reactor's would use up. */
const SOCKETS = 200
const CONNECT = 3_000
/** Milliseconds of silence on a socket after which a request is given up and tried again: another try has to fit into a request of the gateway's. */
const SILENCE = 10_000
/** The same for calls whose answer may take its time: a long poll lasts 20 s, a request to the gateway nearly 30 and its start. */
const WAITING = 60_000
/** The same for calls that last as long as the longest function. */
const LONG = 910_000

/** The part of a client's configuration that all clients share. Each client needs a call of its own. */
export function clientConfig(options: ClientOptions): ClientOptions & SharedConfig {
  return configOf(options, 4, SILENCE)
}

/** The same for calls that wait for something: a request to the gateway must not be made again while it is at it. */
export function waitingClientConfig(options: ClientOptions): ClientOptions & SharedConfig {
  return configOf(options, 4, WAITING)
}

/** The same for calls that take as long as what they call, and must not be made twice. */
export function longClientConfig(options: ClientOptions): ClientOptions & SharedConfig {
  return configOf(options, 1, LONG)
}

interface SharedConfig {
  requestHandler: NodeHttpHandler
  maxAttempts: number
}

function configOf(options: ClientOptions, maxAttempts: number, silence: number): ClientOptions & SharedConfig {
  const agent = { keepAlive: true, maxSockets: SOCKETS }
  return {
    ...options,
    maxAttempts,
    requestHandler: new NodeHttpHandler({
      httpAgent: agent,
      httpsAgent: agent,
      connectionTimeout: CONNECT,
      socketTimeout: silence,
    }),
  }
}
