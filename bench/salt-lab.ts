// Real Salt as the peer of a benchmark: installed once outside the repository, started, asked, and stopped again.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../test/system/process.ts'
import { waitFor } from '../test/system/wait.ts'
import { say } from './talk.ts'

/** Where Salt is or will be installed. */
const LAB = process.env.BRINE_SALT_LAB ?? join(tmpdir(), 'brine-salt-lab')
const SETUP = join(import.meta.dirname, '../../shared/salt-lab/setup.sh')

type Part = 'master' | 'minion1' | 'minion2' | 'api'

/** A running Salt. */
export interface SaltLab {
  /** Runs one of the lab's Python programs to its end; what it printed. */
  python(script: string, args: readonly string[], timeout: number): Promise<string>
  stop(): Promise<void>
}

/** Installs Salt where it is not yet, starts those parts and waits until they answer. */
export async function startSaltLab(parts: readonly Part[]): Promise<SaltLab> {
  if (!existsSync(join(LAB, 'venv/bin/salt-master')) || !existsSync(join(LAB, 'up.sh'))) install()
  say(`starting Salt in ${LAB}: ${parts.join(' ')}`)
  await runProgram('bash', [join(LAB, 'down.sh')])
  const stop = async () => {
    await runProgram('bash', [join(LAB, 'down.sh'), ...[...parts].reverse()])
  }
  // up.sh leaves its daemons in the background; their output goes to files.
  spawnSync('bash', [join(LAB, 'up.sh'), ...parts], { stdio: 'ignore' })
  try {
    await waitUntilUp(parts.filter((part) => part.startsWith('minion')).length)
    if (parts.includes('api')) await waitForApi()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    async python(script, args, timeout) {
      const ended = await runProgram(join(LAB, 'venv/bin/python'), [join(LAB, 'bench', script), ...args], { timeout })
      if (ended.exit !== 0) throw new Error(`${script} ended with ${ended.exit}:\n${ended.stdout}\n${ended.stderr}`)
      return ended.stdout
    },
    stop,
  }
}

function install(): void {
  if (!existsSync(SETUP)) throw new Error(`no Salt in ${LAB}, and no ${SETUP} to install it; set BRINE_SALT_LAB`)
  say(`installing Salt into ${LAB}; this takes minutes`)
  const { status } = spawnSync('bash', [SETUP, LAB], { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`${SETUP} ended with ${status}`)
}

async function waitUntilUp(minions: number): Promise<void> {
  const salt = (program: string, ...args: readonly string[]) =>
    runProgram(join(LAB, 'venv/bin', program), ['-c', join(LAB, 'etc/master'), ...args])
  await waitFor(
    'Salt to answer',
    async () => {
      if ((await salt('salt-run', 'manage.up')).exit !== 0) return undefined
      if (minions === 0) return true
      await salt('salt-key', '-y', '-A')
      const { stdout } = await salt('salt', '--out=json', '--static', '*', 'test.ping')
      return stdout.split('true').length - 1 >= minions ? true : undefined
    },
    120_000,
  )
}

/** Where the lab's salt-api answers. */
const API = 'http://127.0.0.1:18000'

async function waitForApi(): Promise<void> {
  await waitFor(
    "Salt's salt-api to answer",
    () =>
      fetch(API).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      ),
    60_000,
  )
}

/** The JSON objects among the lines a lab program printed. */
export function jsonLines(text: string): readonly Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => {
    const json = /^(?:SUMMARY )?(\{.*\})$/.exec(line)?.[1]
    return json === undefined ? [] : [JSON.parse(json)]
  })
}
