// A minion made of texts, for tests: its SLS files, its facts, the `test` states, and checks that ask nobody.
import { renderSls, SALT_FUNCTIONS, yamlTools } from '../render/index.ts'
import type { Nodegroups } from '../target/index.ts'
import type { Mapping, Value } from '../value/index.ts'
import type { CallWorld } from './call.ts'
import type { Checks } from './check.ts'
import { type CompiledHigh, compileHigh } from './compile-low.ts'
import { type HighWorld, renderHigh, type SlsMatches } from './render-high.ts'
import type { StateResult } from './result.ts'
import { type RunWatch, runHere } from './run-here.ts'
import { newRun, type RunOptions } from './run-state.ts'
import { stateContext } from './state-context.ts'
import type { SlsFile, StateFiles } from './state-files.ts'
import type { StateFunction } from './state-function.ts'
import { testStates } from './test-states.ts'
import { matchTop, readTop, type Top, type TopOptions } from './top.ts'

/** What a sample minion is made of. */
export interface SampleOptions {
  /** Path → text; a path in another environment than base is `env:path`. */
  readonly files: Readonly<Record<string, string>>
  readonly id?: string
  readonly grains?: Mapping
  readonly pillar?: Mapping
  readonly nodegroups?: Nodegroups
  /** Besides the `test` states. */
  readonly states?: Readonly<Record<string, StateFunction>>
  /** @default `true` succeeds, every other command fails; `test.false` says no, every other function yes; no file exists */
  readonly checks?: Checks
}

const ENVIRONMENTS = ['base', 'dev']

const CHECKS: Checks = {
  retcode: async (command) => (command === 'true' ? 0 : 1),
  call: async (fun) => ({ value: fun !== 'test.false' }),
  exists: async () => false,
}

/** A minion that renders, compiles and runs what it is made of; its clock stands still. */
export class SampleMinion {
  readonly #options: SampleOptions
  readonly #states: Readonly<Record<string, StateFunction>>

  constructor(options: SampleOptions) {
    this.#options = options
    this.#states = { ...testStates({ pillar: () => this.#pillar, random: () => 0 }), ...options.states }
  }

  get #pillar(): Mapping {
    return this.#options.pillar ?? {}
  }

  /** What rendering needs. */
  get world(): HighWorld {
    return { files: this.#files, render: (file) => this.#render(file) }
  }

  /** What calling a state needs. */
  get calls(): CallWorld {
    return {
      states: (name) => this.#state(name),
      checks: this.#options.checks ?? CHECKS,
      clock: { now: () => 0, timeOfDay: () => '12:00:00.000000', sleep: async () => undefined, random: () => 0 },
    }
  }

  /** The merged top file, and what of it is for this minion. */
  top(options: TopOptions = {}): { readonly top: Top; readonly matches: SlsMatches } {
    const top = readTop(this.world, options)
    const minion = { id: this.#options.id ?? 'minion01', grains: this.#options.grains ?? {}, pillar: this.#pillar }
    const hasEnvironment = (env: string) => ENVIRONMENTS.includes(env)
    const given = { minion, hasEnvironment, nodegroups: this.#options.nodegroups ?? {} }
    const saltenv = options.saltenv === undefined ? {} : { saltenv: options.saltenv }
    return { top, matches: matchTop(top, { ...given, ...saltenv }) }
  }

  /** Renders and compiles; by default the file `t.sls` of base. */
  compile(matches: SlsMatches = new Map([['base', ['t']]])): CompiledHigh {
    const { high, errors } = renderHigh(matches, this.world)
    if (errors.length > 0) return { kind: 'errors', high, errors }
    return compileHigh(high, { has: (fun) => this.#state(fun) !== undefined })
  }

  /** Compiles and runs `t.sls`; what does not compile is a rejection. */
  async run(
    options: RunOptions = { mode: 'sequential' },
    watch: RunWatch = {},
  ): Promise<Readonly<Record<string, StateResult>>> {
    const compiled = this.compile()
    if (compiled.kind === 'errors') throw new Error(compiled.errors.join('\n'))
    return runHere(compiled.plan, newRun(options), this.calls, watch)
  }

  #state(name: string): StateFunction | undefined {
    return Object.hasOwn(this.#states, name) ? this.#states[name] : undefined
  }

  get #files(): StateFiles {
    const named = Object.entries(this.#options.files).map(([path, text]) => [
      path.includes(':') ? path : `base:${path}`,
      text,
    ])
    const texts = new Map(named as [string, string][])
    return {
      environments: () => ENVIRONMENTS,
      paths: (env) =>
        [...texts.keys()].filter((key) => key.startsWith(`${env}:`)).map((key) => key.slice(env.length + 1)),
      read: (path, env) => texts.get(`${env}:${path}`),
    }
  }

  #render(file: SlsFile): Value {
    const facts = { grains: this.#options.grains ?? {}, pillar: this.#pillar, opts: {} }
    const environment = {
      context: stateContext(file, facts),
      files: (path: string) => this.#files.read(path.replace(/^salt:\/\//, ''), file.env),
      yaml: yamlTools,
      salt: { pure: SALT_FUNCTIONS },
    }
    return renderSls({ name: `salt://${file.path}`, text: file.text }, environment).document
  }
}
