// Shows that the masks and comparisons of the transcripts see what differs and nothing else.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compareAsSubset, compareOutput, compareStreams } from './compare.ts'
import { maskEvents, maskOutput, type StreamEvent } from './mask.ts'
import { isPrettyPrinted, parsePretty, parseRaw, readEvents } from './transcript.ts'

const place = { root: '/tmp/place' }
const GOLDENS = join(import.meta.dirname, '../../../shared/golden')

const ping = (jid: string, ids: readonly string[]): StreamEvent[] => [
  { tag: jid, data: { minions: [...ids], _stamp: '2026-11-21T05:27:17.506622' } },
  { tag: `salt/job/${jid}/new`, data: { jid, fun: 'test.ping', arg: [] } },
  ...ids.map((id) => ({ tag: `salt/job/${jid}/ret/${id}`, data: { jid, fun: 'test.ping', fun_args: [], id, ts: 1 } })),
]
const differences = (a: readonly StreamEvent[], b: readonly StreamEvent[]) =>
  compareStreams(maskEvents(a, place), maskEvents(b, place))

describe('streams', () => {
  const one = ping('20261121052717505002', ['db1', 'web'])

  it('are equal whatever their jids and times', () => {
    expect(differences(one, ping('20261121052717505999', ['db1', 'web']))).toEqual([])
  })

  it('are equal whichever minion returns first', () => {
    expect(differences(one, [...one.slice(0, 2), ...one.slice(2).reverse()])).toEqual([])
  })

  it('differ where a return comes before its job', () => {
    const [first, second, third, fourth] = one
    expect(
      differences(
        one,
        [first, third, second, fourth].filter((event) => event !== undefined),
      ),
    ).toHaveLength(1)
  })

  it('differ where an event is missing, is there twice, or has another field', () => {
    expect(differences(one, one.slice(1))).toHaveLength(1)
    expect(differences(one, [...one, ...one.slice(1, 2)])).toHaveLength(1)
    const other = one.map((event) => ({ ...event, data: { ...(event.data as object), more: 1 } }))
    expect(differences(one, other)).toHaveLength(8)
  })

  it('join repeated requests of a pending key', () => {
    const pend: StreamEvent = { tag: 'salt/auth', data: { act: 'pend', id: 'db1', pub: 'x' } }
    const accept: StreamEvent = { tag: 'salt/auth', data: { act: 'accept', id: 'db1', pub: 'x' } }
    expect(differences([pend, pend, pend, accept], [pend, accept])).toEqual([])
    expect(differences([pend, accept], [accept])).toHaveLength(1)
  })

  it('tell apart the jids of two jobs that run the same', () => {
    const [a, b] = ['20261121052717505002', '20261121052718505002']
    const interleaved = [...ping(a, []), ...ping(b, [])]
    expect(differences(interleaved, interleaved)).toEqual([])
    expect(differences(interleaved, [...ping(a, []), ...ping(a, [])])).not.toEqual([])
  })

  it('of an article compare as ordered subsets', () => {
    const small = [{ tag: 'a', data: { x: 1 } }]
    const large = [
      { tag: 'z', data: {} },
      { tag: 'a', data: { x: 1, y: 2 } },
    ]
    expect(compareAsSubset(small, large)).toEqual([])
    expect(compareAsSubset(large, small)).toHaveLength(1)
    expect(compareAsSubset([...small, ...small], large)).toHaveLength(1)
  })
})

describe('outputs', () => {
  it('are masked', () => {
    const text =
      'Started: 05:29:58.320834\nDuration: 0.597 ms\nrun brine-run jobs.lookup_jid 20261121052717505002 in /tmp/place/x\n'
    expect(maskOutput(text, place)).toBe(
      'Started: <time>\nDuration: <n> ms\nrun salt-run jobs.lookup_jid <jid 1> in /srv/lab/x\n',
    )
  })

  it('are equal whichever minion is printed first, and nothing else', () => {
    expect(compareOutput('db1:\n    True\nweb-asg-1:\n    True\n', 'web-asg-1:\n    True\ndb1:\n    True\n')).toEqual(
      [],
    )
    expect(compareOutput('db1:\n    True\nweb-asg-1:\n    1\n', 'web-asg-1:\n    True\ndb1:\n    1\n')).toHaveLength(2)
    expect(compareOutput('a\nb\n', 'b\na\n')).toHaveLength(2)
    const json = (...entries: readonly string[]) => `{\n    ${entries.join(',\n    ')}\n}\n`
    expect(compareOutput(json('"db1": 1', '"web-asg-1": 2'), json('"web-asg-1": 2', '"db1": 1'))).toEqual([])
    expect(compareOutput(json('"db1": 1', '"web-asg-1": 2'), json('"web-asg-1": 1', '"db1": 2'))).toHaveLength(2)
    expect(compareOutput(json('"a": 1', '"b": 2'), json('"b": 2', '"a": 1'))).toHaveLength(2)
  })

  it('of a stream are judged as Python prints', () => {
    expect(isPrettyPrinted('a/b\t{\n    "a": [],\n    "b": "\\u00e9"\n}\n')).toBe(true)
    expect(isPrettyPrinted('a/b\t{\n    "b": 1,\n    "a": 2\n}\n')).toBe(false)
    expect(parsePretty('a\t{\n    "a": 1\n}\nb\t{\n    "c')).toEqual([{ tag: 'a', data: { a: 1 } }])
    expect(parseRaw('a\t{"a": 1}\nb\t{"c')).toEqual([{ tag: 'a', data: { a: 1 } }])
  })
})

describe.skipIf(!existsSync(GOLDENS))('the transcripts', () => {
  const names = existsSync(GOLDENS)
    ? readdirSync(join(GOLDENS, 'events')).flatMap((file) => /^(.*)\.raw\.txt$/.exec(file)?.[1] ?? [])
    : []

  it.each(names)('%s: both forms hold the same events', (name) => {
    const transcript = readEvents(GOLDENS, name)
    expect(transcript).toBeDefined()
    const [pretty, raw] = [transcript?.pretty ?? [], transcript?.raw ?? []].map((events) => maskEvents(events, place))
    // A stream that was cut short lacks its end, and perhaps what the last jid was for.
    const shorter = Math.abs((pretty?.length ?? 0) - (raw?.length ?? 0))
    expect(compareStreams(pretty ?? [], raw ?? []).length).toBeLessThanOrEqual(shorter)
  })
})
