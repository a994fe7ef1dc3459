// One state of a highstate on one line: `--state-output=terse`, `mixed`, `changes`, `filter`.
import { get, has, isList, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import type { HighstatePage } from './highstate-host.ts'
import type { StateReturn } from './highstate-state.ts'
import { Unprintable } from './outputter.ts'

/** The line of a state; with `state_tabular` its columns are aligned, or filled into the format given there. */
export function terseText(state: StateReturn, parts: readonly string[], colour: string, page: HighstatePage): string {
  const { ENDC, LIGHT_RED } = page.colours
  const [kind = '', , name] = parts
  if (name === undefined) throw new Unprintable('highstate', `the state ${state.tag}, whose tag has no name`)
  const fun = parts.at(-1) ?? ''
  const word = resultWord(state)
  const timed = (page.options.state?.profile ?? true) && has(state.info, 'start_time')
  const started = pythonStr(get(state.info, 'start_time') ?? '')
  const duration = pythonStr(get(state.info, 'duration') ?? '')
  const tabular = page.options.state?.tabular ?? false
  if (typeof tabular === 'string') {
    return fill(tabular, [colour, name, kind, fun, word, ENDC, ''])
      .replaceAll('{6[start_time]}', started)
      .replaceAll('{6[duration]}', duration)
  }
  const warned = warnings(state)
  if (tabular) {
    const before = warned === undefined ? '' : `${LIGHT_RED}Warnings:\n${warned}${ENDC}\n`
    const times = timed ? `${started} [${duration.padStart(7)} ms] ` : ''
    return `${before}${colour}${times}${kind.padStart(10)}.${fun.padEnd(10)} ${word.padEnd(7)}   Name: ${name}${ENDC}`
  }
  const before = warned === undefined ? '' : `${LIGHT_RED}Warnings:\n${warned}${ENDC}`
  const times = timed ? ` - Started: ${started} - Duration: ${duration} ms` : ''
  return `${before} ${colour} Name: ${name} - Function: ${kind}.${fun} - Result: ${word}${times}${ENDC}`
}

function resultWord(state: StateReturn): string {
  if (state.result === false) return 'Failed'
  if (state.result === null) return 'Differs'
  return pythonTruth(get(state.info, 'changes') ?? null) ? 'Changed' : 'Clean'
}

function warnings(state: StateReturn): string | undefined {
  const list: Value | undefined = get(state.info, 'warnings')
  return list !== undefined && isList(list) ? list.map(pythonStr).join('\n') : undefined
}

/** Fills `{0}` … `{5}`, with an optional `:<10` or `:>10`, as Python's format would. */
function fill(format: string, values: readonly string[]): string {
  return format.replace(/\{(\d)(?::([<>])(\d+))?\}/g, (whole, index: string, side?: string, width?: string) => {
    const value = values[Number(index)]
    if (value === undefined) return whole
    if (side === undefined) return value
    return side === '>' ? value.padStart(Number(width)) : value.padEnd(Number(width))
  })
}
