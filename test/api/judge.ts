// Makes recorded exchanges again with a running lab, and tells how each came out.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { waitFor } from '../system/wait.ts'
import type { ApiLab } from './api-lab.ts'
import { type Answer, exchange, parseAnswer } from './exchange.ts'
import { comparable } from './mask.ts'
import { order } from './order.ts'

/** How an exchange came out: its differences, none where it is equal. */
export interface Verdict {
  readonly name: string
  readonly differences: readonly string[]
}

/** Milliseconds for which streams are read at the longest. */
const patience = 60_000
/** Which answers are streams, and what stands in each when all has come that is made to come. */
const streams: Readonly<Record<string, RegExp>> = {
  events_sse_10s: /^tag: salt\/netapi\/hook.*\n(?:.*\n)*?id: /m,
  events_cookie: /^retry: /m,
  events_query_token: /^retry: /m,
  events_salt_token: /^retry: /m,
}

/** The names of the exchanges of a folder whose answer is there, in the order in which they were made. */
export function exchangesOf(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.req.http') && existsSync(join(folder, name.replace('.req.', '.res.'))))
    .map((name) => name.replace('.req.http', ''))
    .sort((a, b) => placeOf(a) - placeOf(b))
}

function placeOf(name: string): number {
  const place = order.indexOf(name)
  return place < 0 ? order.indexOf('logout') - 0.5 : place
}

/** Makes them one after the other. */
export async function judge({ lab, port }: ApiLab, folder: string, names: readonly string[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  let theirs = ''
  let ours = ''
  let theirJid = ''
  let ourJid = ''
  const remade = (text: string): string => {
    let request = theirs === '' ? text : text.replaceAll(theirs, ours)
    if (theirJid !== '') request = request.replaceAll(theirJid, ourJid)
    return request.replace(/^Host: .*$/m, `Host: 127.0.0.1:${port}`)
  }
  for (const name of names) {
    const expected = parseAnswer(readFileSync(join(folder, `${name}.res.http`), 'utf8'))
    const request = remade(readFileSync(join(folder, `${name}.req.http`), 'utf8'))
    const all = streams[name]
    let begun = false
    const holds = (text: string): boolean => {
      begun ||= /^retry: /m.test(text)
      return all?.test(text) === true
    }
    const answering = exchange(port, request, all === undefined ? undefined : patience, undefined, holds)
    if (name === 'events_sse_10s') {
      await waitFor('the stream', () => (begun ? true : undefined))
      await lab.run('brine', ['*', 'test.ping'])
      await lab.run('brine-run', ['event.send', 'lab/sse', '{"a": "é line1\\nline2"}'])
      const hook = readFileSync(join(folder, 'hook_during_sse.req.http'), 'utf8')
      verdicts.push(
        verdictOf(
          'hook_during_sse',
          parseAnswer(readFileSync(join(folder, 'hook_during_sse.res.http'), 'utf8')),
          await exchange(port, remade(hook)),
        ),
      )
    }
    const given = await answering
    if (name === 'login_json') {
      theirs = tokenOf(expected)
      ours = tokenOf(given)
    }
    if (name === 'local_async') {
      theirJid = jidOf(expected)
      ourJid = jidOf(given)
    }
    if (name !== 'hook_during_sse') verdicts.push(verdictOf(name, expected, given))
  }
  return verdicts
}

function tokenOf({ headers }: Answer): string {
  return headers.find(([name]) => name === 'x-auth-token')?.[1] ?? ''
}

function jidOf({ body }: Answer): string {
  return /"jid": "(\d{20})"/.exec(body)?.[1] ?? ''
}

/** Which minion a subset is drawn to be varies. */
function drawn(name: string, answer: Answer): Answer {
  return name === 'local_subset' ? { ...answer, body: answer.body.replace(/"(db1|web-asg-1)"/, '"<minion>"') } : answer
}

function verdictOf(name: string, expected: Answer, given: Answer): Verdict {
  const [theirs, ours] = [comparable(drawn(name, expected)), comparable(drawn(name, given))]
  const differences: string[] = []
  if (theirs.status !== ours.status) differences.push(`status ${ours.status}, not ${theirs.status}`)
  for (const line of theirs.headers) if (!ours.headers.includes(line)) differences.push(`lacks ${line}`)
  for (const line of ours.headers) if (!theirs.headers.includes(line)) differences.push(`has ${line}`)
  if (!isDeepStrictEqual(theirs.body, ours.body)) {
    const show = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 1))
    differences.push(`body ${show(ours.body)}\nnot ${show(theirs.body)}`)
  }
  return { name, differences }
}
