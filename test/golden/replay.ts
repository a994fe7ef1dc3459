// Replays the recorded scenario with our programs and says of each transcript whether it came out equal.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lab } from '../system/lab.ts'
import type { Background, Ended } from '../system/process.ts'
import { waitFor } from '../system/wait.ts'
import { compareOutput, compareStreams, type Differences } from './compare.ts'
import { type Exception, exceptionOf } from './exceptions.ts'
import { type Json, maskEvents, maskOutput, type Place, type StreamEvent } from './mask.ts'
import type { Argv, During, Step } from './scenario.ts'
import {
  type EventsTranscript,
  isPrettyPrinted,
  type Outcome,
  parsePretty,
  parseRaw,
  readCommand,
  readEvents,
  readReaction,
} from './transcript.ts'

/** How one transcript came out. */
export interface Verdict {
  readonly transcript: string
  readonly differences: Differences
  readonly exception?: Exception | undefined
}

/** Where the transcripts were recorded. */
const SALT: Place = { root: '/srv/lab' }
/** Milliseconds a stream may take to become what it should be, and to show that nothing more comes. */
const PATIENCE = 30_000
const QUIET = 250
/** What may differ is not waited for as long. */
const LESS_PATIENCE = 700
/** Commands that later steps build on. */
const CHANGES = /^salt-key .*-[aAdDrR]\b|^salt-run reactor\.(add|delete)/

const PROGRAMS = { salt: 'brine', 'salt-run': 'brine-run', 'salt-key': 'brine-key', 'salt-call': 'brine-call' } as const

/** Our program and its arguments for Salt's. `$JID` is the jid of the last `job` step. */
export function translate([program, ...args]: Argv, jid: string): readonly [program: string, args: readonly string[]] {
  return [PROGRAMS[program], args.map((arg) => arg.replace('$JID', jid))]
}

/** Replays steps one after the other; yields a verdict for each whose transcript is there. */
export async function* replay(lab: Lab, goldens: string, steps: readonly Step[]): AsyncGenerator<Verdict> {
  const player = new Player(lab, goldens)
  for (const step of steps) {
    const verdict = await player.play(step)
    if (verdict !== undefined) yield verdict
  }
}

class Player {
  readonly #lab: Lab
  readonly #goldens: string
  #jid = ''

  constructor(lab: Lab, goldens: string) {
    this.#lab = lab
    this.#goldens = goldens
  }

  async play(step: Step): Promise<Verdict | undefined> {
    switch (step.kind) {
      case 'command':
        return this.#command(step)
      case 'events':
        return this.#events(step)
      case 'one-event':
        return this.#oneEvent(step)
      case 'reaction':
        return this.#reaction(step)
      default:
        await this.#during(step, this.#lab.mark(), {})
        return undefined
    }
  }

  #run(argv: Argv, more: { stdin?: string | undefined; env?: Readonly<Record<string, string>> } = {}): Promise<Ended> {
    const [program, args] = translate(argv, this.#jid)
    const env = program === 'brine-call' ? this.#lab.minionEnv('web-asg-1') : {}
    const stdin = more.stdin === undefined ? {} : { stdin: more.stdin }
    return this.#lab.run(program, args, { ...stdin, env: { COLUMNS: '120', ...env, ...more.env } })
  }

  async #command(step: Step & { kind: 'command' }): Promise<Verdict | undefined> {
    const golden = readCommand(this.#goldens, step.name)
    if (golden === undefined && !CHANGES.test(step.argv.join(' '))) return undefined
    const attempt = async () => this.#compare(golden, await this.#run(step.argv, { stdin: step.stdin }))
    // What is told where no attempt is right is the first one's: the later ones may come too late.
    const first = await attempt()
    let differences = first
    const end = performance.now() + PATIENCE
    while (step.retry === true && differences.length > 0 && performance.now() < end) {
      await sleep(200)
      differences = await attempt()
    }
    if (differences.length > 0) differences = first
    return golden === undefined ? undefined : verdictOf('cli', step, differences)
  }

  #compare(golden: Partial<Outcome> | undefined, ours: Ended): Differences {
    if (golden === undefined) return []
    const place: Place = { root: this.#lab.root }
    const differences =
      golden.exit === undefined || golden.exit === ours.exit ? [] : [`exit ${ours.exit}, expected ${golden.exit}`]
    for (const stream of ['stdout', 'stderr'] as const) {
      if (golden[stream] === undefined) continue
      const found = compareOutput(maskOutput(golden[stream], SALT), maskOutput(ours[stream], place))
      differences.push(...found.map((line) => `${stream}: ${line}`))
    }
    return differences
  }

  async #events(step: Step & { kind: 'events' }): Promise<Verdict | undefined> {
    const golden = readEvents(this.#goldens, step.name)
    const watchers = await this.#startWatchers(step.tag)
    const from = this.#lab.mark()
    const outputs: (Ended | undefined)[] = []
    for (const part of step.during) outputs.push(await this.#during(part, from, step.env ?? {}))
    const differences =
      golden === undefined ? [] : await this.#compareStreams(golden, watchers, patienceOf('events', step))
    await Promise.all(watchers.map((watcher) => watcher.stop('SIGINT')))
    if (golden === undefined) return undefined
    // Steps of the recording without output (a daemon started) have no exit code.
    const typed = golden.steps.filter((output) => output.exit !== undefined)
    const ours = outputs.filter((output) => output !== undefined)
    const told = typed.flatMap((output, index) => {
      const mine = ours[index]
      return mine === undefined ? ['a command was not run'] : this.#compare(output, mine)
    })
    return verdictOf('events', step, [...differences, ...told])
  }

  /** Both watchers, once an event shows that they see the bus. */
  async #startWatchers(tag: string | undefined): Promise<readonly [pretty: Background, raw: Background]> {
    const name = `watch-${this.#lab.mark()}-${performance.now().toFixed(0)}`
    const args = ['state.event', ...(tag === undefined ? [] : [tag])]
    const pretty = this.#lab.start(`${name}-pretty`, 'brine-run', [...args, 'pretty=True'])
    const raw = this.#lab.start(`${name}-raw`, 'brine-run', args)
    const probe = tag?.replaceAll('*', 'probe').replaceAll('?', 'x') ?? 'probe'
    await waitFor(
      () => `the watchers; they said ${pretty.stderr()}${raw.stderr()}`,
      async () => {
        await this.#lab.connection().fire(probe, { probe: true })
        await sleep(50)
        return [pretty, raw].every((watcher) => watcher.stdout().includes(`${probe}\t`)) ? true : undefined
      },
    )
    return [pretty, raw]
  }

  /** Compares until both streams are equal and stay so, or patience ends. */
  async #compareStreams(
    golden: EventsTranscript,
    [pretty, raw]: readonly [Background, Background],
    patience: number,
  ): Promise<Differences> {
    const look = () => [
      ...this.#difference(golden.pretty, parsePretty(pretty.stdout())).map((line) => `pretty: ${line}`),
      ...this.#difference(golden.raw, parseRaw(raw.stdout())).map((line) => `raw: ${line}`),
      ...(isPrettyPrinted(pretty.stdout()) ? [] : ['pretty: not printed as Python prints']),
    ]
    return settle(look, patience)
  }

  #difference(golden: readonly StreamEvent[], ours: readonly StreamEvent[]): Differences {
    const own = ours.filter(({ data }) => !isProbe(data))
    return compareStreams(maskEvents(golden, SALT), maskEvents(own, { root: this.#lab.root }))
  }

  async #oneEvent(step: Step & { kind: 'one-event' }): Promise<Verdict | undefined> {
    const [program, args] = translate(step.argv, this.#jid)
    const watcher = this.#lab.start(`one-${step.name}`, program, args)
    await waitFor(`${step.name} to end`, async () => {
      if (watcher.exit() === undefined) await this.#lab.connection().fire(step.fire, { a: 1 })
      await sleep(50)
      return watcher.exit() === undefined ? undefined : true
    })
    const golden = readCommand(this.#goldens, step.name)
    if (golden === undefined) return undefined
    const ended: Ended = { exit: await watcher.ended, stdout: watcher.stdout(), stderr: '', milliseconds: 0 }
    return verdictOf('cli', step, this.#compare({ exit: golden.exit, stdout: golden.stdout }, ended))
  }

  async #reaction(step: Step & { kind: 'reaction' }): Promise<Verdict | undefined> {
    const golden = readReaction(this.#goldens, step.name)
    const from = this.#lab.mark()
    await this.#lab.connection().fire(step.tag, { ...step.data } as Record<string, string>)
    const look = () => {
      const ours = this.#lab.events.slice(from).map(({ tag, data }) => ({ tag, data: plain(data) }))
      return golden === undefined
        ? []
        : compareStreams(maskEvents(golden, SALT), maskEvents(ours, { root: this.#lab.root }))
    }
    const differences = await settle(look, patienceOf('reactor', step))
    return golden === undefined ? undefined : verdictOf('reactor', step, differences)
  }

  async #during(part: During, from: number, env: Readonly<Record<string, string>>): Promise<Ended | undefined> {
    switch (part.kind) {
      case 'type':
        return this.#run(part.argv, { env })
      case 'start': {
        const mark = this.#lab.mark()
        this.#lab.startMinion(part.minion, `grains:\n  role: ${part.minion === 'db1' ? 'db' : 'web'}\n  env: prod\n`)
        const tag = part.until === 'join' ? `salt/minion/${part.minion}/start` : 'salt/auth'
        await this.#lab.waitForEvent({ tag, has: { id: part.minion }, from: mark })
        return undefined
      }
      case 'stop':
        await this.#lab.stopMinion(part.minion)
        return undefined
      case 'await':
        await this.#lab.waitForEvent({ ...part, from })
        return undefined
      case 'job':
        this.#jid = (await this.#run(part.argv)).stdout.trim().split(/\s+/).at(-1) ?? ''
        return undefined
      case 'job-done':
        await this.#lab.waitForEvent({ tag: `salt/job/${this.#jid}/ret/*` })
        return undefined
    }
  }
}

/** Looks until nothing differs and, a little later, still nothing does; the last look's differences where patience ends. */
async function settle(look: () => Differences, patience: number): Promise<Differences> {
  const end = performance.now() + patience
  for (;;) {
    const differences = look()
    if (differences.length === 0) {
      await sleep(QUIET)
      const again = look()
      if (again.length === 0) return again
    }
    if (performance.now() > end) return differences
    await sleep(50)
  }
}

function verdictOf(folder: string, step: Step & { name: string }, differences: Differences): Verdict {
  return { transcript: `${folder}/${step.name}`, differences, exception: exceptionOf(folder, step.name) }
}

function patienceOf(folder: string, step: Step & { name: string }): number {
  return exceptionOf(folder, step.name) === undefined ? PATIENCE : LESS_PATIENCE
}

function isProbe(data: Json): boolean {
  return typeof data === 'object' && data !== null && 'probe' in data
}

/** An event's data as a stream would have printed it. */
export function plain(data: unknown): Json {
  return JSON.parse(JSON.stringify(data instanceof Map ? Object.fromEntries(data) : data))
}

/** The lab's master configuration: salt-lab/etc/master, less its ports and places, which ours has of its own. */
export function masterLines(saltLab: string): string {
  const lines = readFileSync(join(saltLab, 'etc/master/master'), 'utf8')
  const own =
    /^(interface|publish_port|ret_port|user|root_dir|pki_dir|cachedir|sock_dir|pidfile|log_\w+|default_include|worker_threads|enable_ssh_minions|api_\w+):.*\n/gm
  const nested = /^(file_roots|pillar_roots|rest_cherrypy):\n(?: +.*\n)+/gm
  // Only how long a minion that is down is waited for; 5 seconds each when it was recorded.
  const shorter = /^(timeout|gather_job_timeout): 5$/gm
  return lines.replace(own, '').replace(nested, '').replace(shorter, '$1: 2')
}

/** The lab's reactor.conf; its first entries were added after the commands were recorded, and before the reactions were. */
export function reactorLines(saltLab: string, during: 'commands' | 'reactions'): string {
  const text = readFileSync(join(saltLab, 'etc/master/master.d/reactor.conf'), 'utf8')
  if (during === 'reactions') return text
  const entries = text.split(/^(?= {2}- ')/m)
  const added = /'lab\/(loss|r\/local_kw|r\/multi|r\/unknown_chain)'/
  return entries.filter((entry) => !added.test(entry)).join('')
}
