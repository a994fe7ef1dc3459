// `file.append` and `file.prepend`: lines at an end of a file, unless they are there.
import { readFile } from 'node:fs/promises'
import { escapeRegex } from '../../../core/value/escape-regex.ts'
import type { Value } from '../../../core/value/index.ts'
import { unifiedDiff } from '../../../core/value/unified-diff.ts'
import { makeParents } from '../../filesystem/directories.ts'
import { searchInFile } from '../../filesystem/edit-replace.ts'
import { directoryName, isDirectory } from '../../filesystem/paths.ts'
import { MULTILINE } from '../../filesystem/pattern.ts'
import { decode, isBinaryFile, textLines, textLinesWithEnds } from '../../filesystem/text.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { appendLines, prependLines } from '../../modules/file/contents.ts'
import type { Managed } from '../../modules/file/manage.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { begun, ended, failed, nameOf, textsOf, wrongFile } from './outcome.ts'
import { touched } from './presence.ts'
import { sourceTexts } from './source-texts.ts'

/** Salt's `build_whitespace_split_regex`: the text with any space between its words. */
function anySpace(text: string): string {
  const gap = '(?:[\\s]+)?'
  const lines = textLines(text).map((line) => gap + line.split(/\s+/).filter(Boolean).map(escapeRegex).join(gap) + gap)
  return `(?m)^${lines.join('')}$`
}

type Ready =
  | { readonly kind: 'ready'; readonly texts: readonly string[] }
  | { readonly kind: 'ended'; readonly ret: Managed }

/** The file is there and the texts are known. */
async function prepared(ret: Managed, name: string, args: Arguments, call: StateCall, fun: string): Promise<Ready> {
  const stop = (end: Managed): Ready => ({ kind: 'ended', ret: end })
  if (name === '') return stop(failed(ret, `Must provide name to file.${fun}`))
  const sources = await sourceTexts(args, call)
  if (sources.kind === 'failed') return stop(failed({ ...ret, name: sources.name ?? name }, sources.words))
  const makedirs = args.value('makedirs') === true
  if (makedirs && !call.test && !(await isDirectory(directoryName(name)))) await makeParents(name, {})
  const wrong = await wrongFile(name)
  if (wrong !== undefined) {
    const made = await touched(name, { atime: null, mtime: null, makedirs: args.is('makedirs') }, call.test)
    if (call.test) return stop(made)
    if ((await wrongFile(name)) !== undefined) return stop(failed(ret, wrong))
  }
  return { kind: 'ready', texts: sources.given ? sources.texts : textsOf(args.value('text')) }
}

async function differing(
  name: string,
  before: readonly string[],
  after: readonly string[],
  end: string,
): Promise<{ diff?: Value }> {
  if (before.length === after.length && before.every((line, index) => line === after[index])) return {}
  if (await isBinaryFile(name)) return { diff: 'Replace binary file' }
  return { diff: unifiedDiff(before, after).join(end) }
}

const search = (name: string, pattern: string): Promise<boolean> =>
  searchInFile(name, pattern, MULTILINE, { multiline: true })

async function append(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name, false)
  const ready = await prepared(ret, name, args, call, 'append')
  if (ready.kind === 'ended') return ready.ret
  const before = textLines(decode(await readFile(name)))
  const lines: string[] = []
  for (const text of ready.texts) {
    if (await search(name, args.is('ignore_whitespace') ? anySpace(text) : text)) continue
    lines.push(...textLines(text))
  }
  const after = [...before, ...lines]
  const fine = `File ${name} is in correct state`
  if (call.test) {
    const changes = await differing(name, before, after, '\n')
    return 'diff' in changes ? ended(ret, null, `File ${name} is set to be updated`, changes) : ended(ret, true, fine)
  }
  if (lines.length === 0) return ended(ret, true, fine)
  await appendLines(name, lines)
  const now = textLines(decode(await readFile(name)))
  return ended(ret, true, `Appended ${lines.length} lines`, await differing(name, before, now, '\n'))
}

async function prepend(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name, false)
  const ready = await prepared(ret, name, args, call, 'prepend')
  if (ready.kind === 'ended') return ready.ret
  const before = textLinesWithEnds(decode(await readFile(name)))
  const header = args.is('header')
  const lines: string[] = []
  for (const text of ready.texts) {
    if (!header && (await search(name, anySpace(text)))) continue
    lines.push(...textLines(text))
  }
  const head = before.slice(0, lines.length).flatMap(textLines)
  const there = header && head.length === lines.length && head.every((line, index) => line === lines[index])
  const fine = `File ${name} is in correct state`
  if (call.test) {
    const changes = await differing(name, before, [...lines.map((line) => `${line}\n`), ...before], '')
    return 'diff' in changes ? ended(ret, null, `File ${name} is set to be updated`, changes) : ended(ret, true, fine)
  }
  if (lines.length === 0 || there) return ended(ret, true, fine)
  await prependLines(name, lines)
  const now = textLinesWithEnds(decode(await readFile(name)))
  return ended(ret, true, `Prepended ${lines.length} lines`, await differing(name, before, now, ''))
}

const shared =
  "name, text=None, makedirs=False, source=None, source_hash=None, template='jinja', sources=None, source_hashes=None, defaults=None, context=None"

/** `file.append`. */
export const appendState = defineState(
  `${shared}, ignore_whitespace=True, encoding=None, encoding_errors='strict'`,
  `Text stands at the end of a file, or anywhere in it.

text
    A text or a list of texts.
source, sources, source_hash, source_hashes, template, context, defaults
    Files it comes from, which are rendered.
makedirs
    Make the directories above the file.
ignore_whitespace
    It is there whatever the space between its words.${slsExample(`
/etc/motd:
  file.append:
    - text:
      - Trust no one unless you have eaten much salt with him.
      - "Salt is born of the purest of parents: the sun and the sea."`)}`,
  append,
)

/** `file.prepend`. */
export const prependState = defineState(
  `${shared}, header=None, encoding=None, encoding_errors='strict'`,
  `Text stands at the beginning of a file, or anywhere in it.

header
    It has to be at the very beginning.
text, source, sources, makedirs
    As of \`\`file.append\`\`.${slsExample(`
/etc/motd:
  file.prepend:
    - text:
      - Thou hadst better eat salt with the Philosophers of Greece,
      - than sugar with the Courtiers of Italy.`)}`,
  prepend,
)
