// The log of a daemon: lines of text or of JSON, to stderr and to a file, each from its own level up.
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs'
import { dirname } from 'node:path'

/** Levels by Salt's names, the more urgent the higher. */
const levels: Readonly<Record<string, number>> = {
  all: 0,
  garbage: 1,
  trace: 5,
  debug: 10,
  profile: 15,
  info: 20,
  warning: 30,
  error: 40,
  critical: 50,
  quiet: 1000,
}

/** How to log. */
export interface LogOptions {
  /** `console` is for a command that a person typed: level and message alone. */
  readonly format: 'text' | 'json' | 'console'
  /** From which level up to stderr, and to the file. */
  readonly level: string
  readonly fileLevel: string
  readonly file?: string | undefined
  readonly name: string
}

/** A daemon's log. */
export interface DaemonLog {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string): void
  close(): Promise<void>
}

/** Whether what has one level is told where from another level on things are. */
export function isLogged(level: string, from: string): boolean {
  return (levels[level.toLowerCase()] ?? 0) >= (levels[from] ?? 30)
}

/** Opens the log; a file that cannot be written is said once on stderr, and the daemon goes on without it. */
export function openLog(options: LogOptions): DaemonLog {
  let file = options.file === undefined ? undefined : openFile(options.file)
  file?.on('error', (error) => {
    process.stderr.write(`[WARNING ] The log file ${options.file} cannot be written: ${error.message}\n`)
    file = undefined
  })
  const write = (level: string, message: string): void => {
    const rank = levels[level] ?? 0
    const line = lineOf[options.format](options.name, level, message)
    if (rank >= (levels[options.level] ?? 30)) process.stderr.write(line)
    if (rank >= (levels[options.fileLevel] ?? 30)) file?.write(line)
  }
  return {
    debug: (message) => write('debug', message),
    info: (message) => write('info', message),
    warn: (message) => write('warning', message),
    error: (message) => write('error', message),
    close: () => new Promise((resolve) => (file === undefined ? resolve() : file.end(() => resolve()))),
  }
}

function openFile(path: string): WriteStream | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o750 })
    return createWriteStream(path, { flags: 'a', mode: 0o640 })
  } catch (error) {
    process.stderr.write(
      `[WARNING ] The log file ${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}\n`,
    )
    return undefined
  }
}

/** `2026-11-21 05:27:17,505 [brine.master     ][WARNING ][4711] text`: Salt's layout. */
function textLine(name: string, level: string, message: string): string {
  const time = new Date().toISOString().replace('T', ' ').replace('Z', '').replace('.', ',')
  return `${time} [${name.padEnd(17)}][${level.toUpperCase().padEnd(8)}][${process.pid}] ${message}\n`
}

/** `[WARNING ] text`: Salt's layout on a console. */
function consoleLine(_: string, level: string, message: string): string {
  return `[${level.toUpperCase().padEnd(8)}] ${message}\n`
}

function jsonLine(name: string, level: string, message: string): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, name, pid: process.pid, message })}\n`
}

const lineOf = { text: textLine, json: jsonLine, console: consoleLine } as const
