// Kills the processes in which an emulator runs one function, at random moments.
import { execFileSync } from 'node:child_process'

/** Kills until it is stopped; answers then how many it killed. */
export interface Killer {
  stop(): Promise<number>
}

/** The processes of a function on MiniStack, whose folders are named after it. None elsewhere. */
export function workersOf(functionName: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  const mark = `/ministack-lambda-${functionName}-`
  return lines
    .filter((line) => line.includes(mark) && line.includes('_worker'))
    .map((line) => Number.parseInt(line, 10))
}

/**
 * Kills all of a function's processes, `most` times, each time at a random moment after there are some again: within so many
 * milliseconds.
 */
export function startKiller(functionName: string, most: number, within: number): Killer {
  const stopping = new AbortController()
  const killing = (async () => {
    let killed = 0
    for (let rounds = 0; rounds < most && !stopping.signal.aborted; ) {
      await pause(stopping.signal, LOOK)
      if (workersOf(functionName).length === 0) continue
      await pause(stopping.signal, Math.random() * within)
      if (stopping.signal.aborted) break
      for (const pid of workersOf(functionName)) killed += kill(pid)
      rounds++
    }
    return killed
  })()
  return {
    stop() {
      stopping.abort()
      return killing
    },
  }
}

/** Milliseconds between two looks whether there are processes. */
const LOOK = 50

function kill(pid: number): number {
  try {
    process.kill(pid, 'SIGKILL')
    return 1
  } catch (error) {
    // It ended by itself meanwhile.
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return 0
    throw error
  }
}

function pause(signal: AbortSignal, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
