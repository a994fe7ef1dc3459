// One minion's part of the highstate outputter: its states in the order they ran, below its id.
import { entries, get, has, isInteger, isList, isMap, pythonStr, type Value } from '../../core/value/index.ts'
import { splitLines } from '../../core/value/python-lines.ts'
import { type Colours, stripEscapes } from './colour.ts'
import { type StateReturn, stateText } from './highstate-state.ts'
import { summaryLines, Tally } from './highstate-summary.ts'
import { type OutputOptions, Unprintable } from './outputter.ts'
import { pprint } from './pprint.ts'

/** What all parts of one highstate print share. */
export interface HighstatePage {
  readonly options: OutputOptions
  readonly colours: Colours
  /** Prints the highstate that a state of an orchestration returned as its changes. */
  readonly nest: (data: Value, page: HighstatePage, level: number) => string
}

/** A printed minion, and whether anything on it changed. */
export interface HostText {
  readonly text: string
  readonly changed: boolean
}

/** Prints one minion's return below its id. `level` is how deep orchestrations are nested, 1 outermost. */
export function hostText(host: string, data: Value, page: HighstatePage, level: number): HostText {
  const body = hostBody(host, data, page, level)
  const shown = page.options.stripColors === false ? host : stripEscapes(host)
  const lines = [`${body.colour}${shown}:${page.colours.ENDC}`, ...body.lines]
  return { text: lines.join('\n'), changed: body.changed }
}

interface HostBody {
  readonly lines: string[]
  readonly colour: string
  readonly changed: boolean
}

function hostBody(host: string, data: Value, page: HighstatePage, level: number): HostBody {
  const { GREEN, CYAN, ENDC } = page.colours
  const plain = (text: string): string => `${GREEN}    ${text}${ENDC}`
  if (typeof data === 'boolean' || isInteger(data))
    return { lines: [plain(pythonStr(data))], colour: CYAN, changed: true }
  if (typeof data === 'string') return { lines: splitLines(data).map(plain), colour: CYAN, changed: true }
  if (isList(data)) return failedToCompile(data, page)
  if (isMap(data)) return statesBody(host, entries(data), page, level)
  return { lines: [], colour: GREEN, changed: false }
}

function failedToCompile(errors: readonly Value[], page: HighstatePage): HostBody {
  const { LIGHT_RED, ENDC } = page.colours
  const lines = errors.map((error) => {
    const text = pythonStr(error)
    return `${LIGHT_RED}----------\n    ${page.options.stripColors === false ? text : stripEscapes(text)}${ENDC}`
  })
  return { lines: [`    ${LIGHT_RED}Data failed to compile:${ENDC}`, ...lines], colour: LIGHT_RED, changed: false }
}

const NO_ORDER =
  'The State execution failed to record the order in which all states were executed. The state return missing data is:'

function statesBody(host: string, pairs: readonly [Value, Value][], page: HighstatePage, level: number): HostBody {
  const complaints: string[] = []
  const states: StateReturn[] = []
  for (const [key, info] of pairs) {
    if (!isMap(info)) continue
    const tag = pythonStr(key)
    if (tag !== 'changes' && entries(info).length > 0 && !has(info, '__run_num__')) {
      complaints.unshift(NO_ORDER, pprint(info, {}))
    }
    if (has(info, 'result')) states.push({ tag, info, result: get(info, 'result') ?? null })
  }
  states.sort((a, b) => runNumber(a) - runNumber(b))
  const tally = new Tally()
  const lines = states.flatMap((state) => stateText(state, tally, page, level, hostText))
  const colour =
    tally.worst === 'failed'
      ? page.colours.RED
      : tally.worst === 'pending'
        ? page.colours.LIGHT_YELLOW
        : page.colours.GREEN
  return {
    lines: [...complaints, ...lines, ...summaryLines(host, tally, page.options, page.colours)],
    colour,
    changed: tally.changed > 0,
  }
}

function runNumber(state: StateReturn): number {
  const number = get(state.info, '__run_num__') ?? 0
  if (typeof number === 'number') return number
  throw new Unprintable('highstate', `the run number ${pythonStr(number)}`)
}
