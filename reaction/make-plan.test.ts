// Plans: every file on its own, all compiled together, questions asked once, and what cannot run said in the plan.
import { describe, expect, it } from 'vitest'
import { BrineError } from '../core/error.ts'
import { causeOf, type Event } from '../core/event/event.ts'
import type { Value } from '../core/value/index.ts'
import { createBinder } from './bind.ts'
import { defaultLoopLimits } from './limits.ts'
import { createPlanMaker, type RenderFile } from './make-plan.ts'
import type { Answers, MatchedFile, Question } from './ports.ts'

const event: Event = { id: 'E1', tag: 'salt/x', data: { id: 'web1' }, source: 'minion' }
const nobody: Answers = { answer: async () => null }

const file = (name: string, document: unknown): MatchedFile => ({
  glob: 'salt/*',
  name,
  hash: 'h',
  text: typeof document === 'string' ? document : JSON.stringify(document),
})

const job = (fun: string, ...rest: unknown[]) => ({ [`local.${fun}`]: [{ tgt: '*' }, ...rest] })

/** Texts are JSON; `!` fails, and `?a` asks a. */
const render: RenderFile = ({ text }, _event, answers) => {
  if (text.startsWith('!'))
    throw Object.assign(new BrineError('no such name', { code: 'undefined' }), { place: 'a.sls:3' })
  const asked = /^((?:\?\w+ )*)/.exec(text)?.[1] ?? ''
  for (const name of asked.split(' ').filter(Boolean)) {
    if (!answers.has(name)) return { kind: 'need', key: name, question: { fun: name.slice(1), args: [], kwargs: {} } }
  }
  return { kind: 'rendered', document: JSON.parse(text.slice(asked.length)), text }
}

function maker(answers: Answers = nobody) {
  return createPlanMaker({
    render,
    bind: createBinder({ signatures: () => undefined, expiresIn: 3600 }),
    answers,
    clock: { now: () => 7, eventId: () => '', jid: () => '' },
    limits: defaultLoopLimits,
  })
}

describe('createPlanMaker', () => {
  it('plans without waiting where nothing is asked', () => {
    const plan = maker()(event, [file('a.sls', { one: job('test.ping') })], 'v1')
    expect(plan).toMatchObject({
      event: 'E1',
      tag: 'salt/x',
      at: 7,
      version: 'v1',
      root: 'E1',
      files: [{ glob: 'salt/*', name: 'a.sls', hash: 'h' }],
      reactions: [
        {
          ordinal: 0,
          file: 0,
          id: 'one',
          type: 'local',
          fun: 'test.ping',
          call: { kind: 'local', tgt: '*', tgtType: 'glob', fun: 'test.ping', arg: [], kwarg: {}, expiresIn: 3600 },
        },
      ],
    })
  })

  it('sorts the chunks of all files together, and runs the same id of two files twice', async () => {
    const files = [file('a.sls', { z: job('test.ping'), b: job('test.ping') }), file('b.sls', { b: job('test.ping') })]
    const { reactions } = await maker()(event, files, 'v1')
    expect(reactions.map(({ id, file: index, ordinal }) => [id, index, ordinal])).toEqual([
      ['b', 0, 0],
      ['b', 1, 1],
      ['z', 0, 2],
    ])
  })

  it('lets a bad file fail alone, with its code and place', async () => {
    const files = [
      file('bad.sls', '!'),
      { ...file('gone.sls', ''), error: 'no file matches gone.sls' },
      file('list.sls', [1]),
      file('text.sls', '{'),
      file('good.sls', { one: job('test.ping') }),
    ]
    const plan = await maker()(event, files, 'v1')
    expect(plan.files.map(({ error }) => error?.code)).toEqual([
      'undefined',
      'unreadable',
      'sls-high',
      'internal',
      undefined,
    ])
    expect(plan.files[0]?.error).toEqual({ code: 'undefined', message: 'no such name', place: 'a.sls:3' })
    expect(plan.reactions.map(({ id, file: index }) => [id, index])).toEqual([['one', 4]])
  })

  it('puts a call that cannot run into the plan, with its reason', async () => {
    const plan = await maker()(event, [file('a.sls', { one: { 'runner.no.such': [] }, two: job('test.ping') })], 'v1')
    expect(plan.reactions.map(({ id, call }) => [id, call.kind])).toEqual([
      ['two', 'local'],
      ['one', 'refused'],
    ])
  })

  it('asks each question once for all files, and only one at a time', async () => {
    const asked: string[] = []
    const answers: Answers = {
      answer: async (question: Question): Promise<Value> => {
        asked.push(question.fun)
        return 1
      },
    }
    const files = [file('a.sls', '?x ?y {}'), file('b.sls', `?y ?x ${JSON.stringify({ one: job('test.ping') })}`)]
    const plan = await maker(answers)(event, files, 'v1')
    expect(asked).toEqual(['x', 'y'])
    expect(plan.reactions.length).toBe(1)
  })

  it('fails the file whose question is refused, and puts the event off where the answer may come later', async () => {
    const files = [file('a.sls', '?x {}'), file('b.sls', { one: job('test.ping') })]
    const refusing = maker({
      answer: async () => Promise.reject(new BrineError('cmd.run may not be asked', { code: 'not-read-only' })),
    })
    const plan = await refusing(event, files, 'v1')
    expect(plan.files.map(({ error }) => error?.code)).toEqual(['not-read-only', undefined])
    expect(plan.reactions.length).toBe(1)
    const busy = maker({ answer: async () => Promise.reject(new BrineError('busy', { code: 'busy' })) })
    await expect(busy(event, files, 'v1')).rejects.toThrow('busy')
  })

  it('ends a template that asks without end', async () => {
    const endless = createPlanMaker({
      render: (_file, _event, answers) => ({
        kind: 'need',
        key: String(answers.size),
        question: { fun: 'x', args: [], kwargs: {} },
      }),
      bind: createBinder({ signatures: () => undefined, expiresIn: 1 }),
      answers: nobody,
      clock: { now: () => 0, eventId: () => '', jid: () => '' },
      limits: defaultLoopLimits,
    })
    const plan = await endless(event, [file('a.sls', '')], 'v1')
    expect(plan.files[0]?.error?.code).toBe('questions')
  })

  it('refuses the file that loops, not its neighbour', async () => {
    const looped = [1, 2, 3].reduce<Event>((last) => ({ ...event, cause: causeOf(last, 'salt/*', 'a.sls') }), event)
    const files = [file('a.sls', { one: job('test.ping') }), file('b.sls', { two: job('test.ping') })]
    const plan = await maker()(looped, files, 'v1')
    expect(plan.files.map(({ error }) => error?.code)).toEqual(['loop-repeat', undefined])
    expect(plan.root).toBe('E1')
    expect(plan.reactions.map(({ id }) => id)).toEqual(['two'])
  })

  it('keeps 64 KiB of the text, whole characters', async () => {
    const long = `${JSON.stringify({ one: job('test.ping') })}${' '.repeat(65_400)}${'é'.repeat(100)}`
    const cutting = createPlanMaker({
      render: ({ text }) => ({ kind: 'rendered', document: {}, text }),
      bind: createBinder({ signatures: () => undefined, expiresIn: 1 }),
      answers: nobody,
      clock: { now: () => 0, eventId: () => '', jid: () => '' },
      limits: defaultLoopLimits,
    })
    const kept = (await cutting(event, [file('a.sls', long)], 'v1')).files[0]?.text ?? ''
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(65_536)
    expect(Buffer.byteLength(kept)).toBeGreaterThan(65_533)
    expect(long.startsWith(kept)).toBe(true)
  })
})
