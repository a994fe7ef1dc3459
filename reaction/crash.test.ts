// Kills the reactor at every await and starts it again: what was promised must hold whatever the moment.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BrineError } from '../core/error.ts'
import type { Event } from '../core/event/event.ts'
import type { Chunk } from '../core/sls/chunk.ts'
import { readiness } from '../core/sls/requisite.ts'
import { get, type Mapping } from '../core/value/index.ts'
import { defaultReactorOptions } from './engine.ts'
import { defaultLoopLimits } from './limits.ts'
import { createPlanMaker } from './make-plan.ts'
import { createMemoryLedger, emptyLedgerMemory } from './memory-ledger.ts'
import { reactionKey } from './plan.ts'
import type { Clock, Delivery, Executor, Ledger, Settlement, Started } from './ports.ts'
import { createReactor } from './react.ts'
import { createReactorSet } from './reactor-set.ts'

/** One reaction of a generated SLS file, in words the fake executor understands. */
interface Step {
  readonly type: 'local' | 'runner'
  /** `once` may run once, `again` as often as needed; `bad` ends without success. */
  readonly fun: 'once' | 'again' | 'bad'
  readonly needs: readonly number[]
}

interface Scenario {
  readonly events: readonly (readonly Step[])[]
  readonly seed: number
  /** After how many steps of a process it dies; processes beyond the list live. */
  readonly deaths: readonly number[]
  /** How often a start finds the store busy, or its jid taken, out of 100. */
  readonly trouble: number
  /** Whether the owner's earlier leases are void, or have to run out. */
  readonly oneProcess: boolean
  /** Reactors that share the queue; with more than one, leases run out while their reactions run. */
  readonly workers: number
}

const crashed = Symbol('crashed')

class World {
  readonly scenario: Scenario
  readonly memory = emptyLedgerMemory()
  readonly jobs = new Map<string, string>()
  readonly runs = new Map<string, number>()
  readonly notices = new Map<string, Mapping>()
  readonly first = new Map<string, string>()
  readonly queue = new Map<string, { event: Event; attempt: number; at: number }>()
  readonly dead = new Map<string, string>()
  readonly faults: string[] = []
  now = 1_700_000_000_000_000
  steps = 0
  #random: number

  constructor(scenario: Scenario) {
    this.scenario = scenario
    this.#random = scenario.seed
    for (const index of scenario.events.keys()) {
      const id = `0123456789EVENT${String(index).padStart(11, '0')}`
      this.queue.set(id, { event: { id, tag: `t/${index}`, data: {}, source: 'custom' }, attempt: 0, at: 0 })
    }
  }

  /** 0 up to 1, the same for the same seed (mulberry32). */
  readonly random = (): number => {
    this.#random = (this.#random + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#random ^ (this.#random >>> 15), 1 | this.#random)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** The files change with every boot. */
  readonly reactors = (boot: number): ReturnType<typeof createReactorSet> =>
    createReactorSet({
      version: `v${boot}`,
      entries: this.scenario.events.map((_, index) => ({ glob: `t/${index}`, files: [`f${index}.sls`, 'bad.sls'] })),
      files: [
        ...this.scenario.events.map((steps, index) => ({
          reference: `f${index}.sls`,
          name: `f${index}.sls`,
          text: JSON.stringify(documentOf(steps, boot)),
        })),
        { reference: 'bad.sls', name: 'bad.sls', text: '{' },
      ],
    })
}

function documentOf(steps: readonly Step[], boot: number): Record<string, unknown> {
  const ids = steps.map(({ type, fun, needs }, index) => {
    const require = needs.map((need) => ({ [steps[need]?.type ?? 'local']: `id${need}b${boot}` }))
    return [
      `id${index}b${boot}`,
      { [`${type}.test.${fun}`]: [{ tgt: '*' }, ...(require.length > 0 ? [{ require }] : [])] },
    ]
  })
  return Object.fromEntries(ids)
}

/** One life of the reactor: every port call is two steps, and from the fatal step on nothing answers any more. */
async function live(world: World, boot: number): Promise<void> {
  let left = world.scenario.deaths[boot] ?? Number.POSITIVE_INFINITY
  let die: (reason: typeof crashed) => void = () => undefined
  const death = new Promise<typeof crashed>((resolve) => {
    die = resolve
  })
  const step = async (): Promise<void> => {
    world.steps++
    if (left-- <= 0) {
      die(crashed)
      await new Promise(() => undefined)
    }
    if (world.scenario.workers > 1 && world.random() < 0.03) world.now += 400_000_000
    for (let turns = Math.floor(world.random() * 4); turns > 0; turns--) await Promise.resolve()
  }
  const around = async <T>(call: () => Promise<T>): Promise<T> => {
    await step()
    const answer = await call()
    await step()
    return answer
  }
  const inner = createMemoryLedger(world.memory, { oneProcess: world.scenario.oneProcess })
  const ledger: Ledger = {
    storePlans: (plans, lease) => around(() => inner.storePlans(plans, lease)),
    plan: (event) => around(() => inner.plan(event)),
    claim: (requests, lease) => around(() => inner.claim(requests, lease)),
    write: (writes) => around(() => inner.write(writes)),
    entries: (event) => inner.entries(event),
    openWindows: (requests) => around(() => inner.openWindows(requests)),
    reopen: (event) => inner.reopen(event),
  }
  const clock = clockOf(world)
  const makePlan = createPlanMaker({
    clock,
    limits: defaultLoopLimits,
    render: ({ text }, _event, answers) => {
      if (text === '{') throw new BrineError('it does not parse; close the brace', { code: 'yaml' })
      if (text.includes('id1') && !answers.has('q')) {
        return { kind: 'need', key: 'q', question: { fun: 'test.ping', args: [], kwargs: {} } }
      }
      return { kind: 'rendered', document: JSON.parse(text), text }
    },
    bind: ({ type, fun, low }: Chunk) => {
      const common = { fun, arg: [], kwarg: {} }
      if (type === 'runner') return { call: { kind: 'runner', ...common }, warnings: [] }
      const tgt = get(low, 'tgt') ?? ''
      return { call: { kind: 'local', tgt, tgtType: 'glob', ret: '', expiresIn: 3600, ...common }, warnings: [] }
    },
    answers: { answer: () => around(async () => true) },
  })
  const reactorOf = (worker: number) =>
    createReactor({
      ledger,
      clock,
      makePlan,
      executor: executorOf(world, step),
      timer: { sleep: async () => step(), every: () => () => undefined },
      random: world.random,
      warn: () => undefined,
      fire: (...notices) =>
        around(async () => {
          for (const { id, data } of notices) world.notices.set(id, data)
        }),
      options: { ...defaultReactorOptions, owner: `p${worker}#${boot}` },
    })
  const reactors = Array.from({ length: world.scenario.workers }, (_, worker) => reactorOf(worker))
  const work = async (): Promise<void> => {
    while (world.queue.size > 0) {
      const ready = [...world.queue.values()].filter(({ at }) => at <= world.now)
      if (ready.length === 0) world.now = Math.min(...[...world.queue.values()].map(({ at }) => at))
      const batches = [...reactors, ...reactors].map(({ react }) => ({
        react,
        batch: ready.filter(() => world.random() < 0.7),
      }))
      await Promise.all(batches.map(({ react, batch }) => deliver(world, react, batch, boot, step)))
    }
  }
  await Promise.race([work(), death])
}

async function deliver(
  world: World,
  react: ReturnType<typeof createReactor>['react'],
  batch: readonly { event: Event; attempt: number }[],
  boot: number,
  step: () => Promise<void>,
): Promise<void> {
  const deliveries = batch.map((item): Delivery => {
    item.attempt++
    return { event: item.event, attempt: item.attempt }
  })
  const answers = await react(deliveries, world.reactors(boot))
  for (const [id, settlement] of answers) {
    await step()
    apply(world, id, settlement)
  }
}

function apply(world: World, id: string, settlement: Settlement): void {
  const item = world.queue.get(id)
  if (item === undefined) return
  if (settlement.kind === 'later') item.at = settlement.at
  else world.queue.delete(id)
  if (settlement.kind === 'dead') world.dead.set(id, settlement.reason)
}

function clockOf(world: World): Clock {
  const tick = (): number => ++world.now
  return { now: tick, eventId: () => String(tick()), jid: () => String(tick()) }
}

function executorOf(world: World, step: () => Promise<void>): Executor {
  return {
    isIdempotent: ({ fun }) => fun.endsWith('again'),
    async start(reaction, { event, jid }): Promise<Started> {
      const key = reactionKey(event.id, reaction.ordinal)
      const judged = readiness(reaction.requisites, (ordinal) => {
        const ending = world.memory.entries.get(reactionKey(event.id, ordinal))?.ending
        if (ending === undefined) return 'open'
        return ending.state === 'done' && ending.success !== false ? 'well' : 'badly'
      })
      const planned = world.memory.plans.get(event.id)?.plan.reactions[reaction.ordinal]
      if (JSON.stringify(planned) !== JSON.stringify(reaction)) world.faults.push(`${key} is not as it is stored`)
      if (judged.kind !== 'ready') world.faults.push(`${key} started while ${judged.kind}`)
      await step()
      const luck = world.random() * 100
      if (luck < world.scenario.trouble) {
        if (luck * 3 < world.scenario.trouble) return { kind: 'retry', reason: 'busy' }
        if (luck * 1.5 < world.scenario.trouble) throw new BrineError('busy; try later', { code: 'busy' })
        if (!world.jobs.has(jid)) world.jobs.set(jid, 'somebody else')
      }
      const success = !reaction.fun.endsWith('bad')
      if (reaction.call.kind === 'local') {
        const owner = world.jobs.get(jid)
        if (owner !== undefined && owner !== key) return { kind: 'jid-taken' }
        world.jobs.set(jid, key)
        await step()
        return { kind: 'started', ended: Promise.resolve({ state: 'done', success }) }
      }
      world.runs.set(key, (world.runs.get(key) ?? 0) + 1)
      const ended = step().then(() => ({ state: 'done', success }) as const)
      return { kind: 'started', ended }
    },
  }
}

async function play(scenario: Scenario): Promise<World> {
  const world = new World(scenario)
  for (let boot = 0; world.queue.size > 0; boot++) {
    await live(world, boot)
    for (const [id, { plan }] of world.memory.plans) {
      const text = JSON.stringify(plan)
      if (world.first.has(id)) expect(text).toBe(world.first.get(id))
      world.first.set(id, text)
    }
    if (!scenario.oneProcess) world.now += 1_000_000
    for (const item of world.queue.values()) if (scenario.oneProcess) item.at = Math.min(item.at, world.now)
  }
  return world
}

function judge(world: World): void {
  expect(world.faults).toEqual([])
  const jobsOf = new Map<string, number>()
  for (const key of world.jobs.values()) jobsOf.set(key, (jobsOf.get(key) ?? 0) + 1)
  expect(world.memory.plans.size).toBe(world.scenario.events.length)
  for (const [id, { plan }] of world.memory.plans) {
    expect(plan.files.map(({ error }) => error?.code)).toEqual([undefined, 'yaml'])
    expect(plan.reactions.length).toBe(world.scenario.events[Number(id.slice(-11))]?.length)
    let told = 1
    for (const reaction of plan.reactions) {
      const key = reactionKey(id, reaction.ordinal)
      const ending = world.memory.entries.get(key)?.ending
      const runs = world.runs.get(key) ?? 0
      const jobs = jobsOf.get(key) ?? 0
      expect(ending, key).toBeDefined()
      if (ending?.state === 'failed' || ending?.state === 'interrupted') told++
      if (ending?.state === 'skipped') expect(jobs, key).toBe(0)
      if (reaction.call.kind === 'local') {
        expect(ending?.state, key).not.toBe('interrupted')
        if (ending?.state === 'failed') expect(jobs, key).toBeLessThanOrEqual(1)
        else expect(jobs, key).toBe(ending?.state === 'done' ? 1 : 0)
      } else if (reaction.fun.endsWith('again')) {
        expect(ending?.state, key).not.toBe('interrupted')
        if (ending?.state === 'done') expect(runs, key).toBeGreaterThanOrEqual(1)
      } else {
        expect(runs, key).toBeLessThanOrEqual(1)
        if (ending?.state === 'done') expect(runs, key).toBe(1)
      }
    }
    const notices = [...world.notices.values()].filter(({ event }) => event === id)
    expect(notices.length).toBe(told)
    expect(world.dead.has(id)).toBe(
      plan.reactions.some(
        ({ ordinal }) => world.memory.entries.get(reactionKey(id, ordinal))?.ending?.state === 'failed',
      ),
    )
  }
}

const stepArbitrary = (index: number): fc.Arbitrary<Step> =>
  fc.record({
    type: fc.constantFrom('local', 'runner'),
    fun: fc.constantFrom('once', 'again', 'bad'),
    needs: index === 0 ? fc.constant([]) : fc.uniqueArray(fc.nat({ max: index - 1 }), { maxLength: 2 }),
  })

const eventArbitrary = fc
  .nat({ max: 5 })
  .chain((size) => fc.tuple(...Array.from({ length: size + 1 }, (_, index) => stepArbitrary(index))))

const scenarioArbitrary: fc.Arbitrary<Scenario> = fc.record({
  events: fc.array(eventArbitrary, { minLength: 1, maxLength: 5 }),
  seed: fc.integer(),
  deaths: fc.array(fc.nat({ max: 60 }), { maxLength: 6 }),
  trouble: fc.constantFrom(0, 30, 90),
  oneProcess: fc.boolean(),
  workers: fc.constant(1),
})

describe('a reactor that dies at any moment', () => {
  const fixed: Scenario = {
    events: [
      [
        { type: 'local', fun: 'once', needs: [] },
        { type: 'runner', fun: 'once', needs: [0] },
        { type: 'runner', fun: 'again', needs: [1] },
        { type: 'local', fun: 'once', needs: [2] },
      ],
      [
        { type: 'runner', fun: 'bad', needs: [] },
        { type: 'local', fun: 'once', needs: [0] },
      ],
    ],
    seed: 7,
    deaths: [],
    trouble: 0,
    oneProcess: true,
    workers: 1,
  }

  it('keeps its promises when killed at each step in turn', async () => {
    const { steps } = await play(fixed)
    for (const oneProcess of [true, false]) {
      for (let death = 0; death < steps; death++) judge(await play({ ...fixed, oneProcess, deaths: [death] }))
    }
    expect(steps).toBeGreaterThan(30)
  })

  it('keeps its promises through any deaths, duplicates and busy stores', async () => {
    await fc.assert(
      fc.asyncProperty(scenarioArbitrary, async (scenario) => judge(await play(scenario))),
      { numRuns: 400 },
    )
  })

  it('keeps them with three workers on one queue whose leases run out', async () => {
    const several = scenarioArbitrary.map((scenario) => ({ ...scenario, oneProcess: false, workers: 3 }))
    await fc.assert(
      fc.asyncProperty(several, async (scenario) => judge(await play(scenario))),
      { numRuns: 300 },
    )
  })
})
