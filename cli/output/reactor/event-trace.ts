// The outputter of `event.trace`: the tree of an event, with times after its root.
import { get, isMap, pythonStr, type Value } from '../../../core/value/index.ts'
import { type Colours, colours } from '../colour.ts'
import { type OutputOptions, Unprintable } from '../outputter.ts'
import { after, argumentsOf, type Fields, hasField, inline, mapOfField, mapsOf, textOf } from './field.ts'
import { outcomeLines, reactionHeading, reactionLines } from './reaction.ts'

/** A line and what hangs below it. */
interface Branch {
  readonly line: string
  readonly below: readonly Branch[]
}

/** Prints a trace. */
export function eventTrace(data: Value, options: OutputOptions): string {
  if (!isMap(data) || !hasField(data, 'tree')) throw new Unprintable('event_trace', inline(data))
  const tree = mapOfField(data, 'tree')
  const page: Page = { from: textOf(tree, 'at'), asked: textOf(data, 'asked'), shades: colours(options.color) }
  const lines = drawn(eventBranch(tree, page, true), '', '')
  if (get(data, 'truncated') === true)
    lines.push('There is more: the log after the root is too long to read to its end.')
  if (get(data, 'lost_root') === true) lines.push(`The root ${textOf(data, 'root')} is no longer in the log.`)
  return lines.join('\n')
}

interface Page {
  readonly from: string
  readonly asked: string
  readonly shades: Colours
}

function drawn({ line, below }: Branch, first: string, rest: string): string[] {
  return [
    first + line,
    ...below.flatMap((branch, index) => {
      const isLast = index === below.length - 1
      return drawn(branch, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`)
    }),
  ]
}

function leaf(line: string): Branch {
  return { line, below: [] }
}

function eventBranch(node: Fields, page: Page, isRoot: boolean): Branch {
  const minion = textOf(node, 'minion')
  const time = isRoot ? textOf(node, 'at') : after(textOf(node, 'at'), page.from)
  const from = minion === '' ? '' : `, from ${minion}`
  const replay = hasField(node, 'replay_of') ? `, a replay of ${textOf(node, 'replay_of')}` : ''
  const asked = !isRoot && textOf(node, 'event') === page.asked ? '  <- this one' : ''
  const error = textOf(node, 'error')
  const line = `${textOf(node, 'event')} ${textOf(node, 'tag')}, ${time}${from}${replay}${asked}`
  return {
    line,
    below: [
      ...(error === '' ? [] : [leaf(error.split('\n', 1)[0] ?? '')]),
      ...(hasField(node, 'job') ? [jobBranch(mapOfField(node, 'job'), page)] : []),
      ...mapsOf(node, 'files').map((file) => leaf(brokenFile(file, page))),
      ...mapsOf(node, 'reactions').map((reaction) => reactionBranch(reaction, page)),
      ...mapsOf(node, 'events').map((event) => eventBranch(event, page, false)),
    ],
  }
}

function brokenFile(file: Fields, { shades }: Page): string {
  const [first = ''] = textOf(file, 'message').split('\n')
  return `${textOf(file, 'sls')}: ${shades.LIGHT_RED}${textOf(file, 'outcome')}${shades.ENDC}: ${first}`
}

function reactionBranch(reaction: Fields, page: Page): Branch {
  return {
    line: `${textOf(reaction, 'sls')} ${reactionHeading(reaction, page.shades)}`,
    below: [
      ...reactionLines(reaction, page.from).map(leaf),
      ...outcomeLines(reaction, page.from, page.shades).map(leaf),
      ...mapsOf(reaction, 'events').map((event) => eventBranch(event, page, false)),
    ],
  }
}

/** A job that a person published. */
function jobBranch(job: Fields, page: Page): Branch {
  const fun = get(job, 'fun')
  const funs = Array.isArray(fun) ? fun.map(pythonStr).join(',') : inline(fun)
  return {
    line: `job ${textOf(job, 'jid')}: ${funs}${argumentsOf(job)}`,
    below: [
      ...outcomeLines(job, page.from, page.shades).map(leaf),
      ...mapsOf(job, 'events').map((event) => eventBranch(event, page, false)),
    ],
  }
}
