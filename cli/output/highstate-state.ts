// One state of a highstate: its block, its one line in terse modes, or nothing.
import {
  type Dict,
  entries,
  get,
  has,
  isList,
  isMap,
  type Mapping,
  numberOf,
  pythonStr,
  pythonTruth,
  type Value,
} from '../../core/value/index.ts'
import { rstrip, splitLines, strip } from '../../core/value/python-lines.ts'
import type { HighstatePage, HostText } from './highstate-host.ts'
import type { Tally } from './highstate-summary.ts'
import { terseText } from './highstate-terse.ts'
import { nested } from './nested.ts'
import { Unprintable } from './outputter.ts'
import { wrap } from './wrap.ts'

/** What a minion returned for one state; `tag` is `state_|-id_|-name_|-fun`. */
export interface StateReturn {
  readonly tag: string
  readonly info: Mapping | Dict
  readonly result: Value
}

type PrintHost = (host: string, data: Value, page: HighstatePage, level: number) => HostText

const ORCHESTRATIONS: readonly (Value | undefined)[] = ['state.orch', 'state.orchestrate', 'state.sls']

/** Counts the state and prints it; no lines where the options leave it out. Throws {@link Unprintable}. */
export function stateText(
  state: StateReturn,
  tally: Tally,
  page: HighstatePage,
  level: number,
  host: PrintHost,
): string[] {
  const compressed = /_\|-state_compressed_/.test(state.tag) ? Number(/\((\d+)\)_\|-/.exec(state.tag)?.[1] ?? 1) : 1
  const counted = page.options.state?.compressIds === true ? compressed : 1
  tally.add(state.result, counted)
  addDuration(state.info, tally)
  const changes = changesOf(state, page, level, host)
  if (changes.changed) tally.changed += counted > 1 ? compressedChanges(state.info) : 1

  const settings = page.options.state ?? {}
  const unremarkable = pythonTruth(state.result) && !changes.changed
  if (unremarkable && (settings.diff === true || settings.verbose === false)) return []
  if (state.result === null) tally.worst = 'pending'
  if (state.result === false) tally.worst = 'failed'

  const parts = state.tag.split('_|-')
  const mode = (settings.output ?? 'full').toLowerCase()
  if (mode.endsWith('_id')) parts[2] = parts[1] ?? ''
  const style = styleOf(mode, state.result, changes.changed, page)
  if (style === 'none') return []
  const colour = colourOf(state.result, changes.changed, page)
  if (style === 'terse') return [terseText(state, parts, colour, page)]
  return blockLines(state, parts, colour, changes.text, page, tally)
}

function styleOf(mode: string, result: Value, changed: boolean, page: HighstatePage): 'full' | 'terse' | 'none' {
  if (mode.startsWith('filter')) {
    if ((page.options.state?.terse ?? []).includes(pythonStr(result))) return 'terse'
    return (page.options.state?.exclude ?? []).includes(pythonStr(result)) ? 'none' : 'full'
  }
  if (mode.startsWith('terse')) return 'terse'
  if (mode.startsWith('mixed')) return result === false ? 'full' : 'terse'
  if (mode.startsWith('changes')) return pythonTruth(result) && !changed ? 'terse' : 'full'
  return 'full'
}

function colourOf(result: Value, changed: boolean, page: HighstatePage): string {
  if (result === null) return page.colours.LIGHT_YELLOW
  if (result === false) return page.colours.RED
  return changed ? page.colours.CYAN : page.colours.GREEN
}

interface Changes {
  readonly changed: boolean
  readonly text: string
}

function changesOf(state: StateReturn, page: HighstatePage, level: number, host: PrintHost): Changes {
  const changes = get(state.info, 'changes')
  if (changes === undefined) throw new Unprintable('highstate', `the state ${state.tag}, which has no changes`)
  if (ORCHESTRATIONS.includes(get(state.info, 'name'))) {
    const margin = ' '.repeat(14 * level)
    return { changed: true, text: `\n${page.nest(changes, page, level + 1)}`.replace(/^/gm, margin) }
  }
  if (!pythonTruth(changes)) return { changed: false, text: '' }
  if (!isMap(changes)) return { changed: true, text: `Invalid Changes data: ${pythonStr(changes)}` }
  const returned = get(changes, 'ret') ?? null
  if (returned === null || get(changes, 'out') !== 'highstate') {
    return { changed: true, text: `\n${rstrip(nested(changes, { ...page.options, nestedIndent: 14, retcode: 0 }))}` }
  }
  if (!isMap(returned)) throw new Unprintable('highstate', `changes whose ret is ${pythonStr(returned)}`)
  let text = ''
  let changed = false
  for (const [id, data] of entries(returned)) {
    const part = host(pythonStr(id), data, page, 1)
    text += `\n${splitLines(part.text)
      .map((line) => ' '.repeat(14) + line)
      .join('\n')}`
    changed ||= part.changed
  }
  return { changed, text }
}

function compressedChanges(info: Mapping | Dict): number {
  const changes = get(info, 'changes') ?? null
  const compressed = isMap(changes) ? get(changes, 'compressed changes') : undefined
  return compressed !== undefined && isMap(compressed) ? entries(compressed).length || 1 : 1
}

function addDuration(info: Mapping | Dict, tally: Tally): void {
  const duration = get(info, 'duration') ?? 0
  const value = typeof duration === 'string' ? Number.parseFloat(duration) : Number(numberOf(duration))
  if (Number.isNaN(value)) return
  if (has(info, '__parallel__')) tally.parallel = Math.max(tally.parallel, value)
  else tally.serial += value
}

function blockLines(
  state: StateReturn,
  parts: readonly string[],
  colour: string,
  changes: string,
  page: HighstatePage,
  tally: Tally,
): string[] {
  const [kind, id, name, fun] = parts
  if (id === undefined || name === undefined || fun === undefined) {
    throw new Unprintable('highstate', `the state ${state.tag}, whose tag is not state_|-id_|-name_|-function`)
  }
  const { ENDC, LIGHT_RED } = page.colours
  const row = (label: string, text: string): string => `    ${colour}${label.padStart(8)}: ${text}${ENDC}`
  const lines = [`${colour}----------${ENDC}`, row('ID', id), row('Function', `${kind}.${fun}`)]
  if (id !== name) lines.push(row('Name', name))
  lines.push(row('Result', pythonStr(state.result)), row('Comment', comment(state)))
  if ((page.options.state?.profile ?? true) && has(state.info, 'start_time')) {
    const duration = get(state.info, 'duration') ?? ''
    lines.push(row('Started', pythonStr(get(state.info, 'start_time') ?? null)))
    lines.push(row('Duration', duration === '' ? '' : `${pythonStr(duration)} ms`))
  }
  lines.push(`${colour}     Changes:   ${changes}${ENDC}`)
  const warnings = get(state.info, 'warnings')
  if (warnings !== undefined && isList(warnings)) {
    tally.warnings += 1
    const text = wrap(warnings.map(pythonStr).join('\n'), { width: 80, indent: ' '.repeat(14) }).join('\n')
    lines.push(`   ${LIGHT_RED} Warnings: ${text.trimStart()}${ENDC}`)
  }
  return lines
}

function comment(state: StateReturn): string {
  const given = get(state.info, 'comment')
  if (given === undefined) throw new Unprintable('highstate', `the state ${state.tag}, which has no comment`)
  const text = strip(pythonStr(given)).replaceAll('\n', `\n${' '.repeat(14)}`)
  const data = get(state.info, 'data')
  if (data === undefined) return text
  if (isList(data)) return [text, ...data.map(pythonStr)].join(' ')
  if (!isMap(data)) return `${text} ${pythonStr(data)}`
  return (
    text +
    entries(data)
      .map(([key, value]) => `\n\t\t${pythonStr(key)}: ${pythonStr(value)}`)
      .join('')
  )
}
