// Which files the processes of this machine have open.
import { readdir, realpath, stat } from 'node:fs/promises'
import { Dict, type Value } from '../../../core/value/index.ts'
import { define, type ExecutionFunction, examples } from '../module.ts'

/** The files a process has open, its program among them; none of one that is gone meanwhile or is not to be looked into. */
async function filesOf(pid: string): Promise<string[]> {
  const directory = `/proc/${pid}`
  const names = await readdir(`${directory}/fd`).catch(() => [])
  const paths = [`${directory}/exe`, ...names.map((name) => `${directory}/fd/${name}`)]
  const found = await Promise.all(
    paths.map(async (path) => {
      try {
        const name = await realpath(path)
        // Sockets, pipes and files that were removed have no place of their own.
        await stat(name)
        return [name]
      } catch {
        return []
      }
    }),
  )
  return [...new Set(found.flat())].sort()
}

async function openFiles(byPid: boolean): Promise<Value> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const told = new Dict()
  const files: Record<string, number[]> = {}
  for (const pid of pids) {
    const names = await filesOf(pid)
    told.set(Number(pid), names)
    for (const name of names) files[name] = [...(files[name] ?? []), Number(pid)]
  }
  return byPid ? told : files
}

/** The functions, by their names. */
export const opened: Readonly<Record<string, ExecutionFunction>> = {
  open_files: define(
    'by_pid=False',
    `Return the files that processes have open, with the ids of the processes.

by_pid
    By the ids of the processes instead.${examples("brine '*' file.open_files", "brine '*' file.open_files by_pid=True")}`,
    (args) => openFiles(args.is('by_pid')),
    { readOnly: true },
  ),
}
