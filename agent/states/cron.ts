// Salt's `cron` states.
import { isList, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { type CronJob, type CronWish, isMeant, needsChange, timeOf } from '../cron/tab.ts'
import type { Arguments } from '../modules/arguments.ts'
import { cronFile } from './cron-file.ts'
import { fine, would, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

/** The identifier; a job is known by its command unless another one is said. */
const identifierOf = (args: Arguments): string | null => {
  const value = args.value('identifier')
  return value === false ? args.text('name').trim() : value === null ? null : pythonStr(value)
}

/** The job as `cron.list_tab` tells it. */
function jobOf(told: Mapping): CronJob {
  const text = (key: string): string | null =>
    told[key] === null || told[key] === undefined ? null : pythonStr(told[key])
  const when = told.spec === undefined ? timeOf((field) => told[field] ?? '*') : pythonStr(told.spec)
  return {
    when,
    cmd: text('cmd') ?? '',
    identifier: text('identifier'),
    comment: text('comment'),
    commented: told.commented === true,
  }
}

async function found(args: Arguments, call: StateCall): Promise<CronJob | undefined> {
  const tab = await call.salt('cron.list_tab', [args.text('user')])
  const listed = isMapping(tab)
    ? [tab.crons ?? [], tab.special ?? []].flatMap((jobs) => (isList(jobs) ? jobs : []))
    : []
  const jobs = listed.filter(isMapping).map(jobOf)
  return jobs.find((job) => isMeant(job, args.text('name').trim(), identifierOf(args)))
}

/** What a cron function answered, as a state's return. */
function answered(args: Arguments, what: string, told: Value): StateReturn {
  const [name, user] = [args.text('name').trim(), args.text('user')]
  const changes = { [user]: name }
  switch (told) {
    case 'present':
      return fine(name, `${what} ${name} already present`)
    case 'new':
      return fine(name, `${what} ${name} added to ${user}'s crontab`, changes)
    case 'updated':
      return fine(name, `${what} ${name} updated`, changes)
    case 'absent':
      return fine(name, `${what} ${name} already absent`)
    case 'removed':
      return fine(name, `${what} ${name} removed from ${user}'s crontab`, changes)
    default:
      return wrong(name, `${what} ${name} for user ${user} failed to commit with error \n${pythonStr(told)}`)
  }
}

async function present(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name').trim()
  const identifier = identifierOf(args)
  const special = args.textIfAny('special')
  const when = special ?? timeOf((field) => args.value(field))
  if (call.test) {
    const job = await found(args, call)
    const comment = args.textIfAny('comment') ?? null
    const wish: CronWish = { when, cmd: name, identifier, comment, commented: args.is('commented') }
    if (job === undefined) return would(name, `Cron ${name} is set to be added`)
    if (!needsChange(job, wish)) return fine(name, `Cron ${name} already present`)
    return would(name, `Cron ${name} is set to be updated`)
  }
  const more = {
    user: args.text('user'),
    cmd: name,
    comment: args.value('comment'),
    commented: args.value('commented'),
    identifier,
  }
  const told =
    special === undefined
      ? await call.salt('cron.set_job', [], { ...(when as Mapping), ...more })
      : await call.salt('cron.set_special', [], { special, ...more })
  return answered(args, 'Cron', told)
}

async function absent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name').trim()
  if (call.test) {
    const job = await found(args, call)
    return job === undefined ? fine(name, `Cron ${name} is absent`) : would(name, `Cron ${name} is set to be removed`)
  }
  const special = args.textIfAny('special')
  const words = [args.text('user'), name]
  const identifier = identifierOf(args)
  const told =
    special === undefined
      ? await call.salt('cron.rm_job', words, { identifier })
      : await call.salt('cron.rm_special', words, { special, identifier })
  return answered(args, 'Cron', told)
}

/** The value of a variable in the crontab; undefined where it is not set. */
async function variable(args: Arguments, call: StateCall): Promise<string | undefined> {
  const tab = await call.salt('cron.list_tab', [args.text('user')])
  const env = isMapping(tab) && isList(tab.env ?? null) ? (tab.env as Value[]) : []
  const one = env.filter(isMapping).find((other) => other.name === args.text('name'))
  return one === undefined ? undefined : pythonStr(one.value ?? '')
}

async function envPresent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const value = args.value('value') === null ? '' : args.text('value')
  if (call.test) {
    const current = await variable(args, call)
    if (current === undefined) return would(name, `Cron env ${name} is set to be added`)
    if (current === value) return fine(name, `Cron env ${name} already present`)
    return would(name, `Cron env ${name} is set to be updated`)
  }
  return answered(args, 'Cron env', await call.salt('cron.set_env', [args.text('user'), name], { value }))
}

async function envAbsent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name').trim()
  if (call.test) {
    if ((await variable(args, call)) === undefined) return fine(name, `Cron env ${name} is absent`)
    return would(name, `Cron env ${name} is set to be removed`)
  }
  return answered(args, 'Cron env', await call.salt('cron.rm_env', [args.text('user'), name]))
}

const jobDoc = `

name
    The command.
user
    Whose crontab it is.
identifier
    A name by which the line is known, so that its command can change. By default that is the command.
special
    A special time, like \`\`@daily\`\`.`

/** Jobs in crontabs. */
export const cron: StateModule = {
  name: 'cron',
  functions: {
    present: defineState(
      "name, user='root', minute='*', hour='*', daymonth='*', month='*', dayweek='*', comment=None, commented=False, identifier=False, special=None",
      `Ensure that a job is in a crontab.${jobDoc}
minute, hour, daymonth, month, dayweek
    When it runs; \`\`random\`\` picks one and keeps it.
comment, commented
    A comment above it; True leaves the line there as a comment.${slsExample(`
date > /tmp/crontest:
  cron.present:
    - user: root
    - minute: 7
    - hour: 2`)}`,
      present,
    ),
    file: cronFile,
    absent: defineState(
      "name, user='root', identifier=False, special=None, **kwargs",
      `Ensure that a job is not in a crontab.${jobDoc}${slsExample(`
date > /tmp/crontest:
  cron.absent: []`)}`,
      absent,
    ),
    env_present: defineState(
      "name, value=None, user='root'",
      `Ensure that a variable is set in a crontab.

name
    The variable.
value
    Its value.
user
    Whose crontab it is.${slsExample(`
MAILTO:
  cron.env_present:
    - value: admin@example.com`)}`,
      envPresent,
    ),
    env_absent: defineState(
      "name, user='root'",
      `Ensure that a variable is not set in a crontab.

name
    The variable.
user
    Whose crontab it is.${slsExample(`
MAILTO:
  cron.env_absent: []`)}`,
      envAbsent,
    ),
  },
}
