// What salt-api answered to the variants (variants-of-salt.jsonl, made by record.ts), asked of ours: equal, but for what is
// decided otherwise.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiLab, startApiLab } from './api-lab.ts'
import { ask, type Outcome, type Outcomes } from './ask.ts'
import { variants } from './variants.ts'

/** Why ours answers otherwise. */
const decided: Readonly<Record<string, string>> = {
  'login: bad yaml': 'Salt falls over; ours says what is wrong',
  'login: logout by get': 'Salt falls over; ours says what is wrong',
  'token: no body': 'Salt falls over; ours says what is wrong',
  'post: yaml, bad': 'Salt falls over; ours says what is wrong',
  'local: no such nodegroup': 'Salt falls over; ours says what is wrong',
  'runner: unknown module': 'Salt falls over; ours says what is wrong',
  'keys: post, a wrong password': 'Salt falls over; ours says what is wrong',
  'keys: post, an unknown token': 'Salt falls over; ours says what is wrong',
  'keys: post, no right': 'Salt falls over; ours says what is wrong',
  'hook: bad yaml': 'Salt falls over; ours says what is wrong',
  'other pages: events by post': 'Salt falls over; ours says what is wrong',
  'wheel: no match': 'Salt falls over; ours says what is wrong',
  'wheel: full return': 'Salt falls over; ours says what is wrong',
  'post: patch': 'a page that does not take a method says so, whatever the request lacks',
  'minions: put': 'a page that does not take a method says so, whatever the request lacks',
  'keys: put': 'a page that does not take a method says so, whatever the request lacks',
  'hook: put': 'a page that does not take a method says so, whatever the request lacks',
  'minions: post, to a name': 'a page that does not take a method says so, whatever the request lacks',
  'keys: post, to a name': 'a page that does not take a method says so, whatever the request lacks',
  'jobs: post': 'a page that does not take a method says so, whatever the request lacks',
  'login: type in capitals': 'the names of types have no case (RFC 9110)',
  'post: type in capitals': 'the names of types have no case (RFC 9110)',
  'sessions: a token in the query': 'who shows no session learns nothing of a page',
  'login: form with repeated fields': 'the name of a user is a text',
  'form: a function twice': 'several functions run without a list of arguments for each',
  'local: expr_form': 'the name that older programs use is heeded',
  'local: several functions, full': 'a job has one retcode',
  'run: limited, several functions': 'each of several functions needs its right',
  'runner: too many arguments': "the lab's runner takes two arguments here",
  'runner: no job told': 'documentation is our own',
  'wheel: accept by dict': 'Salt falls over; ours says that nobody was there',
  'addresses: HTTP of old': 'an answer after which the connection ends says so',
  'addresses: HTTP of old, a page': 'an answer after which the connection ends says so',
  'jobs: a page below': 'CherryPy takes what follows for further arguments',
  'other pages: an index': 'CherryPy takes what follows for further arguments',
  'other pages: options without an origin': 'a preflight is answered',
  'other pages: options of a hook': 'a preflight is answered',
}

type Line = (Outcome & { readonly name: string }) | { readonly hook: string }
const recorded = readFileSync(join(import.meta.dirname, 'variants-of-salt.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)

let stage: ApiLab
let ours: Outcomes
beforeAll(async () => {
  stage = await startApiLab()
  ours = await ask(stage.port, variants)
}, 900_000)
afterAll(() => stage.lab.close())

describe('as salt-api answers', () => {
  it.each(recorded.flatMap((line) => ('name' in line ? [line] : [])))('$name', ({ name, ...theirs }) => {
    if (decided[name] === undefined) expect(ours.answers[name]).toEqual(theirs)
    else expect(ours.answers[name]).not.toEqual(theirs)
  })

  it('HTTP/1.0 without a Host', () => {
    expect(ours.answers['addresses: HTTP of old']?.status).toBe('HTTP/1.1 200 OK')
    expect(ours.answers['addresses: HTTP of old, a page']?.status).toBe('HTTP/1.1 404 Not Found')
  })

  it('what hooks put on the bus', () => {
    expect(ours.hooks).toEqual(recorded.flatMap((line) => ('hook' in line ? [line.hook] : [])))
  })
})
