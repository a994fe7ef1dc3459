// The box of comments that heads a managed file.

import type { Arguments } from '../arguments.ts'
import { PythonError } from '../errors.ts'

/** Lines of at most `width`, broken at spaces; a longer word is cut. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (let word of text.split(/\s+/).filter(Boolean)) {
    if (line !== '' && line.length + 1 + word.length <= width) {
      line += ` ${word}`
      continue
    }
    if (line !== '') lines.push(line)
    for (; word.length > width; word = word.slice(width)) lines.push(word.slice(0, width))
    line = word
  }
  return line === '' ? lines : [...lines, line]
}

/** Python's `str.center`. */
function centered(text: string, width: number): string {
  const space = width - text.length
  if (space <= 0) return text
  const left = Math.floor(space / 2) + (space & width & 1)
  return ' '.repeat(left) + text + ' '.repeat(space - left)
}

const usualTitle = 'THIS FILE IS MANAGED BY SALT - DO NOT EDIT'
const usualText =
  'The contents of this file are managed by Salt. Any changes to this file may be overwritten automatically and without warning.'

/** The lines of the box. Throws where it is too narrow for any text. */
export function banner(args: Arguments): string {
  const width = args.integer('width')
  const [comment, border] = [args.text('commentchar'), args.text('borderchar')]
  const [left, right] = [comment.trimEnd(), comment.trim()]
  const room = width - left.length - right.length - 2
  if (room <= 0) throw new PythonError('salt.exceptions.ArgumentValueError', 'Width is too small to render banner')
  const edge = comment + border.slice(0, 1).repeat(Math.max(0, width - left.length - right.length)) + right
  const space = comment + ' '.repeat(Math.max(0, width - comment.length * 2)) + comment
  const row = (text: string): string => `${left} ${text} ${right}`
  const title = args.value('title') === null ? usualTitle : args.text('title')
  const text = args.value('text') === null ? usualText : args.text('text')
  const lines = [
    ...(args.value('blockstart') === null ? [] : [args.text('blockstart')]),
    edge,
    space,
    ...wrapped(title, room).map((line) => row(centered(line, room))),
    space,
    ...wrapped(text, room).map((line) => row(line.padEnd(room))),
    edge,
    ...(args.value('blockend') === null ? [] : [args.text('blockend')]),
  ]
  return lines.join('\n') + (args.is('newline') ? '\n' : '')
}
