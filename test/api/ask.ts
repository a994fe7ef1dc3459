// Makes the variants' requests at a port, and hears meanwhile what they put on the bus as hooks.
import { waitFor } from '../system/wait.ts'
import { type Answer, exchange, parseAnswer } from './exchange.ts'
import { comparable } from './mask.ts'
import type { Variant } from './variants.ts'

/** What came of a request, as it compares. */
export interface Outcome {
  readonly status: string
  readonly headers: readonly string[]
  readonly body: unknown
}

/** What came of all: by name, and the hooks' frames in order. */
export interface Outcomes {
  readonly answers: Readonly<Record<string, Outcome>>
  readonly hooks: readonly string[]
}

/** Milliseconds for which an answer without an end is read. */
const patience = 60_000
/** A hook after all others: a stream that shows it has shown them. */
const last = 'salt/netapi/hook/after-all'

/** Makes them one after the other. */
export async function ask(port: number, variants: readonly Variant[]): Promise<Outcomes> {
  const token = await sessionToken(port)
  const stop = new AbortController()
  const hooks = await hookFrames(port, token, stop.signal)
  const answers: Record<string, Outcome> = {}
  for (const [index, { name, request }] of variants.entries()) {
    const text = whole(request.replaceAll('{token}', token).replace(/^Host: .*$/m, `Host: 127.0.0.1:${port}`))
    // Wrong log-ins are counted by address: each comes from one of its own, but for those whose address is told.
    const from = name.startsWith('hook') ? '127.0.0.1' : `127.0.${1 + (index >> 7)}.${1 + (index & 127)}`
    answers[name] = outcomeOf(await exchange(port, text, patience, from), /^HEAD /.test(text))
  }
  const headers = { 'x-auth-token': token, 'content-type': 'application/json' }
  await fetch(`http://127.0.0.1:${port}/hook/after-all`, { method: 'POST', headers, body: '{}' })
  await waitFor('the last hook', () => (hooks.heard().includes(`tag: ${last}\n`) ? true : undefined))
  stop.abort()
  return { answers, hooks: (await hooks.frames).filter((frame) => !frame.startsWith(`tag: ${last}\n`)) }
}

async function sessionToken(port: number): Promise<string> {
  const body = new URLSearchParams({ username: 'saltdev', password: 'brine-lab-secret', eauth: 'sharedsecret' })
  const answer = await fetch(`http://127.0.0.1:${port}/login`, { method: 'POST', body })
  return answer.headers.get('x-auth-token') ?? ''
}

async function hookFrames(
  port: number,
  token: string,
  signal: AbortSignal,
): Promise<{ frames: Promise<string[]>; heard(): string }> {
  const answer = await fetch(`http://127.0.0.1:${port}/events`, { headers: { 'x-auth-token': token }, signal })
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  let text = decoder.decode((await reader?.read())?.value, { stream: true })
  const read = async (): Promise<string[]> => {
    try {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
        text += decoder.decode(part.value, { stream: true })
    } catch (error) {
      if (!signal.aborted) throw error
    }
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n'
    const { body } = comparable(parseAnswer(head + text))
    return (body as string[]).filter((frame) => frame.startsWith('tag: salt/netapi/hook'))
  }
  return { frames: read(), heard: () => text }
}

/** The length of the body as it is once the token stands in it. */
function whole(request: string): string {
  const body = request.slice(request.indexOf('\r\n\r\n') + 4)
  return request.replace(/^Content-Length: .*$/m, `Content-Length: ${Buffer.byteLength(body)}`)
}

/** The body of an answer to HEAD is none, whatever its type says. */
function outcomeOf(answer: Answer, head: boolean): Outcome {
  const { status, headers, body } = head ? { ...comparable({ ...answer, headers: [] }), body: '' } : comparable(answer)
  return { status, headers, body: shown(body) }
}

/** Of an error page its message; of a traceback, whose lines are each program's own, that there is one. */
function shown(body: unknown): unknown {
  if (typeof body === 'string') return /<p>(.*?)<\/p>/s.exec(body)?.[1] ?? body
  return JSON.parse(JSON.stringify(body).replace(/Traceback \(most recent call last\):(?:[^"\\]|\\.)*/g, '<traceback>'))
}
