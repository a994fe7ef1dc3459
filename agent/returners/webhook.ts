// The returner `webhook`: the return as JSON to a URL.
import { createHmac } from 'node:crypto'
import { isMap, type Mapping, pythonStr, stringifyJson } from '../../core/value/index.ts'
import { post } from './post.ts'
import { badOption, type Returner } from './returner.ts'

/**
 * Options: `url`; `headers`, a map; `secret`, with which the body is signed (`X-Brine-Signature: sha256=<hex>`, HMAC);
 * `timeout`, seconds for one answer.
 */
export const webhook: Returner = {
  options: ['url', 'headers', 'secret', 'timeout'],
  async send(load, options, world) {
    const url = addressOf(options)
    const body = stringifyJson(load)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'brine',
      ...headersOf(options),
      ...signatureOf(options, body),
    }
    const seconds = Number(options.timeout ?? 10)
    if (!(seconds > 0)) throw badOption('webhook', 'timeout', 'has to be a number of seconds above 0')
    await post({ url, body, headers: () => headers, patience: seconds * 1000 }, world)
  },
}

function addressOf({ url = null }: Mapping): URL {
  if (url === null) throw badOption('webhook', 'url', 'is not set')
  const text = pythonStr(url)
  const address = URL.canParse(text) ? new URL(text) : undefined
  if (address === undefined || !['http:', 'https:'].includes(address.protocol))
    throw badOption('webhook', 'url', 'has to be an http:// or https:// URL')
  return address
}

function headersOf({ headers = null }: Mapping): Record<string, string> {
  if (headers === null) return {}
  if (!isMap(headers)) throw badOption('webhook', 'headers', 'has to be a map')
  const pairs = headers instanceof Map ? [...headers] : Object.entries(headers)
  return Object.fromEntries(pairs.map(([name, value]) => [pythonStr(name).toLowerCase(), pythonStr(value)]))
}

function signatureOf({ secret = null }: Mapping, body: string): Record<string, string> {
  if (secret === null) return {}
  const hex = createHmac('sha256', pythonStr(secret)).update(body).digest('hex')
  return { 'x-brine-signature': `sha256=${hex}` }
}
