// A directory watched by inotifywait(1), which tells every one of inotify's events by its name.
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { messageOf } from '../../../core/error.ts'
import type { Log } from '../../outside.ts'
import { type Change, type DirectoryWatch, type MaskName, maskNames } from './change.ts'

/** Where the program is; undefined where it is not. */
export function inotifywaitPath(path: string = process.env.PATH ?? ''): string | undefined {
  for (const directory of path.split(delimiter)) {
    const program = join(directory, 'inotifywait')
    try {
      accessSync(program, constants.X_OK)
      return program
    } catch {
      // Not in this directory.
    }
  }
  return undefined
}

/** Watches one directory for these events. They are told from the moment the program has said it watches. */
export function watchExactly(
  program: string,
  directory: string,
  masks: ReadonlySet<MaskName>,
  log: Log,
): DirectoryWatch {
  let changes: Change[] = []
  let isAlive = true
  let waitFor: number | undefined
  let marks = 0
  // What is made here comes in the program's own order: a mark parts what was before it from what comes after.
  const marker = mkdtempSync(join(tmpdir(), 'brine-inotify-'))
  const events = [...masks, 'create', 'delete', 'moved_to', 'moved_from', 'delete_self'].flatMap((name) => ['-e', name])
  const child: ChildProcess = spawn(
    program,
    ['-m', '-q', '--format', '%w%0%e%0%f%0', ...events, '--', directory, marker],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const read = fieldReader((watched, event, name) => {
    if (watched.startsWith(marker)) {
      if (waitFor !== undefined && Number(name) >= waitFor) waitFor = undefined
      return
    }
    const parts = event.split(',').map((part) => part.toLowerCase())
    if (parts.includes('delete_self') && name === '') isAlive = false
    const what = maskNames.find((mask) => parts.includes(mask))
    if (waitFor === undefined && what !== undefined && name !== '')
      changes.push({ directory, name, what, isDirectory: parts.includes('isdir') })
  })
  child.stdout?.on('data', (chunk: Buffer) => read(chunk.toString('utf8')))
  child.stderr?.on('data', (chunk: Buffer) => log.warn(`inotifywait on ${directory}: ${chunk.toString('utf8').trim()}`))
  const end = (): void => {
    isAlive = false
    rmSync(marker, { recursive: true, force: true })
  }
  child.once('error', end)
  child.once('exit', end)
  child.unref()
  const mark = (): number => {
    const path = join(marker, String(++marks))
    try {
      mkdirSync(path)
      rmdirSync(path)
    } catch (error) {
      // Somebody tidied it away, and what it parted is parted by a new watch.
      log.debug(`The watch on ${directory} begins anew: ${messageOf(error)}`)
      child.kill()
      isAlive = false
    }
    return marks
  }
  return {
    take() {
      // A mark made before the program watched is never told: another follows.
      if (waitFor !== undefined && isAlive) mark()
      return changes.splice(0)
    },
    quiet() {
      changes = []
      if (isAlive) waitFor = mark()
    },
    get isAlive() {
      return isAlive
    },
    close() {
      child.kill()
      end()
    },
  }
}

/** Puts chunks together and hands on every three fields that end with NUL; a newline before them is the format's. */
function fieldReader(onEvent: (watched: string, event: string, name: string) => void): (chunk: string) => void {
  let rest = ''
  return (chunk) => {
    const fields = (rest + chunk).split('\0')
    const whole = fields.length - 1 - ((fields.length - 1) % 3)
    rest = fields.slice(whole).join('\0')
    for (let at = 0; at < whole; at += 3)
      onEvent((fields[at] ?? '').trimStart(), fields[at + 1] ?? '', fields[at + 2] ?? '')
  }
}
