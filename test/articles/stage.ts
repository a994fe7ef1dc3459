// The articles' stage: a lab whose shell knows our commands, a second terminal watching the bus, minions that can reboot.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareAsSubset } from '../golden/compare.ts'
import { type Json, maskEvents, type StreamEvent } from '../golden/mask.ts'
import { parsePretty } from '../golden/transcript.ts'
import { programPath } from '../system/built.ts'
import { createLab, type Lab, type LabOptions } from '../system/lab.ts'
import { type Background, type Ended, runProgram, startProgram } from '../system/process.ts'
import { waitFor } from '../system/wait.ts'

const COMMANDS = ['brine', 'brine-run', 'brine-call', 'brine-key']

/** A second terminal in which `state.event` runs. */
export interface Terminal {
  /** What it has printed. */
  text(): string
  /** Its events from a place on. */
  events(from?: number): StreamEvent[]
  /** Waits until the expected events have come, in their order, with at least their keys. */
  shows(expected: readonly StreamEvent[], from?: number): Promise<void>
  /** Where the next event will be. */
  mark(): number
  /** Interrupts it as Ctrl-C does; its exit code. */
  interrupt(): Promise<number>
}

/** A lab with a shell. */
export interface Stage extends Lab {
  /** Runs a line as typed, by a shell on whose PATH our commands are; `at` says on which minion, else on the master. */
  shell(line: string, options?: { at?: string; timeout?: number; stdin?: string }): Promise<Ended>
  /** The same in the background. */
  shellStart(name: string, line: string, at?: string): Background
  /** The second terminal, watching the master's bus or a minion's; it sees everything from now on. */
  terminal(at?: string): Promise<Terminal>
  /** Starts minions, has their keys accepted, waits for their start events. */
  join(...ids: readonly string[]): Promise<void>
  /** Waits until the fake `reboot` was run on the minion, and forgets it. */
  rebooted(id: string): Promise<void>
}

/** Sets the stage and starts the master. */
export async function setStage(options: LabOptions = {}): Promise<Stage> {
  const lab = await createLab({ tls: true, ...options })
  const bin = join(lab.root, 'bin')
  mkdirSync(bin)
  for (const name of COMMANDS) {
    chmodSync(programPath(name), 0o755)
    symlinkSync(programPath(name), join(bin, name))
  }
  // Stands for the real one, first on PATH: says in whose place it ran, does nothing.
  const reboot = `#!/bin/sh\ntouch "${lab.root}/rebooted.$(basename "$BRINE_CONFIG_DIR")"\n`
  for (const name of ['reboot', 'shutdown']) writeFileSync(join(bin, name), reboot, { mode: 0o755 })
  const path = `${bin}:${process.env.PATH ?? ''}`
  const environment = (at: string | undefined): Record<string, string> => ({
    BRINE_CONFIG_DIR: lab.etc,
    ...(at === undefined ? {} : lab.minionEnv(at)),
    PATH: path,
  })
  const stage: Stage = {
    ...lab,
    shell: (line, { at, timeout, stdin } = {}) =>
      runProgram('bash', ['-c', line], {
        cwd: lab.root,
        env: environment(at),
        ...(timeout === undefined ? {} : { timeout }),
        ...(stdin === undefined ? {} : { stdin }),
      }),
    shellStart: (name, line, at) =>
      startProgram('bash', ['-c', line], join(lab.root, 'logs', name), { cwd: lab.root, env: environment(at) }),
    startMinion: (id, config, env) => lab.startMinion(id, config, { ...env, PATH: path }),
    terminal: (at) => openTerminal(lab, at),
    async join(...ids) {
      const from = lab.mark()
      for (const id of ids) stage.startMinion(id)
      await Promise.all(
        ids.map(async (id) => {
          const asked = await lab.waitForEvent({ tag: 'salt/auth', has: { id }, from })
          if (JSON.stringify(asked.data).includes('"pend"')) await stage.shell(`brine-key -y -a '${id}'`)
          await lab.waitForEvent({ tag: `salt/minion/${id}/start`, from })
        }),
      )
    },
    async rebooted(id) {
      const mark = join(lab.root, `rebooted.${id}`)
      await waitFor(`the reboot of ${id}`, () => (existsSync(mark) ? true : undefined))
      rmSync(mark)
    },
  }
  await lab.startMaster()
  return stage
}

async function openTerminal(lab: Lab, at: string | undefined): Promise<Terminal> {
  const name = `terminal-${performance.now().toFixed(0)}`
  const watcher =
    at === undefined
      ? lab.start(name, 'brine-run', ['state.event', 'pretty=true'])
      : lab.start(name, 'brine-call', ['state.event', 'pretty=true'], lab.minionEnv(at))
  const text = () => watcher.stdout()
  // Until it sees something it may not be watching yet; a probe shows it.
  await waitFor(
    () => `the terminal to see a probe; it said ${watcher.stderr()}`,
    async () => {
      if (at === undefined) await lab.connection().fire('probe', {})
      else await lab.run('brine-call', ['event.fire', '{}', 'probe'], { env: lab.minionEnv(at) })
      return text().includes('probe\t') ? true : undefined
    },
  )
  const events = (from = 0) => parsePretty(text()).slice(from)
  const place = { root: lab.root }
  return {
    text,
    events,
    mark: () => events().length,
    async shows(expected, from = 0) {
      const wanted = maskEvents(expected, place)
      let differences: readonly string[] = []
      await waitFor(
        () => `the terminal to show it: ${differences.join('; ')}\nIt shows:\n${text().slice(-6000)}`,
        () => {
          differences = compareAsSubset(wanted, maskEvents(events(from), place))
          return differences.length === 0 ? true : undefined
        },
      )
    },
    interrupt: () => watcher.stop('SIGINT'),
  }
}

/** An event as an article prints it. */
export function event(tag: string, data: Json): StreamEvent {
  return { tag, data }
}

/** A job id for expected events: the masks see only what it is the id of. */
export const JID = '20200807165432241482'
/** Another one. */
export const JID2 = '20200807174414299104'

/** The events of a job as an article prints them: the bare jid, `/new`, and a return a minion. */
export function jobEvents(
  fun: string,
  minions: readonly string[],
  more: { arg?: readonly Json[]; tgt?: Json; tgt_type?: string; ret?: { readonly [key: string]: Json } } = {},
): StreamEvent[] {
  const arg = more.arg ?? []
  const target = { tgt: more.tgt ?? minions[0] ?? '', tgt_type: more.tgt_type ?? 'glob' }
  return [
    event(JID, { minions }),
    event(`salt/job/${JID}/new`, { arg, fun, jid: JID, minions, missing: [], ...target }),
    ...minions.map((id) => event(`salt/job/${JID}/ret/${id}`, { cmd: '_return', fun, id, jid: JID, ...more.ret })),
  ]
}

/** What a file of the stage holds, or an empty text. */
export function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
