// One process a data directory: the second one is told of the first.
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BrineError } from '../core/error.ts'

/** Takes the lock file; it holds the process id. Throws a BrineError `running` while that process lives. Resolves with how to give it back. */
export async function takeLock(path: string): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  for (let round = 0; round < 3; round++) {
    try {
      const file = await open(path, 'wx', 0o600)
      await file.writeFile(`${process.pid}\n`)
      await file.close()
      return () => rm(path, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    const owner = Number((await readOrEmpty(path)).trim())
    if (owner > 0 && owner !== process.pid && (await isAgent(owner))) {
      throw new BrineError(
        `A minion runs on ${dirname(path)} already, as process ${owner}. Stop it first, or use another data_dir.`,
        { code: 'running' },
      )
    }
    await rm(path, { force: true })
  }
  throw new BrineError(`The lock ${path} changes hands all the time. Is another minion being started?`, {
    code: 'running',
  })
}

/** Lives, and is a Node program: after a reboot the number may be anybody's. */
async function isAgent(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  if (process.platform !== 'linux') return true
  const command = await readOrEmpty(`/proc/${pid}/cmdline`)
  return command === '' || /node|brine/.test(command)
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return ''
  }
}
