// The journal: what it promises over restarts, cuts, full disks and too little room.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Log, systemOutside } from '../outside.ts'
import { AppendFile } from './append-file.ts'
import { crc32, decodeFrames, encodeFrame } from './frame.ts'
import { Journal, type NewReturn } from './journal.ts'
import { createUlids, timeOfUlid } from './ulid.ts'

let directory: string
let path: string
const said: string[] = []
const say = (message: string) => void said.push(message)
const log: Log = { debug: say, info: say, warn: say, error: say }
const outside = systemOutside(log)
const open: Journal[] = []

async function journal(limits = {}): Promise<Journal> {
  const one = await Journal.open(path, outside, limits)
  open.push(one)
  return one
}

const ret = (jid: string, value = 'done'): NewReturn => ({
  jid,
  fun: 'test.echo',
  fun_args: [value],
  return: value,
  retcode: 0,
  success: true,
})

/** Everything that waits, in order. */
function waiting(one: Journal): string[] {
  const texts: string[] = []
  for (let batch = one.next(); batch !== undefined; batch = one.next()) {
    texts.push(...batch.items.map(({ text }) => text))
    one.settle(batch.items.map(({ id }) => id))
  }
  return texts
}

const tagsOf = (texts: readonly string[]): string[] =>
  texts.map((text) => /"(?:tag|jid)":"([^"]*)"/.exec(text)?.[1] ?? '')

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'brine-journal-'))
  path = join(directory, 'journal')
  said.length = 0
})

afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  await rm(directory, { recursive: true })
})

describe('a frame', () => {
  it('has the CRC that everybody has', () => {
    expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926)
  })

  it('is read up to the first that is cut or damaged', () => {
    const frame = fc.record({
      kind: fc.constantFrom('E', 'R', 'J', 'D'),
      id: fc.stringMatching(/^[0-9A-Z]{1,26}$/),
      text: fc.string().map((text) => JSON.stringify(text)),
    })
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 6 }), fc.nat(), fc.boolean(), (frames, place, damage) => {
        const lines = frames.map(encodeFrame)
        const whole = Buffer.concat(lines)
        const at = whole.length === 0 ? 0 : place % whole.length
        const bytes = damage && whole.length > 0 ? Buffer.from(whole) : whole.subarray(0, at)
        if (damage && whole.length > 0) bytes[at] = (bytes[at] ?? 0) ^ 0x55
        let [end, count] = [0, 0]
        for (const line of lines) {
          if (end + line.length > at) break
          end += line.length
          count++
        }
        expect(decodeFrames(bytes)).toEqual({ frames: frames.slice(0, count), length: end })
      }),
    )
  })
})

describe('ulids', () => {
  it('rise, within a millisecond too, and tell their time', () => {
    let now = 1_700_000_000_000_000
    const ulid = createUlids({ now: () => (now += 10), random: () => 0.999999 })
    const ids = Array.from({ length: 500 }, ulid)
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(ids).size).toBe(500)
    expect(timeOfUlid(ids[0] ?? '')).toBe(1_700_000_000_000)
  })
})

describe('the journal', () => {
  it('keeps events and returns in their order over a restart, until they are settled', async () => {
    const one = await journal()
    await Promise.all([
      one.addEvent({ tag: 'a', data: { n: 1 } }),
      one.addEvent({ tag: 'b', data: {} }),
      one.addReturn(ret('1')),
    ])
    await one.addEvent({ tag: 'c', data: {} })
    const first = one.next()
    expect(first?.kind).toBe('events')
    one.settle([first?.items[0]?.id ?? ''])
    await one.close()
    open.length = 0
    expect(tagsOf(waiting(await journal()))).toEqual(['b', '1', 'c'])
  })

  it('starts a jid once, over restarts too', async () => {
    const one = await journal()
    expect(await one.startJob('1', 2e9, { fun: 'test.ping' })).toBe('started')
    expect(await one.startJob('1', 2e9, { fun: 'test.ping' })).toBe('seen')
    await one.addReturn(ret('1'))
    waiting(one)
    await one.close()
    open.length = 0
    const two = await journal()
    expect(await two.startJob('1', 2e9, { fun: 'test.ping' })).toBe('seen')
    expect(two.id).toBe(one.id)
    expect(waiting(two)).toEqual([])
  })

  it('knows the jobs that were cut off, until they are returned', async () => {
    const one = await journal()
    await one.startJob('7', 2e9, { fun: 'cmd.run', arg: ['x'] })
    await one.startJob('8', 2e9, { fun: 'test.ping', arg: [] })
    await one.addReturn(ret('8'))
    await one.close()
    open.length = 0
    const two = await journal()
    expect(two.unfinished).toEqual([{ jid: '7', expiry: 2e9, state: 'started', data: { fun: 'cmd.run', arg: ['x'] } }])
    await two.addReturn(ret('7'))
    await two.close()
    open.length = 0
    expect((await journal()).unfinished).toEqual([])
  })

  it('recovers its longest whole prefix when cut at any byte', async () => {
    const one = await journal()
    await one.addEvent({ tag: 'a', data: { text: 'ä\n' } })
    await one.startJob('1', 2e9, { fun: 'test.ping' })
    await one.addReturn(ret('1'))
    const settled = one.next()?.items[0]?.id ?? ''
    one.settle([settled])
    await one.addEvent({ tag: 'b', data: {} })
    await one.close()
    open.length = 0
    const bytes = await readFile(path)
    const { frames } = decodeFrames(bytes)
    const kinds = frames.map(({ kind }) => kind)
    expect(kinds).toEqual(['H', 'E', 'J', 'R', 'D', 'E'])
    let whole = 0
    const ends = frames.map((frame) => (whole += encodeFrame(frame).length))
    for (let cut = 0; cut <= bytes.length; cut++) {
      await writeFile(path, bytes.subarray(0, cut))
      const again = await Journal.open(path, outside)
      const kept = ends.filter((end) => end <= cut).length
      const expected = [[], [], ['a'], ['a'], ['a', '1'], ['1'], ['1', 'b']][kept]
      expect([cut, tagsOf(waiting(again))]).toEqual([cut, expected])
      expect(again.jobState('1')).toBe(kept >= 4 ? 'done' : kept === 3 ? 'started' : undefined)
      // It goes on where it was cut.
      await again.addEvent({ tag: 'more', data: {} })
      await again.close()
      const last = await Journal.open(path, outside)
      expect(last.unfinished.map(({ jid }) => jid)).toEqual(kept === 3 ? ['1'] : [])
      expect(tagsOf(waiting(last))).toEqual(['more'])
      await last.close()
    }
  })

  it('drops beacons first, counts what it dropped, and refuses events when full', async () => {
    const one = await journal({ maxBytes: 1000 })
    for (let index = 0; index < 4; index++)
      await one.addEvent({ tag: `beacon/${index}`, data: { pad: 'x'.repeat(100) }, beacon: true })
    await one.addEvent({ tag: 'event/0', data: { pad: 'x'.repeat(300) } })
    expect(await one.addEvent({ tag: 'event/1', data: { pad: 'x'.repeat(300) } })).toBeDefined()
    expect(await one.addEvent({ tag: 'event/2', data: { pad: 'x'.repeat(300) } })).toBeUndefined()
    await one.addReturn(ret('1', 'x'.repeat(300)))
    expect(one.takeDropped()).toEqual({ beacon: 4, event: 1, return: 0, reason: 'the journal is full' })
    expect(one.takeDropped()).toBeUndefined()
    expect(tagsOf(waiting(one))).toEqual(['event/0', 'event/1', '1'])
  })

  it('keeps a short return where there is no room for the value', async () => {
    const one = await journal({ maxBytes: 1000 })
    await one.addReturn(ret('1', 'x'.repeat(5000)))
    const [text = ''] = waiting(one)
    expect(JSON.parse(text)).toMatchObject({ jid: '1', return: expect.stringContaining('was dropped'), success: false })
    expect(one.takeDropped()).toMatchObject({ return: 1 })
  })

  it('drops what waited too long', async () => {
    let ahead = 0
    const one = await Journal.open(path, { ...outside, now: () => outside.now() + ahead }, { maxAge: 60 })
    open.push(one)
    await one.addEvent({ tag: 'old', data: {} })
    await one.addReturn(ret('1'))
    ahead = 61_000_000
    await one.addEvent({ tag: 'new', data: {} })
    expect(tagsOf(waiting(one))).toEqual(['1', 'new'])
    expect(one.takeDropped()).toMatchObject({ event: 1, reason: 'it waited too long for the master' })
  })

  it('is compacted, and forgets jids an hour after their expiry', async () => {
    const one = await journal()
    const past = outside.now() / 1e6 - 7200
    await one.startJob('old', past, {})
    await one.addReturn(ret('old'))
    await one.startJob('young', past + 7000, {})
    await one.addReturn(ret('young'))
    for (let index = 0; index < 50; index++) await one.addEvent({ tag: 'x', data: { pad: 'y'.repeat(1000) } })
    waiting(one)
    await one.addEvent({ tag: 'kept', data: {} })
    await one.compact()
    await one.addEvent({ tag: 'after', data: {} })
    await one.close()
    open.length = 0
    expect((await readFile(path)).length).toBeLessThan(1000)
    const two = await journal()
    expect([two.jobState('old'), two.jobState('young')]).toEqual([undefined, 'done'])
    expect(tagsOf(waiting(two))).toEqual(['kept', 'after'])
  })

  it('loses nothing that is added while it is compacted', async () => {
    const one = await journal()
    const adding = Array.from({ length: 200 }, (_, index) => one.addEvent({ tag: `t${index}`, data: {} }))
    await Promise.all([one.compact(), ...adding, one.compact()])
    await one.close()
    open.length = 0
    expect(tagsOf(waiting(await journal()))).toEqual(adding.map((_, index) => `t${index}`))
  })

  it('begins anew where the file is none of its own', async () => {
    await writeFile(path, 'something else\n')
    const one = await journal()
    await one.addEvent({ tag: 'a', data: {} })
    await one.close()
    open.length = 0
    expect(tagsOf(waiting(await journal()))).toEqual(['a'])
    expect(said.some((line) => line.includes('15 bytes'))).toBe(true)
  })

  it('batches neighbours of a kind, within what one request holds', async () => {
    const one = await journal()
    await Promise.all(Array.from({ length: 700 }, (_, index) => one.addEvent({ tag: `t${index}`, data: {} })))
    expect(one.next()?.items).toHaveLength(500)
  })

  it.runIf(process.platform === 'linux')(
    'neither starts a job nor keeps an event on a full disk, but still returns',
    async () => {
      const file = await AppendFile.open('/dev/full', 0)
      await expect(file.append(Buffer.from('x'))).rejects.toMatchObject({ code: 'ENOSPC' })
      await file.close()
    },
  )
})

describe('an append-only file', () => {
  it('writes what many hand it in their order, and waits for the disk', async () => {
    const file = await AppendFile.open(path, 0)
    await Promise.all(Array.from({ length: 100 }, (_, index) => file.append(Buffer.from(`${index}\n`))))
    file.appendLater(Buffer.from('later\n'))
    await file.close()
    expect((await readFile(path, 'utf8')).split('\n')).toEqual([
      ...Array.from({ length: 100 }, (_, index) => String(index)),
      'later',
      '',
    ])
  })
})
