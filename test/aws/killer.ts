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

/** Kills all of a function's processes every so many milliseconds: at random between 0 and twice as many. */
export function startKiller(functionName: string, every: number): Killer {
  const stopping = new AbortController()
  const killing = (async () => {
    let killed = 0
    while (!stopping.signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * every))
      for (const pid of stopping.signal.aborted ? [] : workersOf(functionName)) {
        try {
          process.kill(pid, 'SIGKILL')
          killed++
        } catch (error) {
          // It ended by itself meanwhile.
          if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
        }
      }
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
