// Edits the text of files: lines, matches, blocks, comments.
import { pythonStr, type Value } from '../../../core/value/index.ts'
import { replaceBlock } from '../../filesystem/edit-block.ts'
import { commentLines } from '../../filesystem/edit-comment.ts'
import { editLine } from '../../filesystem/edit-line.ts'
import { replaceInFile, searchInFile } from '../../filesystem/edit-replace.ts'
import { expandUser, isDirectory } from '../../filesystem/paths.ts'
import { flagsOf } from '../../filesystem/pattern.ts'
import type { Arguments } from '../arguments.ts'
import { which } from '../cmd-run.ts'
import { CommandExecutionError, CommandNotFoundError, SaltInvocationError } from '../errors.ts'
import { type Call, define, type ExecutionFunction, examples } from '../module.ts'
import { shellWords } from '../shell-words.ts'
import { inTest, pathOf, some } from './asked.ts'

const defined = (args: Arguments, name: string): string | undefined => {
  const value = args.value(name)
  return value === null ? undefined : pythonStr(value)
}

/** Leaves out what is undefined. */
function present<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** The arguments of `file.line`, of the function and of the state. */
export function lineEdit(args: Arguments) {
  return {
    ...present({
      content: defined(args, 'content'),
      match: defined(args, 'match'),
      mode: defined(args, 'mode'),
      location: defined(args, 'location'),
      before: defined(args, 'before'),
      after: defined(args, 'after'),
    }),
    indent: args.is('indent'),
  }
}

/** What `file.replace` looks for and puts there. */
export function replacementOf(args: Arguments) {
  return {
    pattern: args.text('pattern'),
    replacement: args.text('repl'),
    count: args.integer('count'),
    flags: flagsOf(args.value('flags')),
    append: args.is('append_if_not_found'),
    prepend: args.is('prepend_if_not_found'),
    ...present({ otherwise: defined(args, 'not_found_content') }),
    literal: args.is('backslash_literal'),
  }
}

/** The block of `file.blockreplace`; `newline` of None looks at the content. */
export function blockOf(args: Arguments, content: string) {
  const asked = [
    args.is('append_if_not_found'),
    args.is('prepend_if_not_found'),
    args.is('insert_before_match'),
    args.is('insert_after_match'),
  ]
  if (asked.filter(Boolean).length > 1) {
    throw new SaltInvocationError(
      'Only one of append_if_not_found, prepend_if_not_found, insert_before_match, and insert_after_match is permitted',
    )
  }
  for (const name of ['insert_before_match', 'insert_after_match']) {
    if (args.is(name) && typeof args.value(name) !== 'string')
      throw new CommandExecutionError(`RegEx expected in ${name} parameter.`)
  }
  const newline = args.value('append_newline')
  return {
    start: args.text('marker_start'),
    end: args.text('marker_end'),
    content,
    append: args.is('append_if_not_found'),
    prepend: args.is('prepend_if_not_found'),
    ...present({
      beforeMatch: some(args.value('insert_before_match')),
      afterMatch: some(args.value('insert_after_match')),
    }),
    ...(newline === null ? {} : { newline: args.is('append_newline') }),
  }
}

/** The ending of a copy's name: none for False and nothing. */
export function backupOf(args: Arguments): { readonly backup?: string } {
  return present({ backup: args.is('backup') ? args.text('backup') : undefined })
}

async function replace(args: Arguments): Promise<string | boolean> {
  refuseEncoding(args)
  const path = await pathOf(args)
  if (args.is('search_only')) {
    if (args.is('append_if_not_found') || args.is('prepend_if_not_found')) {
      throw new SaltInvocationError('search_only cannot be used with append/prepend_if_not_found')
    }
    return searchInFile(path, args.text('pattern'), flagsOf(args.value('flags')), {
      ignoreMissing: args.is('ignore_if_missing'),
    })
  }
  return replaceInFile(path, replacementOf(args), {
    ...backupOf(args),
    dryRun: args.is('dry_run'),
    showChanges: args.is('show_changes'),
    ignoreMissing: args.is('ignore_if_missing'),
  })
}

/** Only UTF-8 is known. */
export function refuseEncoding(args: Arguments): void {
  const encoding = args.value('encoding')
  if (encoding === null || /^utf-?8$/i.test(pythonStr(encoding))) return
  throw new SaltInvocationError(
    `encoding=${pythonStr(encoding)} is not available: files are edited as UTF-8 or as bytes.`,
  )
}

async function commented(args: Arguments, comment: boolean): Promise<string | false> {
  return commentLines(await pathOf(args), {
    regex: args.text('regex'),
    char: args.text('char'),
    comment,
    ...backupOf(args),
  })
}

async function patch(args: Arguments, call: Call): Promise<Value> {
  const program = await which('patch')
  if (program === undefined) {
    throw new CommandNotFoundError("patch executable not found. Is the distribution's patch package installed?")
  }
  const original = await expandUser(args.text('originalfile'))
  const given = args.value('options')
  const options = Array.isArray(given) ? given.map(pythonStr) : shellWords(pythonStr(given))
  const has = (test: RegExp): boolean => options.some((option) => test.test(option))
  const isFolder = await isDirectory(original)
  const command = [
    program,
    ...options,
    ...(args.is('dry_run') ? ['--dry-run'] : []),
    ...(has(/^(-N|--forward)$/) ? [] : ['--forward']),
    ...(has(/^(-r$|-r |--reject-file)/) ? [] : ['--reject-file=-']),
    '-i',
    args.text('patchfile'),
    ...(isFolder ? ['-d', original] : []),
    ...(isFolder && !has(/^(-p|--strip=)/) ? ['--strip=0'] : []),
    ...(isFolder ? [] : [original]),
  ]
  return call.salt('cmd.run_all', [command], { python_shell: false })
}

/** The functions, by their names. */
export const editing: Readonly<Record<string, ExecutionFunction>> = {
  line: define(
    'path, content=None, match=None, mode=None, location=None, before=None, after=None, show_changes=True, backup=False, quiet=False, indent=True',
    `Edit one line of a file; returns the difference.

mode
    \`\`ensure\`\` that the line is there, \`\`insert\`\` it, \`\`replace\`\` the first that matches, \`\`delete\`\` those that match.
content, match
    The line; an expression for the line that is meant.
location
    \`\`start\`\` or \`\`end\`\` of the file, to insert at.
before, after
    Expressions for the lines it goes between.
indent
    Indent it as the line beside it.
backup
    Keep a copy named for the moment.
quiet
    Answer False where there is no file.${examples(`brine '*' file.line /etc/nsswitch.conf "networks: files dns" after="hosts:.*?" mode='ensure'`)}`,
    async (args, call) =>
      editLine(await pathOf(args), lineEdit(args), {
        showChanges: args.is('show_changes'),
        backup: args.is('backup'),
        quiet: args.is('quiet'),
        test: inTest(call),
      }),
  ),
  replace: define(
    "path, pattern, repl, count=0, flags=8, bufsize=1, append_if_not_found=False, prepend_if_not_found=False, not_found_content=None, backup='.bak', dry_run=False, search_only=False, show_changes=True, ignore_if_missing=False, preserve_inode=True, backslash_literal=False, encoding=None",
    `Replace what a regular expression finds in a file; returns the difference.

repl
    What to put there; \`\`\\1\`\` and \`\`\\g<name>\`\` are the expression's groups.
count
    At most so many; 0 is all.
flags
    A list of \`\`IGNORECASE\`\`, \`\`MULTILINE\`\`, \`\`DOTALL\`\`, … or their sum.
append_if_not_found, prepend_if_not_found, not_found_content
    Where nothing is found, put this (or \`\`repl\`\`) at an end.
backup
    The ending of the copy's name, or False.
dry_run, search_only
    Only tell; only tell whether something is found.
backslash_literal
    Backslashes in \`\`repl\`\` stand for themselves.${examples(`brine '*' file.replace /etc/httpd/httpd.conf pattern='LogLevel warn' repl='LogLevel info'`, `brine '*' file.replace /some/file 'before' 'after' flags='[MULTILINE, IGNORECASE]'`)}`,
    replace,
  ),
  blockreplace: define(
    "path, marker_start='#-- start managed zone --', marker_end='#-- end managed zone --', content='', append_if_not_found=False, prepend_if_not_found=False, backup='.bak', dry_run=False, show_changes=True, append_newline=False, insert_before_match=None, insert_after_match=None",
    `Put text between two marker lines of a file; returns the difference.

append_if_not_found, prepend_if_not_found, insert_before_match, insert_after_match
    Where the block goes when there is none yet.
append_newline
    The end marker gets a line of its own; None: where the content does not end in one.${examples(`brine '*' file.blockreplace /etc/hosts '#-- start managed zone foobar : DO NOT EDIT --' '#-- end managed zone foobar --' $'10.0.1.1 foo.foobar' True`)}`,
    async (args) =>
      replaceBlock(await pathOf(args), blockOf(args, args.text('content')), {
        ...backupOf(args),
        dryRun: args.is('dry_run'),
        showChanges: args.is('show_changes'),
      }),
  ),
  comment_line: define(
    "path, regex, char='#', cmnt=True, backup='.bak'",
    `Comment out the lines an expression matches from their beginning, or with \`\`cmnt=False\`\` in; returns the difference.${examples("brine '*' file.comment_line /etc/modules '^floppy' '#' True .bak")}`,
    (args) => commented(args, args.is('cmnt')),
  ),
  comment: define(
    "path, regex, char='#', backup='.bak'",
    `Comment out the lines an expression matches; returns the difference.${examples("brine '*' file.comment /etc/modules pcspkr")}`,
    (args) => commented(args, true),
  ),
  uncomment: define(
    "path, regex, char='#', backup='.bak'",
    `Take the comment sign off the lines an expression matches; returns the difference.${examples("brine '*' file.uncomment /etc/hosts.deny 'ALL: PARANOID'")}`,
    (args) => commented(args, false),
  ),
  patch: define(
    "originalfile, patchfile, options='', dry_run=False",
    `Run \`\`patch\`\` over a file or a directory and return all of its output.${examples("brine '*' file.patch /opt/file.txt /tmp/file.txt.patch")}`,
    patch,
  ),
}
