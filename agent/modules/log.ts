// Says something in the minion's log.
import type { Log } from '../outside.ts'
import { define, type ExecutionModule, examples } from './module.ts'

/** Says the message at that level; `level` is Salt's name of it, `method` the log's. */
function saying(level: string, method: keyof Log) {
  return define(
    'message',
    `Say a message in the minion's log at the level ${level.toUpperCase()}. Returns True.${examples(`brine '*' log.${level} "The message"`)}`,
    (args, call) => {
      call.agent.outside.log[method](args.text('message'))
      return true
    },
  )
}

/** Salt's `log` module. The log has four levels: what is critical is an error there, a trace is a debug message. */
export const log: ExecutionModule = {
  name: 'log',
  file: 'logmod',
  functions: {
    trace: saying('trace', 'debug'),
    debug: saying('debug', 'debug'),
    info: saying('info', 'info'),
    warning: saying('warning', 'warn'),
    error: saying('error', 'error'),
    critical: saying('critical', 'error'),
    exception: saying('exception', 'error'),
  },
}
