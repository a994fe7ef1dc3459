// `file.managed`: a file with these contents, this owner and this mode.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { messageOf } from '../../../core/error.ts'
import { type Mapping, pythonStr, pythonTruth, type Value } from '../../../core/value/index.ts'
import { traverse } from '../../../core/value/traverse.ts'
import { hashFile } from '../../filesystem/hash.ts'
import { modeText, normalMode } from '../../filesystem/mode.ts'
import { exists, isDirectory, isRegularFile, joinPath, statOf } from '../../filesystem/paths.ts'
import { checkPermissions, withPermissions } from '../../filesystem/permissions.ts'
import { textLines } from '../../filesystem/text.ts'
import { copyWhole, writeWhole } from '../../filesystem/write.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError } from '../../modules/errors.ts'
import { attributesOf, some } from '../../modules/file/asked.ts'
import { changesOf, type Managed, type ManagedFile, manageFile } from '../../modules/file/manage.ts'
import { chooseSource, type Fetched, fetchSource, isRemote, sourceSum } from '../../modules/file/sources.ts'
import { renderFile, TEMPLATES } from '../../modules/file/template.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { accumulatedFor } from './accumulated.ts'
import { checkedBy } from './check-cmd.ts'
import { ended, failed, mapIfAny, nameOf, notAbsolute, ownerOf, textsOf, wrongOwner } from './outcome.ts'

const contentArguments = ['contents', 'contents_pillar', 'contents_grains'] as const

/** What a caller other than an SLS file asks for: `file.recurse` for each of its files. */
async function manage(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const warnings = 'file_mode' in args.keywords ? [ignoredMode] : []
  // In Salt's order.
  const ret: Managed = { changes: {}, comment: '', name, result: true, ...(warnings.length === 0 ? {} : { warnings }) }
  if (name === '') return failed(ret, 'Destination file name is required')
  const keep = pythonStr(args.value('mode') ?? '').toLowerCase() === 'keep'
  const wrong = combination(args, keep)
  if (wrong !== undefined) return failed(ret, wrong)
  const text = await contentsOf(args, call)
  if (text.kind === 'failed') return failed(ret, text.words)
  if (!args.is('create') && !(await isRegularFile(name))) {
    return ended(ret, true, `File ${name} is not present and is not set for creation`)
  }
  const user = ownerOf(args)
  const refusal = (await wrongOwner(user, args.value('group'), call)) ?? (await wrongPlace(name, args))
  if (refusal !== undefined) return failed(ret, refusal)
  const replaces =
    args.is('replace') && (text.text !== undefined || hasSource(args)) && !(await isCurrent(name, args, call))
  const mode = keep ? null : (normalMode(args.value('mode')) ?? null)
  if (!replaces && (await exists(name))) return permissionsOnly(ret, name, { user, mode, args }, call)
  try {
    return await placed(ret, { name, user, mode, keep, text: text.text, args }, call)
  } catch (error) {
    return failed({ ...ret, changes: {} }, `Unable to manage file: ${messageOf(error)}`)
  }
}

const ignoredMode = "The 'file_mode' argument will be ignored.  Please use 'mode' instead to set file permissions."

const hasSource = (args: Arguments): boolean => pythonTruth(args.value('source'))

function combination(args: Arguments, keep: boolean): string | undefined {
  const count = contentArguments.filter((name) => args.value(name) !== null).length
  const words = "'contents', 'contents_pillar', or 'contents_grains'"
  if (hasSource(args) && count > 0) return `'source' cannot be used in combination with ${words}`
  if (keep && count > 0) return `Mode preservation cannot be used in combination with ${words}`
  if (count > 1) return "Only one of 'contents', 'contents_pillar', and 'contents_grains' is permitted"
  if (args.value('signature') !== null || args.value('source_hash_sig') !== null) {
    return 'Cannot verify signatures because the gpg module was not loaded'
  }
  if (args.value('selinux') !== null)
    return "The 'selinux' option is not available: run restorecon or chcon by cmd.run."
  const encoding = some(args.value('encoding'))
  if (encoding !== undefined && !/^utf[-_]?8$/i.test(encoding))
    return `The encoding ${encoding} is not available: contents are written as UTF-8. Take a source that has it.`
  return undefined
}

async function wrongPlace(name: string, args: Arguments): Promise<string | undefined> {
  if (!name.startsWith('/')) return notAbsolute(name)
  if (await isDirectory(name)) return `Specified target ${name} is a directory`
  if (args.value('context') !== null && mapIfAny(args.value('context')) === undefined) {
    return 'Context must be formed as a dict'
  }
  if (args.is('defaults') && mapIfAny(args.value('defaults')) === undefined) return 'Defaults must be formed as a dict'
  return undefined
}

type Text =
  | { readonly kind: 'text'; readonly text: string | undefined }
  | { readonly kind: 'failed'; readonly words: string }

/** The contents that stand in the SLS, the pillar or the grains. */
async function contentsOf(args: Arguments, call: StateCall): Promise<Text> {
  const found = givenContents(args, call)
  if (found.kind === 'failed') return found
  const { value } = found
  if (value === undefined) return { kind: 'text', text: undefined }
  if (!args.is('allow_empty') && !pythonTruth(value)) {
    const from = contentArguments.slice(1).find((name) => args.is(name))
    const what = from === undefined ? "'contents'" : `${from} ${args.text(from)}`
    return {
      kind: 'failed',
      words: `${what} value would result in empty contents. Set allow_empty to True to allow the managed file to be empty.`,
    }
  }
  const parts = textsOf(value)
  if (parts.length === 0) {
    return {
      kind: 'failed',
      words:
        'Contents specified by contents/contents_pillar/contents_grains is not a string or list of strings, and is not binary data. SLS is likely malformed.',
    }
  }
  const whole = parts
    .flatMap(textLines)
    .map((line) => `${line}\n`)
    .join('')
  const text = args.is('contents_newline') ? whole : whole.replace(/\n+$/, '').replace(/\r+$/, '')
  const template = some(args.value('template'))
  if (template === undefined) return { kind: 'text', text }
  if (!TEMPLATES.includes(template)) {
    return { kind: 'failed', words: `Specified template format ${template} is not supported` }
  }
  const given = { facts: {}, context: args.value('context'), defaults: args.value('defaults'), env: call.env }
  return renderFile(text, given, call)
}

function givenContents(
  args: Arguments,
  call: StateCall,
): { kind: 'found'; value: Value | undefined } | Extract<Text, { kind: 'failed' }> {
  const stores = [
    ['contents_pillar', 'Pillar', () => call.agent.pillar()],
    ['contents_grains', 'Grain', () => call.agent.grains.all()],
  ] as const
  for (const [argument, word, store] of stores) {
    const asked = args.value(argument)
    if (asked === null) continue
    const values: Value[] = []
    for (const key of Array.isArray(asked) ? asked : [asked]) {
      const found = traverse(store(), key, args.text('contents_delimiter'))
      if (found === undefined) return { kind: 'failed', words: `${word} ${pythonStr(key)} does not exist` }
      values.push(found)
    }
    return { kind: 'found', value: Array.isArray(asked) ? values.map(pythonStr).join('\n') : (values[0] ?? null) }
  }
  return { kind: 'found', value: args.value('contents') ?? undefined }
}

/** The file there has the digest that was given for a file of the web: it need not be fetched. */
async function isCurrent(name: string, args: Arguments, call: StateCall): Promise<boolean> {
  const { source, source_hash: hash, template } = { ...args.given(['source', 'source_hash', 'template']) }
  if (!pythonTruth(source ?? null) || !pythonTruth(hash ?? null) || pythonTruth(template ?? null)) return false
  if (args.is('skip_verify') || !(await exists(name))) return false
  try {
    const chosen = await chooseSource(source ?? null, hash ?? null, call.env, call)
    if (chosen === undefined || !isRemote(chosen.source)) return false
    const names = { name, source: chosen.source, hashName: some(args.value('source_hash_name')) }
    const sum = await sourceSum(names, chosen.hash, call.env, call)
    return (await hashFile(name, sum.hash_type)) === sum.hsum
  } catch (error) {
    call.agent.outside.log.error(
      `Failed checking existing file's hash against specified source_hash: ${messageOf(error)}`,
    )
    return false
  }
}

interface Owned {
  readonly user: Value
  readonly mode: Value
  readonly args: Arguments
}

async function permissionsOnly(
  ret: Managed,
  name: string,
  { user, mode, args }: Owned,
  call: StateCall,
): Promise<Managed> {
  const wanted = {
    user,
    group: args.value('group'),
    mode,
    attrs: args.value('attrs'),
    follow: args.is('follow_symlinks'),
  }
  const done = await checkPermissions(name, { ...wanted, test: call.test, attributes: attributesOf(call) })
  const after = withPermissions(ret, done)
  if (call.test) {
    const { lmode } = done.permissions
    const changes = mode !== null && lmode !== mode
    const words = `will be updated with permissions ${pythonStr(mode)} from its current state of ${pythonStr(lmode ?? null)}`
    return { ...after, comment: `File ${name} ${changes ? words : 'not updated'}` }
  }
  if (Object.keys(after.changes).length > 0 || after.result === false) return after
  return { ...after, comment: `File ${name} exists with proper permissions. No changes made.` }
}

interface Placing extends Owned {
  readonly name: string
  readonly keep: boolean
  readonly text: string | undefined
}

async function placed(ret: Managed, placing: Placing, call: StateCall): Promise<Managed> {
  const { name, args, keep } = placing
  const env = call.env
  let chosen: Awaited<ReturnType<typeof chooseSource>>
  try {
    chosen = await chooseSource(args.value('source'), args.value('source_hash'), env, call)
  } catch (error) {
    if (!(error instanceof CommandExecutionError)) throw error
    return failed(ret, `Unable to manage file: ${error.message}`)
  }
  let contents: Fetched | undefined = placing.text === undefined ? undefined : { kind: 'text', text: placing.text }
  if (contents === undefined && chosen !== undefined) {
    const context: Mapping = { ...mapIfAny(args.value('context')) }
    const more = accumulatedFor(call, name)
    if (more !== undefined) context.accumulator = more
    contents = await fetchSource(
      {
        name,
        chosen,
        hashName: some(args.value('source_hash_name')),
        skipVerify: args.is('skip_verify'),
        template: some(args.value('template')),
        env,
        context,
        defaults: args.value('defaults'),
        facts: {
          ...args.cleanKeywords,
          user: placing.user,
          group: args.value('group'),
          mode: placing.mode,
          attrs: args.value('attrs'),
        },
      },
      call,
    )
    if (contents.kind === 'failed') {
      return call.test ? failed(ret, contents.words) : failed(ret, `Unable to manage file: ${contents.words}`)
    }
  }
  const source = chosen?.source ?? ''
  const mode = keep ? await modeOf(source, call) : placing.mode
  const file: ManagedFile = {
    name,
    source,
    contents,
    verify: source !== '' && !source.startsWith('salt://') && !args.is('skip_verify'),
    user: placing.user,
    group: args.value('group'),
    mode,
    attrs: args.value('attrs'),
    backup: some(args.value('backup')) ?? '',
    makedirs: args.is('makedirs'),
    dirMode: args.value('dir_mode'),
    showChanges: args.is('show_changes'),
    follow: args.is('follow_symlinks'),
    test: call.test,
    isTemplate: placing.text !== undefined || some(args.value('template')) !== undefined,
  }
  if (call.test) return tested(ret, file, call)
  const refused = await refusedByCheck(ret, file, args, call)
  const done = refused ?? (await manageFile(ret, file, call))
  if (!args.is('keep_source')) await dropCopy(source, call)
  return done
}

/** Takes the source out of the minion's cache; a file of the minion's own stays. */
async function dropCopy(source: string, call: StateCall): Promise<void> {
  if (!source.startsWith('salt://') && !isRemote(source)) return
  const copy = await call.agent.files.cached(source, call.env)
  if (copy !== undefined) await rm(copy, { force: true })
}

/** The mode of the source. None where nobody knows it: of a file of the web, or of a master that tells none. */
async function modeOf(source: string, call: StateCall): Promise<Value> {
  if (isRemote(source)) return null
  const mode = source.startsWith('salt://')
    ? (await call.agent.files.stat(source, call.env))?.mode
    : await ownMode(source)
  if (mode !== undefined) return mode
  call.agent.outside.log.warn(`mode: keep has no mode to keep: nothing tells that of ${source}. Name the mode.`)
  return null
}

async function ownMode(source: string): Promise<string | undefined> {
  const found = await statOf(source.replace(/^file:\/\//, ''))
  return found === undefined ? undefined : modeText(found.mode)
}

async function tested(ret: Managed, file: ManagedFile, call: StateCall): Promise<Managed> {
  const changes = await changesOf(file, call)
  if (Object.keys(changes).length === 0) return ended(ret, true, `The file ${file.name} is in the correct state`)
  if ('diff' in changes && !file.showChanges) changes.diff = '<show_changes=False>'
  const note = 'Note: No changes made, actual changes may\nbe different due to other states.'
  return ended(ret, null, `The file ${file.name} is set to be changed\n${note}`, changes)
}

/** `check_cmd` is asked about a copy of what the file would become; nothing where it agrees. */
async function refusedByCheck(
  ret: Managed,
  file: ManagedFile,
  args: Arguments,
  call: StateCall,
): Promise<Managed | undefined> {
  const command = some(args.value('check_cmd'))
  if (command === undefined || Object.keys(await changesOf(file, call)).length === 0) return undefined
  const directory = some(args.value('tmp_dir')) ?? tmpdir()
  const copy = joinPath(directory, `brine-check-${randomBytes(6).toString('hex')}${some(args.value('tmp_ext')) ?? ''}`)
  try {
    const { contents } = file
    if (contents?.kind === 'file') await copyWhole(contents.path, copy, { mode: '0600' })
    else await writeWhole(copy, contents?.text ?? '', { mode: '0600' })
    const refusal = await checkedBy(command, copy, call)
    return refusal === undefined ? undefined : { ...ret, ...refusal }
  } finally {
    await rm(copy, { force: true })
  }
}

/** `file.managed`. */
export const managed = defineState(
  "name, source=None, source_hash='', source_hash_name=None, keep_source=True, user=None, group=None, mode=None, attrs=None, template=None, makedirs=False, dir_mode=None, context=None, replace=True, defaults=None, backup='', show_changes=True, create=True, contents=None, tmp_dir='', tmp_ext='', contents_pillar=None, contents_grains=None, contents_newline=True, contents_delimiter=':', encoding=None, encoding_errors='strict', allow_empty=True, follow_symlinks=True, check_cmd=None, skip_verify=False, selinux=None, win_owner=None, win_perms=None, win_deny_perms=None, win_inheritance=True, win_perms_reset=False, verify_ssl=True, use_etag=False, signature=None, source_hash_sig=None, signed_by_any=None, signed_by_all=None, keyring=None, gnupghome=None, **kwargs",
  `A file with these contents, this owner and this mode. It is written in one step: never is half of it there.

source
    \`\`salt://…\`\`, \`\`http(s)://…\`\` or a path of the minion; of a list the first that is there.
source_hash, source_hash_name, skip_verify
    The digest of a file of the web, or where a list of digests is and under which name; or do without.
contents, contents_pillar, contents_grains
    The contents, or where in the pillar or the grains they are. A list is lines.
contents_newline, allow_empty
    False: without a line feed at the end; False: empty contents are an error.
template, context, defaults
    \`\`jinja\`\`, and what it sees besides what every template sees.
user, group, mode, attrs
    Whose it is and who may do what; \`\`mode: keep\`\` takes the source's.
makedirs, dir_mode
    Make the directories above it.
replace, create
    False: leave the contents that are there; False: make no new file.
backup
    \`\`minion\`\`: keep what was there in the minion's cache.
keep_source
    False: leave no copy of the source in the minion's cache.
show_changes
    False: show no difference.
check_cmd, tmp_dir, tmp_ext
    A command that gets the path of a copy and says whether the file is good, and where that copy is.
follow_symlinks
    False: replace a link by a file.${slsExample(`
/etc/http/conf/http.conf:
  file.managed:
    - source: salt://apache/http.conf
    - user: root
    - group: root
    - mode: '0644'
    - template: jinja
    - defaults:
        custom_var: default value`)}`,
  manage,
)
