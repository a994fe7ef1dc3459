// Which state runs of this minion are to wait, or to end, before their next state: a file for each run that is.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { parseJson, stringifyJson } from '../../core/value/json.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { writeWhole } from '../filesystem/write.ts'
import { integerOf } from '../modules/arguments.ts'
import type { Call } from '../modules/module.ts'

/** What holds for any state of a run. */
const any = '__all__'

/** What is said of a run's states, by their IDs: `duration` in seconds, `kill`. */
export type Pauses = Readonly<Record<string, Mapping>>

/**
 * Pauses are told between processes: `brine-call state.pause` holds a run of the minion, and the other way round.
 *
 * INVARIANTS
 * - a run without a file is not held; one whose file cannot be read goes on.
 */
class StatePauses {
  readonly #folder: string

  constructor(cachedir: Value) {
    this.#folder = join(pythonStr(cachedir), 'state_pause')
  }

  /** The runs of which something is said. */
  jids(): string[] {
    try {
      return readdirSync(this.#folder).sort()
    } catch {
      return []
    }
  }

  async read(jid: string): Promise<Pauses> {
    const text = await readTextIfThere(this.#path(jid))
    const value = text === undefined || text === '' ? {} : parseJson(text)
    const pairs = Object.entries(isMapping(value) ? value : {})
    return Object.fromEntries(pairs.map(([id, said]) => [id, isMapping(said) ? said : {}]))
  }

  async hold(jid: string, id: string | null, said: Mapping): Promise<void> {
    const all = await this.read(jid)
    await this.#write(jid, { ...all, [id ?? any]: { ...all[id ?? any], ...said } })
  }

  /** Lets it go on; all of it where no ID is named. */
  async release(jid: string, id: string | null): Promise<void> {
    const all = await this.read(jid)
    const left = Object.entries(all).filter(([key]) => id !== null && key !== id)
    await this.#write(jid, Object.fromEntries(left))
  }

  forget(jid: string): void {
    rmSync(this.#path(jid), { force: true })
  }

  /** What is to be done with a state of a run now; undefined: wait. `waited` are seconds. */
  async verdict(jid: string, id: string, waited: number): Promise<'run' | 'stop' | undefined> {
    const all = await this.read(jid).catch((): Pauses => ({}))
    const said = all[id] ?? all[any]
    if (said === undefined) return 'run'
    if (said.kill === true) return 'stop'
    return said.duration !== undefined && waited > integerOf(said.duration) ? 'run' : undefined
  }

  async #write(jid: string, all: Pauses): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    await writeWhole(this.#path(jid), stringifyJson({ ...all }), { mode: '0600' })
  }

  /** A jid is digits; nothing else may lead out of the folder. */
  #path(jid: string): string {
    return join(this.#folder, jid.replaceAll(/[^\w-]/g, '_'))
  }
}

/** Those of this minion. */
export const pausesOf = ({ agent }: Call): StatePauses => new StatePauses(agent.opts.cachedir ?? '')
