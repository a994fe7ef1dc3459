// The talk of a command that a person typed: `-l` says from which level on, `--log-file` where it is kept besides.
import type { ParsedOptions } from '../options/index.ts'
import type { Io } from './io.ts'
import { type DaemonLog, isLogged, openLog } from './log.ts'

/** Surroundings whose `[ERROR   ] …` lines follow the options for logging, and what to do at the end. */
export interface LoggedIo {
  readonly io: Io
  close(): Promise<void>
}

/** Lines that begin with no level are printed as they are. */
export function logged(io: Io, options: ParsedOptions, name: string): LoggedIo {
  const level = options.text('log_level') ?? 'warning'
  const file = options.text('log_file')
  const log =
    file === undefined
      ? undefined
      : openLog({
          name,
          format: 'text',
          level: 'quiet',
          fileLevel: options.text('log_level_logfile') ?? 'warning',
          file,
        })
  return {
    io: {
      ...io,
      err(text) {
        const [, said = '', message = ''] = /^\[([A-Z]+) *\] (.*)\n$/s.exec(text) ?? []
        if (said === '' || isLogged(said, level)) io.err(text)
        if (said !== '') log?.[methods[said] ?? 'error'](message)
      },
    },
    close: async () => log?.close(),
  }
}

const methods: Readonly<Record<string, Exclude<keyof DaemonLog, 'close'>>> = {
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warn',
  ERROR: 'error',
  CRITICAL: 'error',
}
