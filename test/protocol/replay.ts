// Plays a recorded agent against a master: its requests as they were, but for what is good only once.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'

/** One request of the recording and what came back. */
export interface Exchange {
  readonly what: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** `{{…}}` stands for what is made anew: see {@link replay}. */
  readonly body?: unknown
  readonly status: number
  /** The answer; of texts and numbers only the kind is compared, unless the text is among `exact`. */
  readonly answer: unknown
}

/** What the replay fills in, besides the key, its proof and the token. */
export interface Fill {
  readonly origin: string
  readonly version: string
  /** Values for further placeholders. */
  readonly values: (name: string) => Promise<string>
}

/** The answers of the master, in order. */
export async function replay(exchanges: readonly Exchange[], id: string, fill: Fill) {
  const keys = generateKeyPairSync('ed25519')
  const pub = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const known = new Map([
    ['id', id],
    ['pub', pub.trim()],
  ])
  const fillIn = async (name: string): Promise<string> => {
    if (name === 'assertion') return assertion(id, fill.origin, keys.privateKey)
    const value = known.get(name) ?? (await fill.values(name))
    known.set(name, value)
    return value
  }
  const answers: { status: number; answer: unknown }[] = []
  for (const { method, path, body } of exchanges) {
    const headers: Record<string, string> = { 'brine-protocol': fill.version, 'content-type': 'application/json' }
    const token = known.get('token')
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    const response = await fetch(fill.origin + (await filled(path, fillIn)), {
      method,
      headers,
      ...(body === undefined ? {} : { body: await filled(JSON.stringify(body), fillIn, true) }),
    })
    const answer: unknown = await response.json()
    if (typeof answer === 'object' && answer !== null && 'token' in answer) known.set('token', String(answer.token))
    answers.push({ status: response.status, answer })
  }
  return answers
}

/** What an answer is made of: its keys, and of each value the kind; of a list the kinds of its items. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]))
  return typeof value
}

async function filled(text: string, fillIn: (name: string) => Promise<string>, inJson = false): Promise<string> {
  let result = text
  for (const [placeholder, name = ''] of text.matchAll(/\{\{(\w+)\}\}/g)) {
    const value = await fillIn(name)
    result = result.replace(placeholder, inJson ? JSON.stringify(value).slice(1, -1) : encodeURIComponent(value))
  }
  return result
}

function assertion(id: string, audience: string, key: Parameters<typeof sign>[2]): string {
  const now = Math.floor(Date.now() / 1000)
  const encoded = [
    { alg: 'EdDSA', typ: 'JWT' },
    { iss: id, sub: id, aud: audience, iat: now, exp: now + 50, jti: randomUUID() },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const text = encoded.join('.')
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}
