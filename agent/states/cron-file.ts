// `cron.file`: a user's whole crontab from a file of the master's, of the web or of the minion.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMapping, pythonStr } from '../../core/value/index.ts'
import { writeWhole } from '../filesystem/write.ts'
import type { Arguments } from '../modules/arguments.ts'
import { boundArguments } from './bound-arguments.ts'
import { managed } from './file/managed.ts'
import { fine, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateReturn, slsExample } from './state-module.ts'

/** The first group of the user; undefined where nobody has that name. */
async function groupOf(user: string, call: StateCall): Promise<string | undefined> {
  const about = await call.salt('user.info', [user])
  const [first] = isMapping(about) && Array.isArray(about.groups) ? about.groups : []
  return first === undefined ? undefined : pythonStr(first)
}

async function wholeTab(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const user = args.text('user')
  const group = await groupOf(user, call)
  if (group === undefined) return wrong(name, `Could not identify group for user ${user}`)
  const text = pythonStr(await call.salt('cron.raw_cron', [user]))
  // As in Salt, whose copy always ends in a line feed: even a user without a crontab has one.
  if (!args.is('replace')) return fine(name, `User ${user} already has a crontab. No changes made`)
  const directory = await mkdtemp(join(tmpdir(), 'brine-cron-'))
  try {
    const path = join(directory, 'crontab')
    await writeWhole(path, text.endsWith('\n') ? text : `${text}\n`, { mode: '0600' })
    return await replaced({ name, user, group, path }, args, call)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

interface Copy {
  readonly name: string
  readonly user: string
  readonly group: string
  /** Where the crontab as it is now has been put. */
  readonly path: string
}

async function replaced({ name, user, group, path }: Copy, args: Arguments, call: StateCall): Promise<StateReturn> {
  const wanted = {
    ...args.cleanKeywords,
    ...args.given(['source_hash', 'source_hash_name', 'template', 'context', 'defaults']),
    name: path,
    source: args.value('name'),
    user,
    group,
    mode: '0600',
  }
  if (call.test) {
    const empty = { source_hash: '', source_hash_name: null, template: null, context: null, defaults: null, attrs: [] }
    const told = await call.salt('file.check_managed', [], { ...empty, ...wanted, saltenv: call.env })
    const [result = false, comment = ''] = Array.isArray(told) ? told : []
    return { name, changes: {}, result: result === null ? null : result === true, comment: pythonStr(comment) }
  }
  const done = await managed.run(boundArguments(managed, { ...wanted, backup: args.value('backup') }), call)
  // The words are file.managed's; Salt's cron.file says them without its own in front.
  if (done.result === false) return wrong(name, pythonStr(done.comment).replace(/^Unable to manage file: /, ''))
  if (done.changes.diff === undefined) return fine(name, `Crontab for user ${user} is in the correct state`)
  const written = await call.salt('cron.write_cron_file_verbose', [user, path])
  const { retcode = 1, stderr = '' } = isMapping(written) ? written : {}
  if (retcode === 0) return fine(name, `Crontab for user ${user} was updated`, { ...done.changes })
  return wrong(name, `Unable to update user ${user} crontab ${path}. Error: ${pythonStr(stderr).trimEnd()}`)
}

/** `cron.file`. */
export const cronFile = defineState(
  "name, source_hash='', source_hash_name=None, user='root', template=None, context=None, replace=True, defaults=None, backup='', **kwargs",
  `A file is a user's whole crontab.

name
    Where the file is: \`\`salt://…\`\`, \`\`http(s)://…\`\` or a path of the minion.
source_hash, source_hash_name
    The digest of a file of the web, or where a list of digests is and under which name.
user
    Whose crontab it is.
template, context, defaults
    \`\`jinja\`\`, and what it sees besides what every template sees.
replace
    False: leave the crontab that is there.${slsExample(`
salt://cron/root.tab:
  cron.file:
    - user: root
    - template: jinja`)}`,
  wholeTab,
)
