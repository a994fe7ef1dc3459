// A configuration in a directory of its own, for the agent's tests.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseMinionConfig } from '../core/config/index.ts'
import { type Log, type Outside, systemOutside } from './outside.ts'
import type { AgentSetup } from './settings.ts'

/** A setup, what is logged, and how to get rid of it. */
export interface FakeSetup {
  readonly setup: AgentSetup
  readonly outside: Outside
  readonly root: string
  readonly said: string[]
  remove(): Promise<void>
}

/** Minion `web1` of the master at `url`; `more` is YAML laid over it. */
export async function fakeSetup(url: string, more = ''): Promise<FakeSetup> {
  const root = await mkdtemp(join(tmpdir(), 'brine-agent-'))
  const places = ['pki_dir: pki', 'cachedir: cache', 'data_dir: data', 'sock_dir: sock'].map((line) =>
    line.replace(/: (.*)/, `: ${root}/$1`),
  )
  const text = ['id: web1', `master: ${url}`, 'acceptance_wait_time: 0.1', ...places, more].join('\n')
  const { config, written, problems } = parseMinionConfig([{ name: 'minion', text }])
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  const said: string[] = []
  const say = (level: string) => (message: string) => void said.push(`${level} ${message}`)
  const log: Log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
  return {
    setup: { config, written, confDir: join(root, 'etc') },
    outside: systemOutside(log),
    root,
    said,
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

/** Resolves when the condition holds; throws after so many milliseconds. */
export async function until(condition: () => boolean, milliseconds = 30_000): Promise<void> {
  const end = Date.now() + milliseconds
  while (!condition()) {
    if (Date.now() > end) throw new Error(`not within ${milliseconds} ms: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
