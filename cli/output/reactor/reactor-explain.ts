// The outputter of `reactor.explain`: why an event did, or did not, lead to something.
import { get, isMap, type Value } from '../../../core/value/index.ts'
import { type Colours, colours } from '../colour.ts'
import { type OutputOptions, Unprintable } from '../outputter.ts'
import { behind, type Fields, hasField, inline, mapOfField, mapsOf, numberOf, textOf, textsOf } from './field.ts'
import { outcomeLines, reactionHeading, reactionLines } from './reaction.ts'

/** Lines at most of what a file rendered to; the whole is in `--out json`. */
const MOST_LINES = 40
/** Entries at most that are told although they did not match. */
const MOST_MISSED = 4

/** Prints an explanation. */
export function reactorExplain(data: Value, options: OutputOptions): string {
  if (!isMap(data) || !hasField(data, 'entries')) throw new Unprintable('reactor_explain', inline(data))
  const shades = colours(options.color)
  const lines = [...heading(data), textOf(data, 'summary')]
  const letter = mapOfField(data, 'dead')
  if (hasField(letter, 'reason')) lines.push(`Given up at ${textOf(letter, 'at')}: ${textOf(letter, 'reason')}`)
  lines.push('', 'Entries:', ...entryLines(data, shades))
  if (get(data, 'changed') === true) {
    lines.push('  (These are in force now. The event was planned by another set, which the files below are of.)')
  }
  for (const file of mapsOf(data, 'files')) lines.push('', ...fileLines(file, textOf(data, 'at'), shades))
  return lines.join('\n')
}

/** The event: id, tag, when, from whom, what caused it. */
function heading(data: Fields): string[] {
  if (!hasField(data, 'event')) return []
  const minion = textOf(data, 'minion')
  const source = minion === '' ? textOf(data, 'source') : `minion ${minion}`
  const parts = [textOf(data, 'at'), source === '' ? '' : `from ${source}`].filter((part) => part !== '')
  const lines = [`${textOf(data, 'event')} ${textOf(data, 'tag')}${parts.length === 0 ? '' : `, ${parts.join(', ')}`}`]
  if (hasField(data, 'replay_of')) lines.push(`A replay of ${textOf(data, 'replay_of')}.`)
  const cause = mapOfField(data, 'cause')
  if (hasField(cause, 'parent')) {
    const jid = textOf(cause, 'jid')
    const by = jid === '' ? '' : ` through ${jid}`
    lines.push(`Caused by ${textOf(cause, 'parent')}${by}, ${depthOf(cause)} from ${textOf(cause, 'root')}.`)
  }
  return lines
}

function depthOf(cause: Fields): string {
  const depth = textOf(cause, 'depth')
  return depth === '1' ? 'one reaction' : `${depth} reactions`
}

/** Every entry that matched, and of the others those that come nearest. */
function entryLines(data: Fields, shades: Colours): string[] {
  const entries = mapsOf(data, 'entries')
  if (entries.length === 0) return ['  none']
  const near = new Set(
    entries
      .filter((entry) => get(entry, 'matched') !== true)
      .sort((a, b) => nearness(b) - nearness(a))
      .slice(0, MOST_MISSED),
  )
  const lines = entries.flatMap((entry) => {
    const glob = textOf(entry, 'glob')
    if (get(entry, 'matched') === true)
      return [`  ${shades.LIGHT_GREEN}+${shades.ENDC} ${glob}: ${textsOf(entry, 'files').join(', ')}`]
    return near.has(entry) ? [`  ${shades.LIGHT_YELLOW}-${shades.ENDC} ${glob}: ${textOf(entry, 'reason')}`] : []
  })
  const left = entries.length - lines.length
  return left === 0 ? lines : [...lines, `  … ${left} more that ${left === 1 ? 'does' : 'do'} not match`]
}

/** One whose glob matches and whose data does not comes nearest. */
function nearness(entry: Fields): number {
  if (hasField(entry, 'asks') && !hasField(entry, 'mismatch')) return Number.POSITIVE_INFINITY
  return numberOf(mapOfField(entry, 'mismatch'), 'position', -1)
}

function fileLines(file: Fields, at: string, shades: Colours): string[] {
  const lines = [`${textOf(file, 'sls')} (${textOf(file, 'glob')}):`]
  const error = mapOfField(file, 'error')
  if (hasField(error, 'message')) {
    const mark = textOf(file, 'outcome') === 'held' ? `${shades.LIGHT_YELLOW}-` : `${shades.LIGHT_RED}!`
    return [...lines, ...behind(`  ${mark}${shades.ENDC} `, textOf(error, 'message'))]
  }
  const text = textOf(file, 'text')
  const shown = text.trim() === '' ? ['  | (nothing but space)'] : behind('  | ', text)
  lines.push(...shown.slice(0, MOST_LINES))
  if (shown.length > MOST_LINES) lines.push(`  | … ${shown.length - MOST_LINES} lines more`)
  const reactions = mapsOf(file, 'reactions')
  if (reactions.length === 0) lines.push('  no reaction')
  for (const reaction of reactions) {
    lines.push(`  ${reactionHeading(reaction, shades)}`)
    const below = [...reactionLines(reaction, at), ...outcomeLines(reaction, at, shades)]
    lines.push(...below.map((line) => `    ${line}`))
  }
  return lines
}
