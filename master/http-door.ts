// The master's way out to web servers: never to the addresses from which its machine hands out credentials.
import { lookup as resolve } from 'node:dns'
import { type IncomingMessage, request as plain } from 'node:http'
import { request as encrypted } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { BrineError } from '../core/error.ts'
import type { HttpAnswer, HttpRequest } from '../core/http-query/index.ts'

/** Whom the door opens to, and for how long. */
export interface HttpRules {
  /** Also link-local addresses and the clouds' metadata services. @default false */
  readonly linkLocal?: boolean
  /** Also this machine. @default true */
  readonly loopback?: boolean
  readonly seconds: number
  /** Of an answer's body. @default 8 MiB */
  readonly mostBytes?: number
}

const jumps = 5
const usualBytes = 8 * 1024 * 1024

/** What metadata services answer at: AWS, GCP and others link-local, AWS and GCP over IPv6, Alibaba, Azure's wire server. */
const forbidden: readonly (readonly [address: string, bits: number, family: 'ipv4' | 'ipv6'])[] = [
  ['169.254.0.0', 16, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['fe80::', 10, 'ipv6'],
  ['fd00:ec2::', 32, 'ipv6'],
  ['fd20:ce::', 32, 'ipv6'],
]
const own: typeof forbidden = [
  ['127.0.0.0', 8, 'ipv4'],
  ['0.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['::', 128, 'ipv6'],
]

/** Whether these rules let nobody ask an address, in whatever form it is written. */
export function isForbidden(address: string, { linkLocal = false, loopback = true }: Partial<HttpRules>): boolean {
  const list = new BlockList()
  for (const [net, bits, family] of [...(linkLocal ? [] : forbidden), ...(loopback ? [] : own)])
    list.addSubnet(net, bits, family)
  // An IPv4 address in IPv6 form is found by `check` too.
  const kind = isIP(address)
  return kind !== 0 && list.check(address, kind === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Asks, following up to five redirects; each address is looked at when it is connected to, so that no name and no redirect
 * leads elsewhere. Rejects with `http-forbidden`, and where no whole answer comes.
 */
export async function askOutside(request: HttpRequest, rules: HttpRules): Promise<HttpAnswer> {
  const signal = AbortSignal.timeout(rules.seconds * 1000)
  let next = request
  for (let left = jumps; ; left--) {
    const answer = await askOnce(next, rules, signal)
    const location = answer.headers.get('location')
    if (location === null || ![301, 302, 303, 307, 308].includes(answer.status) || left === 0) return answer
    next = redirected(next, answer.status, new URL(location, next.address))
  }
}

function redirected({ method, address, headers, body }: HttpRequest, status: number, to: URL): HttpRequest {
  if (!['http:', 'https:'].includes(to.protocol)) throw refused(`${to.href} is no http:// or https:// URL`)
  const kept = new Headers(headers)
  if (to.origin !== address.origin) for (const name of ['authorization', 'cookie']) kept.delete(name)
  const asGet = status === 303 || (status < 303 && method === 'POST')
  if (!asGet) return { method, address: to, headers: kept, ...(body === undefined ? {} : { body }) }
  kept.delete('content-type')
  return { method: method === 'HEAD' ? 'HEAD' : 'GET', address: to, headers: kept }
}

function askOnce(
  { method, address, headers, body }: HttpRequest,
  rules: HttpRules,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const host = address.hostname.replace(/^\[|\]$/g, '')
  if (isForbidden(host, rules)) throw refused(`${host} is ${why}`)
  const send = address.protocol === 'https:' ? encrypted : plain
  return new Promise((settle, reject) => {
    const sent = send(address, {
      method,
      headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
      lookup: guardedLookup(rules),
      signal,
      agent: false,
    })
    sent.once('error', (error) =>
      reject(
        signal.aborted
          ? new BrineError(`There was no whole answer within ${rules.seconds} s.`, { code: 'timeout' })
          : error,
      ),
    )
    sent.once('response', (response) => {
      textOf(response, rules.mostBytes ?? usualBytes).then(
        (text) =>
          settle({
            status: response.statusCode ?? 0,
            statusText: response.statusMessage ?? '',
            headers: headersOf(response),
            text,
          }),
        reject,
      )
    })
    sent.end(body)
  })
}

const why = "a link-local address or this machine's own, from which credentials can be had"

function refused(what: string): BrineError {
  return new BrineError(
    `${what}, and the master does not ask it. http_query_link_local: True in its configuration allows link-local ones.`,
    { code: 'http-forbidden' },
  )
}

/** Resolves a name and refuses it where one of its addresses is refused. */
function guardedLookup(rules: HttpRules): LookupFunction {
  return (name, options, answer) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const bad = addresses?.find(({ address }) => isForbidden(address, rules))
      if (error !== null) answer(error, [])
      else if (bad !== undefined) answer(refused(`${name} (${bad.address}) is ${why}`), [])
      else if (options.all === true) answer(null, addresses)
      else answer(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
}

async function textOf(response: IncomingMessage, most: number): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.byteLength
    if (size > most) {
      response.destroy()
      throw new BrineError(`The answer is larger than ${most} bytes. Fetch it on a minion, by cp.get_url or cmd.run.`, {
        code: 'too-large',
      })
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  return headers
}
