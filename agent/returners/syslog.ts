// The returner `syslog`: the return as one line of JSON in the system's log, as Salt's of that name.
import { BrineError } from '../../core/error.ts'
import { isList, type Mapping, pythonStr, stringifyJson, type Value } from '../../core/value/index.ts'
import { type ProcessResult, runProcess } from '../modules/process.ts'
import { badOption, type Returner } from './returner.ts'

const levels = ['EMERG', 'ALERT', 'CRIT', 'ERR', 'WARNING', 'NOTICE', 'INFO', 'DEBUG']
const facilities = [
  ...['KERN', 'USER', 'MAIL', 'DAEMON', 'AUTH', 'AUTHPRIV', 'LPR', 'NEWS', 'UUCP', 'CRON', 'SYSLOG'],
  ...Array.from({ length: 8 }, (_, index) => `LOCAL${index}`),
]
/** What `syslog.options` may hold; only the pid changes what is logged. */
const logOptions = ['PID', 'CONS', 'NDELAY', 'ODELAY', 'NOWAIT', 'PERROR']
/** As many letters of a tag as syslog's senders take. */
const tagLimit = 32

/** Options: `level` (`LOG_INFO`), `facility` (`LOG_USER`), `tag` (`brine-minion`), `options` (`LOG_PID`), as in Salt. */
export const syslog: Returner = {
  options: ['level', 'facility', 'tag', 'options'],
  async send(load, options, { environment }) {
    const level = named(options, 'level', 'LOG_INFO', levels)
    const facility = named(options, 'facility', 'LOG_USER', facilities)
    const tag = pythonStr(options.tag ?? 'brine-minion')
    if (tag.length > tagLimit) throw badOption('syslog', 'tag', `has more than ${tagLimit} characters`)
    const more = listOf(options.options).map((one) => checked('options', pythonStr(one), logOptions))
    const pid = more.includes('PID') ? [`--id=${process.pid}`] : []
    const ended = await runProcess({
      argv: ['logger', ...pid, '-p', `${facility}.${level}`, '-t', tag],
      cwd: '/',
      env: { PATH: environment.PATH ?? '/usr/bin:/bin' },
      stdin: `${stringifyJson(load)}\n`,
      mergeStderr: true,
      timeout: 10,
      signal: new AbortController().signal,
    })
    if (ended.kind === 'ended' && ended.retcode === 0) return
    throw new BrineError(`The program logger failed: ${failureOf(ended)}`, { code: 'returner-answer' })
  },
}

function failureOf(ended: ProcessResult): string {
  switch (ended.kind) {
    case 'ended':
      return ended.stdout.trim()
    case 'timed-out':
      return 'it did not end within 10 s'
    case 'not-started':
      return ended.message
  }
}

function named(options: Mapping, option: string, fallback: string, known: readonly string[]): string {
  return checked(option, pythonStr(options[option] ?? fallback), known).toLowerCase()
}

function listOf(value: Value | undefined): readonly Value[] {
  return value !== undefined && isList(value) ? value : []
}

/** The word after `LOG_`. */
function checked(option: string, value: string, known: readonly string[]): string {
  const word = value.replace(/^LOG_/, '')
  if (value.startsWith('LOG_') && known.includes(word)) return word
  throw badOption('syslog', option, `is ${value}, which is none of ${known.map((one) => `LOG_${one}`).join(', ')}`)
}
