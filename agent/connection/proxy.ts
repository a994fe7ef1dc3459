// The HTTP proxy between a minion and the world: whom it is used for, and tunnels through it (CONNECT).
import { request } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { BrineError } from '../../core/error.ts'
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'

/** Where the proxy is, and who says so. */
export interface HttpProxy {
  readonly host: string
  readonly port: number
  /** The header `Proxy-Authorization`; undefined for a proxy that asks for none. */
  readonly login: string | undefined
  /** Whether a host is asked without it. */
  passes(host: string): boolean
}

/** Milliseconds until a tunnel has to stand. */
const patience = 15_000

/**
 * `proxy_host`, `proxy_port`, `proxy_username`, `proxy_password` and `no_proxy` of a configuration; undefined without host or
 * port, as in Salt. The login is sent where it has both parts.
 */
export function proxyOf(opts: Mapping): HttpProxy | undefined {
  const text = (value: Value | undefined): string => (value === undefined || value === null ? '' : pythonStr(value))
  const [host, user, password] = [text(opts.proxy_host), text(opts.proxy_username), text(opts.proxy_password)]
  const port = Number(text(opts.proxy_port))
  if (host === '' || !(port > 0)) return undefined
  const given = opts.no_proxy ?? []
  const exceptions = (Array.isArray(given) ? given : [given]).map((name) => bare(text(name)))
  return {
    host,
    port,
    login:
      user === '' || password === '' ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    passes: (name) => exceptions.some((exception) => isMeant(exception, bare(name))),
  }
}

/** A name as Salt compares it; `.example.org` and `*.example.org` are all below it, `*` is every host. */
function isMeant(exception: string, host: string): boolean {
  if (exception === '*') return true
  const domain = /^\*?(\..+)$/.exec(exception)?.[1]
  return domain === undefined ? exception === host : host.endsWith(domain)
}

/** In small letters, an IPv6 address without its brackets. */
function bare(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$/g, '')
}

/** A host and port as they stand in a request line. */
function authority(host: string, port: number): string {
  return `${bare(host).includes(':') ? `[${bare(host)}]` : host}:${port}`
}

/**
 * A connection to a host through the proxy, on which nothing was sent yet. Rejects with a BrineError `proxy`, where the proxy
 * gives no answer or refuses.
 */
export function tunnel(proxy: HttpProxy, host: string, port: number): Promise<Socket> {
  const place = authority(proxy.host, proxy.port)
  const to = authority(host, port)
  return new Promise((resolve, reject) => {
    const refuse = (what: string, cause?: unknown): void =>
      reject(new BrineError(`the proxy ${place} ${what}`, { code: 'proxy', cause }))
    const asked = request({
      host: proxy.host,
      port: proxy.port,
      method: 'CONNECT',
      path: to,
      headers: { host: to, ...(proxy.login === undefined ? {} : { 'proxy-authorization': proxy.login }) },
      agent: false,
    })
    const timer = setTimeout(() => asked.destroy(new Error(`nothing within ${patience / 1000} s`)), patience)
    asked.once('close', () => clearTimeout(timer))
    asked.once('connect', ({ statusCode, statusMessage }, socket: Duplex, head) => {
      clearTimeout(timer)
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head)
        return resolve(socket as Socket)
      }
      socket.destroy()
      refuse(`refuses a tunnel to ${to}: ${statusCode} ${statusMessage}${adviceOn(statusCode, proxy)}`)
    })
    // An answer to CONNECT comes as `connect`, whatever its status: this is only for what is no answer.
    asked.once('error', (error) => refuse(`is not reached: ${error.message || String(error)}`, error))
    asked.end()
  })
}

function adviceOn(status: number | undefined, { login }: HttpProxy): string {
  if (status !== 407) return ''
  return login === undefined
    ? '. It wants a login: set proxy_username and proxy_password.'
    : '. It does not take proxy_username and proxy_password.'
}
