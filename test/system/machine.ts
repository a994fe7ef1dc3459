// The machine that tests share: who changes its accounts or packages does so alone.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { waitFor } from './wait.ts'

const LOCK = join(tmpdir(), 'brine-tests-change-the-machine')

/** Resolves when nobody else changes the machine; call what it resolves with when that is over. */
export async function machineAlone(): Promise<() => void> {
  const own = `${process.pid} ${threadId}`
  await waitFor(`${LOCK}, which another test holds`, () => takeLock(own), 600_000)
  return () => {
    if (holder() === own) rmSync(LOCK, { recursive: true, force: true })
  }
}

function takeLock(own: string): true | undefined {
  try {
    mkdirSync(LOCK)
    writeFileSync(join(LOCK, 'holder'), own)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // What a run that was broken off left behind.
    const pid = Number(holder()?.split(' ')[0] ?? process.pid)
    if (!isAlive(pid)) rmSync(LOCK, { recursive: true, force: true })
    return undefined
  }
}

function holder(): string | undefined {
  try {
    return readFileSync(join(LOCK, 'holder'), 'utf8')
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
