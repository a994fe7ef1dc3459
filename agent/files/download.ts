// Files from web servers.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BrineError, messageOf } from '../../core/error.ts'
import type { Outgoing } from '../connection/outgoing.ts'

/** Milliseconds until an answer has to begin. */
const patience = 60_000

/** Writes what is at an `http(s)://` URL to a new file. Throws a BrineError `download` with the status or the reason. */
export async function download(url: string, to: string, ask: Outgoing = fetch): Promise<void> {
  const { href, headers } = withLogin(url)
  const begun = new AbortController()
  const timer = setTimeout(() => begun.abort(new Error(`no answer within ${patience / 1000} s`)), patience)
  try {
    const response = await ask(href, { headers, signal: begun.signal })
    clearTimeout(timer)
    if (!response.ok) throw new Error(`HTTP ${response.status}: ${response.statusText}`)
    if (response.body === null) throw new Error('the answer has no body')
    await pipeline(Readable.fromWeb(response.body as import('node:stream/web').ReadableStream), createWriteStream(to))
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new BrineError(`${shown(url)} cannot be got: ${messageOf(cause)}`, { code: 'download', cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** A name and password in the URL become a header: fetch takes none. */
function withLogin(url: string): { href: string; headers: Record<string, string> } {
  const { username, password } = new URL(url)
  if (username === '' && password === '') return { href: url, headers: {} }
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { href: shown(url), headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` } }
}

/** The URL without name and password, for messages. */
function shown(url: string): string {
  const without = new URL(url)
  without.username = ''
  without.password = ''
  return without.href
}
