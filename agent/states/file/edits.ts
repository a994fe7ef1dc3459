// Edits of a file's text: `line`, `replace`, `blockreplace`, `comment`, `uncomment`.
import { readFile } from 'node:fs/promises'
import { messageOf } from '../../../core/error.ts'
import { unifiedDiff } from '../../../core/value/unified-diff.ts'
import { replaceBlock } from '../../filesystem/edit-block.ts'
import { commentLines } from '../../filesystem/edit-comment.ts'
import { editLine } from '../../filesystem/edit-line.ts'
import { replaceInFile, searchInFile } from '../../filesystem/edit-replace.ts'
import { modeNumber, normalMode } from '../../filesystem/mode.ts'
import { exists } from '../../filesystem/paths.ts'
import { MULTILINE } from '../../filesystem/pattern.ts'
import { checkPermissions } from '../../filesystem/permissions.ts'
import { decode, textLinesWithEnds } from '../../filesystem/text.ts'
import { writeWhole } from '../../filesystem/write.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { backupOf, blockOf, lineEdit, refuseEncoding, replacementOf } from '../../modules/file/edits.ts'
import type { Managed } from '../../modules/file/manage.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { accumulatedLines } from './accumulated.ts'
import { begun, ended, failed, nameOf, wrongFile, wrongOwner } from './outcome.ts'
import { sourceTexts } from './source-texts.ts'

/** What an edit that answers with a difference comes to. */
function told(ret: Managed, diff: string | boolean, test: boolean, would: string): Managed {
  if (diff === false || diff === '') return ended(ret, true, 'No changes needed to be made')
  return ended(ret, test ? null : true, test ? would : 'Changes were made', { diff })
}

async function line(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name)
  if (name === '') return failed(ret, 'Must provide name to file.line')
  await prepared(name, args, call)
  const wrong = await wrongFile(name)
  if (wrong !== undefined) return failed(ret, wrong)
  if (args.value('mode') === null) return failed(ret, 'Mode was not defined. How to process the file?')
  if (args.text('mode').toLowerCase() !== 'delete' && args.value('content') === null) {
    return failed(ret, "Content can only be empty if mode is ['delete']")
  }
  const diff = await editLine(name, lineEdit(args), {
    showChanges: args.is('show_changes'),
    backup: args.is('backup'),
    quiet: args.is('quiet'),
    test: call.test,
  })
  return told(ret, diff, call.test, 'Changes would be made')
}

/** The file with the owner and mode asked for, made where `create` says so. */
async function prepared(name: string, args: Arguments, call: StateCall): Promise<void> {
  const [user, group, mode] = [args.value('user'), args.value('group'), normalMode(args.value('file_mode'))]
  if (call.test || !name.startsWith('/') || (await wrongOwner(user, group, call)) !== undefined) return
  if (!(await exists(name))) {
    if (!args.is('create')) return
    const known = mode === undefined || modeNumber(mode) === undefined ? {} : { mode }
    await writeWhole(name, '', known)
  }
  await checkPermissions(name, { user, group, mode: mode ?? null, follow: true, test: false })
}

async function replace(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name)
  if (name === '') return failed(ret, 'Must provide name to file.replace')
  refuseEncoding(args)
  const wrong = await wrongFile(name)
  if (wrong !== undefined) {
    if (args.is('ignore_if_missing') && wrong.includes('file not found')) {
      return ended(ret, true, 'No changes needed to be made')
    }
    return failed(ret, wrong)
  }
  const diff = await replaceInFile(name, replacementOf(args), {
    ...backupOf(args),
    dryRun: call.test,
    showChanges: args.is('show_changes'),
    ignoreMissing: args.is('ignore_if_missing'),
  })
  return told(ret, diff, call.test, 'Changes would have been made')
}

async function block(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name, false)
  if (name === '') return failed(ret, 'Must provide name to file.blockreplace')
  const wrong = await wrongFile(name)
  if (wrong !== undefined) return failed(ret, wrong)
  const texts = await sourceTexts(args, call)
  if (texts.kind === 'failed') return failed({ ...ret, name: texts.name ?? name }, texts.words)
  const gathered = accumulatedLines(call, name)
  const content = [args.text('content'), ...gathered].filter((text, index) => index > 0 || text !== '').join('\n')
  try {
    const diff = await replaceBlock(name, blockOf(args, content + texts.texts.join('')), {
      ...backupOf(args),
      dryRun: call.test,
      showChanges: args.is('show_changes'),
    })
    return told(ret, diff, call.test, 'Changes would be made')
  } catch (error) {
    return failed(ret, `Encountered error managing block: ${messageOf(error)}. See the log for details.`)
  }
}

const textOf = async (name: string): Promise<string> => decode(await readFile(name))

async function commentOut(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name, false)
  if (name === '') return failed(ret, 'Must provide name to file.comment')
  const wrong = await wrongFile(name)
  if (wrong !== undefined) return failed(ret, wrong)
  const [regex, char] = [args.text('regex'), args.text('char')]
  const bare = regex.replace(/^(\(\?[iLmsux]\))?\^?(.*?)\$?$/, '$2')
  const done = char + bare
  const search = (pattern: string): Promise<boolean> => searchInFile(name, pattern, MULTILINE, { multiline: true })
  if (!(await search(`^(?!\\s*${char})\\s*${bare}`))) {
    if (await search(done)) return ended(ret, true, 'Pattern already commented')
    if (args.is('ignore_missing')) return ended(ret, true, 'Pattern not found and ignore_missing set to True')
    return failed(ret, `${bare}: Pattern not found`)
  }
  return commented(ret, name, { regex, char, comment: true, ...backupOf(args) }, () => search(done), call)
}

async function commentIn(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name, false)
  if (name === '') return failed(ret, 'Must provide name to file.uncomment')
  const wrong = await wrongFile(name)
  if (wrong !== undefined) return failed(ret, wrong)
  const [regex, char] = [args.text('regex'), args.text('char')]
  const bare = regex.replace(/^\^+/, '')
  const search = (pattern: string): Promise<boolean> => searchInFile(name, pattern, MULTILINE, { multiline: true })
  const done = `^[ \t]*${bare}`
  if (!(await search(`${char}[ \t]*${bare}`))) {
    if (await search(done)) return ended(ret, true, 'Pattern already uncommented')
    return failed(ret, `${regex}: Pattern not found`)
  }
  return commented(ret, name, { regex, char, comment: false, ...backupOf(args) }, () => search(done), call)
}

async function commented(
  ret: Managed,
  name: string,
  edit: Parameters<typeof commentLines>[1],
  isDone: () => Promise<boolean>,
  call: StateCall,
): Promise<Managed> {
  if (call.test) return ended(ret, null, `File ${name} is set to be updated`, { [name]: 'updated' })
  const before = textLinesWithEnds(await textOf(name))
  await commentLines(name, edit)
  const after = textLinesWithEnds(await textOf(name))
  const diff = unifiedDiff(before, after).join('')
  const changes = diff === '' ? {} : { diff }
  const word = edit.comment ? 'commented' : 'uncommented'
  if (!(await isDone())) return ended(ret, false, `Expected ${word} lines not found`, changes)
  return ended(ret, true, `${word.charAt(0).toUpperCase()}${word.slice(1)} lines successfully`, changes)
}

const commentArguments = `regex
    An expression for the lines.
char
    The comment sign.
backup
    The ending of the copy's name, or False.`

/** `file.line`. */
export const lineState = defineState(
  'name, content=None, match=None, mode=None, location=None, before=None, after=None, show_changes=True, backup=False, quiet=False, indent=True, create=False, user=None, group=None, file_mode=None',
  `A line of a file is there, is another, or is not.

mode
    \`\`ensure\`\` that it is there, \`\`insert\`\` it, \`\`replace\`\` the first that matches, \`\`delete\`\` those that match.
content, match
    The line; an expression for the line that is meant.
location, before, after
    \`\`start\`\` or \`\`end\`\`; expressions for the lines it goes between.
create, user, group, file_mode
    Make the file where there is none; whose it is.${slsExample(`
/etc/myconfig.conf:
  file.line:
    - content: my key = my value
    - mode: ensure
    - after: somekey.*?`)}`,
  line,
)

/** `file.replace`. */
export const replaceState = defineState(
  "name, pattern, repl, count=0, flags=8, bufsize=1, append_if_not_found=False, prepend_if_not_found=False, not_found_content=None, backup='.bak', show_changes=True, ignore_if_missing=False, backslash_literal=False, encoding=None",
  `What an expression finds in a file is replaced.

pattern, repl, count, flags
    The expression; what to put there, \`\`\\1\`\` and \`\`\\g<name>\`\` for its groups; at most so many; \`\`IGNORECASE\`\` and the like.
append_if_not_found, prepend_if_not_found, not_found_content
    Where nothing is found, put this (or \`\`repl\`\`) at an end.
backup
    The ending of the copy's name, or False.${slsExample(`
/etc/httpd/httpd.conf:
  file.replace:
    - pattern: LogLevel warn
    - repl: LogLevel info`)}`,
  replace,
)

/** `file.blockreplace`. */
export const blockState = defineState(
  "name, marker_start='#-- start managed zone --', marker_end='#-- end managed zone --', source=None, source_hash=None, template='jinja', sources=None, source_hashes=None, defaults=None, context=None, content='', append_if_not_found=False, prepend_if_not_found=False, backup='.bak', show_changes=True, append_newline=None, insert_before_match=None, insert_after_match=None",
  `Text stands between two marker lines of a file.

content, source, sources
    The text; files it comes from.
append_if_not_found, prepend_if_not_found, insert_before_match, insert_after_match
    Where the block goes when there is none yet.
append_newline
    The end marker gets a line of its own; None: where the content does not end in one.${slsExample(`
hosts-config-block:
  file.blockreplace:
    - name: /etc/hosts
    - marker_start: "# START managed zone 42 -DO-NOT-EDIT-"
    - marker_end: "# END managed zone 42 --"
    - content: 'First line of content'
    - append_if_not_found: True`)}`,
  block,
)

/** `file.comment`. */
export const commentState = defineState(
  "name, regex, char='#', backup='.bak', ignore_missing=False, encoding=None, encoding_errors='strict'",
  `Lines of a file are commented out.

${commentArguments}
ignore_missing
    Fine where no line matches.${slsExample(`
/etc/fstab:
  file.comment:
    - regex: ^bind 127.0.0.1`)}`,
  commentOut,
)

/** `file.uncomment`. */
export const uncommentState = defineState(
  "name, regex, char='#', backup='.bak'",
  `Lines of a file are not commented out.

${commentArguments}${slsExample(`
/etc/adduser.conf:
  file.uncomment:
    - regex: EXTRA_GROUPS`)}`,
  commentIn,
)
