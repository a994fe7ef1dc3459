// HTTPS connections to a master whose certificate is pinned by its fingerprint, or vouched for by an authority.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, type AgentOptions } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { BrineError } from '../../core/error.ts'
import { type HttpProxy, tunnel } from './proxy.ts'

/** What makes a server's certificate believed. With neither, the system's authorities do. */
export interface ServerTrust {
  /** Certificates of authorities besides the system's, PEM. */
  readonly ca?: string | undefined
  /** One host's certificate, believed whoever vouches for it; no other is, of that host. */
  readonly pin?: Pin | undefined
}

/** Whom to believe, and the way there. */
export interface SecureWay extends ServerTrust {
  /** @default straight */
  readonly proxy?: HttpProxy | undefined
}

/** A host's certificate, told by its fingerprint, or by its file where there is none. */
export interface Pin {
  readonly host: string
  /** SHA-256, hexadecimal, with or without colons. */
  readonly finger?: string | undefined
  /** It need not be there yet. Without the file, authorities decide. */
  readonly certificateFile?: string | undefined
}

/** An agent for kept connections that believes what it is told to, and nothing else. */
export function secureAgent(trust: SecureWay, options: AgentOptions): Agent {
  return new TrustingAgent(trust, { ...options, ...(trust.ca === undefined ? {} : { ca: trust.ca }) })
}

/** Hands a connection out only once its certificate was looked at: before that nothing is sent on it. */
class TrustingAgent extends Agent {
  readonly #trust: SecureWay

  constructor(trust: SecureWay, options: AgentOptions) {
    super(options)
    this.#trust = trust
  }

  override createConnection(
    options: ConnectionOptions,
    given?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | undefined {
    const { proxy } = this.#trust
    const host = options.host ?? ''
    if (proxy === undefined || proxy.passes(host)) return this.#open(options, given)
    tunnel(proxy, host, options.port ?? 443).then(
      (socket) => this.#open({ ...options, socket }, given),
      (error: Error) => given?.(error, new Socket()),
    )
    return undefined
  }

  #open(options: ConnectionOptions, given?: (error: Error | null, stream: Duplex) => void): undefined {
    const host = options.host ?? ''
    const pinned = pinOf(this.#trust.pin, host)
    const socket = connect({ ...options, ...(pinned === undefined ? {} : { rejectUnauthorized: false }) })
    const fail = (error: Error): void => {
      socket.destroy()
      given?.(explained(error, host), socket)
    }
    socket.once('error', fail)
    socket.once('secureConnect', () => {
      socket.off('error', fail)
      const problem = pinned === undefined ? undefined : pinProblem(socket, pinned, host)
      if (problem === undefined) given?.(null, socket)
      else fail(problem)
    })
    return undefined
  }
}

function pinOf(pin: Pin | undefined, host: string): string | undefined {
  if (pin === undefined || bare(pin.host) !== bare(host)) return undefined
  const { finger, certificateFile } = pin
  if (finger !== undefined && finger !== '') return plain(finger)
  if (certificateFile === undefined) return undefined
  try {
    return plain(new X509Certificate(readFileSync(certificateFile)).fingerprint256)
  } catch {
    // Not there, not ours to read, or no certificate: the authorities decide.
    return undefined
  }
}

function pinProblem(socket: TLSSocket, pinned: string, host: string): Error | undefined {
  const seen = socket.getPeerX509Certificate()?.fingerprint256 ?? ''
  if (plain(seen) === pinned) return undefined
  return new BrineError(
    `${host} shows the certificate ${seen}, and another is pinned. Where the master was given a new one, write what it prints at its start as master_tls_finger; where it was not, somebody stands in between.`,
    { code: 'certificate' },
  )
}

/** What TLS says, with what to do where no authority vouches. */
function explained(error: Error, host: string): Error {
  const code = 'code' in error ? String(error.code) : ''
  if (!/SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code)) return error
  return new BrineError(
    `no authority vouches for the certificate of ${host}. Pin it: write the fingerprint that the master prints at its start as master_tls_finger, or name an authority with ssl: {ca_certs: FILE}.`,
    { code: 'certificate', cause: error },
  )
}

/** An IPv6 address without its brackets. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

function plain(finger: string): string {
  return finger.replace(/[^0-9a-f]/gi, '').toLowerCase()
}
