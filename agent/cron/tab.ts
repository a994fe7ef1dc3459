// A crontab as data: what is above the mark is the user's own, below it is what is managed.
import { pythonStr, type Value } from '../../core/value/index.ts'

const mark = '# Lines below here are managed by Salt, do not edit'
const noId = 'NO ID SET'
const idWord = 'SALT_CRON_IDENTIFIER'
const fields = ['minute', 'hour', 'daymonth', 'month', 'dayweek'] as const

/** When a job runs: the five fields of a line. */
export type CronTime = Readonly<Record<(typeof fields)[number], string>>

/** One managed line. */
export interface CronJob {
  /** `@daily`, … or the five fields. */
  readonly when: CronTime | string
  readonly cmd: string
  readonly identifier: string | null
  readonly comment: string | null
  readonly commented: boolean
}

/** A whole crontab. */
export interface CronTab {
  readonly pre: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly jobs: readonly CronJob[]
}

/** Reads the text that `crontab -l` prints. */
export function parseTab(text: string): CronTab {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const at = lines.indexOf(mark)
  const env: { name: string; value: string }[] = []
  const jobs: CronJob[] = []
  let [comment, identifier]: (string | null)[] = [null, null]
  for (const whole of at < 0 ? [] : lines.slice(at + 1)) {
    const commented = whole.startsWith('#DISABLED#')
    const line = commented ? whole.slice('#DISABLED#'.length) : whole
    if (line.startsWith('#')) {
      const [words = '', id] = line.replace(/^[# ]+/, '').split(idWord)
      if (id !== undefined && id.length > 1) identifier = id.slice(1)
      const said = id === undefined ? words : words.trimEnd()
      comment = comment === null ? said : `${comment}\n${said}`
      continue
    }
    const setting = /^([^\s=]+)=(.*)$/.exec(line)
    if (setting !== null) env.push({ name: setting[1] ?? '', value: setting[2] ?? '' })
    const job = setting === null ? parseJob(line) : undefined
    if (job === undefined) continue
    jobs.push({ ...job, identifier: identifier ?? null, comment: comment ?? null, commented })
    comment = null
    identifier = null
  }
  return { pre: at < 0 ? lines : lines.slice(0, at), env, jobs }
}

function parseJob(line: string): Pick<CronJob, 'when' | 'cmd'> | undefined {
  if (line.startsWith('@')) {
    const [when = '', ...cmd] = line.split(/\s+/)
    return cmd.length === 0 ? undefined : { when, cmd: cmd.join(' ') }
  }
  const [minute = '', hour = '', daymonth = '', month = '', dayweek = '', ...cmd] = line.split(' ')
  return cmd.length === 0 ? undefined : { when: { minute, hour, daymonth, month, dayweek }, cmd: cmd.join(' ') }
}

/** The text for `crontab`. */
export function renderTab({ pre, env, jobs }: CronTab): string {
  const isTimed = ({ when }: CronJob): boolean => typeof when !== 'string'
  const lines = [...pre]
  if (lines.at(-1) !== mark) lines.push(mark)
  for (const { name, value } of env) lines.push(`${name}=${value === '' ? '""' : value}`)
  for (const job of [...jobs.filter(isTimed), ...jobs.filter((one) => !isTimed(one))]) {
    const { comment, identifier, when, cmd, commented } = job
    if (comment !== null || identifier !== null) {
      const said = comment === null || comment === '' ? '' : ` ${comment.trimEnd().replaceAll('\n', '\n# ')}`
      lines.push(`#${said}${identifier === null || identifier === '' ? '' : ` ${idWord}:${identifier}`}`)
    }
    const time = typeof when === 'string' ? when : fields.map((field) => when[field]).join(' ')
    lines.push(`${commented ? '#DISABLED#' : ''}${time} ${cmd}`)
  }
  return `${lines.join('\n')}\n`
}

/** Whether a line is the one meant: by its identifier, or by its command where neither has one. */
export function isMeant(job: CronJob, cmd: string, identifier: string | null): boolean {
  const own = job.identifier === null || job.identifier === '' ? noId : job.identifier
  const wanted = identifier === null || identifier === '' ? noId : identifier
  if (job.cmd === cmd && own === noId) return true
  return own === noId && wanted === noId ? false : own === wanted
}

/** What a job shall be; undefined leaves a field as it is, `random` picks one where there is none. */
export interface CronWish {
  readonly when: CronTime | string
  readonly cmd: string
  readonly identifier: string | null
  readonly comment: string | null
  readonly commented: boolean
}

function differs(old: string | boolean | null, wanted: string | boolean | null): boolean {
  if (old === wanted) return false
  return wanted === 'random' ? old === '*' : wanted !== null
}

/** Whether a line is not as wished. */
export function needsChange(job: CronJob, wish: CronWish): boolean {
  if (typeof job.when !== typeof wish.when) return true
  const pairs: [string | boolean | null, string | boolean | null][] = [
    [job.identifier, wish.identifier],
    [job.cmd, wish.cmd],
    [job.comment, wish.comment],
    [job.commented, wish.commented],
  ]
  if (typeof job.when === 'string' || typeof wish.when === 'string')
    pairs.push([job.when as string, wish.when as string])
  else for (const field of fields) pairs.push([job.when[field], wish.when[field]])
  return pairs.some(([old, wanted]) => differs(old, wanted))
}

/** The line as wished, with what the old one had where nothing was said. */
export function changed(old: CronJob | undefined, wish: CronWish, random: () => number): CronJob {
  const comment = wish.comment ?? old?.comment ?? null
  const identifier = wish.identifier ?? old?.identifier ?? null
  if (typeof wish.when === 'string') return { ...wish, comment, identifier }
  const before = old === undefined || typeof old.when === 'string' ? undefined : old.when
  return { ...wish, comment, identifier, when: chosen(wish.when, before, random) }
}

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  minute: [0, 59],
  hour: [0, 23],
  daymonth: [1, 28],
  month: [1, 12],
  dayweek: [0, 6],
}

/** `random` stays what it was picked to be. */
function chosen(wanted: CronTime, before: CronTime | undefined, random: () => number): CronTime {
  const pick = (field: (typeof fields)[number]): string => {
    const value = wanted[field]
    const range = /^(\d+):(\d+)$/.exec(value)
    if (value !== 'random' && range === null) return value
    const old = before?.[field]
    if (value === 'random' && old !== undefined && old !== '*') return old
    const [low, high] =
      range === null ? (ranges[field] ?? [0, 0]) : [Number(range[1]), Number(range[2])].sort((a, b) => a - b)
    return String((low ?? 0) + Math.floor(random() * ((high ?? 0) - (low ?? 0) + 1)))
  }
  return {
    minute: pick('minute'),
    hour: pick('hour'),
    daymonth: pick('daymonth'),
    month: pick('month'),
    dayweek: pick('dayweek'),
  }
}

/** Five fields as texts. */
export function timeOf(value: (field: string) => Value): CronTime {
  const text = (field: string): string => pythonStr(value(field)).toLowerCase()
  return {
    minute: text('minute'),
    hour: text('hour'),
    daymonth: text('daymonth'),
    month: text('month'),
    dayweek: text('dayweek'),
  }
}

/** Whether a line runs at these times; None means any. */
export function runsAt(job: CronJob, value: (field: string) => Value): boolean {
  return fields.every((field) => {
    const wanted = value(field)
    if (wanted === null) return true
    return typeof job.when !== 'string' && job.when[field] === pythonStr(wanted)
  })
}
