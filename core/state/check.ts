// `onlyif`, `unless`, `creates` and `check_cmd`: what a chunk asks of the machine before and after it is called.
import {
  entries,
  get,
  has,
  isList,
  isMap,
  type Mapping,
  pythonRepr,
  pythonStr,
  pythonTruth,
  type Value,
} from '../value/index.ts'
import { traverse } from '../value/traverse.ts'
import { type Low, lowText } from './low.ts'
import { type SlotFunctions, slotsFilled } from './slots.ts'

/** What the machine is asked. A command that cannot be run at all is a rejection. */
export interface Checks {
  /** The exit code of a command line, run by a shell with the options of `cmd.run`: `cwd`, `runas`, `env`, … */
  readonly retcode: (command: string, options: Mapping) => Promise<number>
  /** What an execution function answers, and the exit code it set. */
  readonly call: (fun: string, args: readonly Value[], kwargs: Mapping) => Promise<CheckAnswer>
  readonly exists: (path: string) => Promise<boolean>
  /** Whether there is an execution function. @default every one is there */
  readonly has?: (fun: string) => boolean
}

/** The answer of an execution function. */
export interface CheckAnswer {
  readonly value: Value
  /** @default 0 */
  readonly retcode?: number
}

/** What the checks came to: with `result` true, the state is not called and this is its result. */
export interface Checked {
  readonly result: boolean
  readonly comment: readonly string[]
  readonly skipWatch: boolean
}

interface Verdict {
  readonly isDone: boolean
  readonly comment: string
}

/** Whether a chunk has anything to be checked before it is called. */
export function hasChecks(low: Low): boolean {
  return ['onlyif', 'unless', 'creates'].some((key) => has(low, key))
}

/** Asks all that a chunk wants to be asked; any of the three keeps it from being called. */
export async function checkLow(low: Low, checks: Checks): Promise<Checked> {
  const options = commandOptions(low)
  const verdicts: Verdict[] = []
  const [onlyif, unless, creates] = ['onlyif', 'unless', 'creates'].map((key) => get(low, key))
  if (onlyif !== undefined) verdicts.push(await checkOnlyif(isList(onlyif) ? onlyif : [onlyif], options, checks))
  if (unless !== undefined) verdicts.push(await checkUnless(isList(unless) ? unless : [unless], options, checks))
  if (creates !== undefined) verdicts.push(await checkCreates(creates, checks))
  const isDone = verdicts.some((verdict) => verdict.isDone)
  return { result: isDone, comment: verdicts.map(({ comment }) => comment), skipWatch: isDone }
}

const COMMAND_OPTIONS = ['cwd', 'root', 'runas', 'env', 'prepend_path', 'timeout', 'success_retcodes', 'shell']

/** The chunk's own arguments that `cmd.run` knows, but for those in `cmd_opts_exclude`. */
function commandOptions(low: Low): Mapping {
  const written = get(low, 'cmd_opts_exclude') ?? []
  const left = isList(written) ? written : [written]
  const options: Mapping = {}
  for (const key of COMMAND_OPTIONS) {
    const value = get(low, key)
    if (value !== undefined && !left.includes(key)) options[key] = value
  }
  return options
}

/** Every condition has to hold; the first that does not keeps the state from being called. */
async function checkOnlyif(conditions: readonly Value[], options: Mapping, checks: Checks): Promise<Verdict> {
  let comment = 'onlyif condition is true'
  for (const condition of conditions) {
    const holds = await conditionHolds(condition, options, checks, false)
    if (holds === undefined) return { isDone: false, comment: misuse(condition, 'onlyif') }
    comment = holds ? 'onlyif condition is true' : 'onlyif condition is false'
    if (!holds) return { isDone: true, comment }
  }
  return { isDone: false, comment }
}

/** One condition that does not hold is enough for the state to be called. */
async function checkUnless(conditions: readonly Value[], options: Mapping, checks: Checks): Promise<Verdict> {
  let verdict: Verdict = { isDone: false, comment: 'unless condition is false' }
  for (const condition of conditions) {
    const holds = await conditionHolds(condition, options, checks, true)
    if (holds === undefined) {
      verdict = { isDone: false, comment: misuse(condition, 'unless') }
      if (isMap(condition)) return verdict
      continue
    }
    if (!holds) return { isDone: false, comment: 'unless condition is false' }
    verdict = { isDone: true, comment: 'unless condition is true' }
  }
  return verdict
}

function misuse(condition: Value, word: string): string {
  if (isMap(condition)) return `no \`fun\` argument in ${word}: ${pythonRepr(condition)}`
  return word === 'onlyif' ? 'onlyif execution failed, bad type passed' : 'unless condition is false, bad type passed'
}

/** Whether a command succeeds or a function says yes; `undefined` for what is neither. */
async function conditionHolds(
  condition: Value,
  options: Mapping,
  checks: Checks,
  unrunnable: boolean,
): Promise<boolean | undefined> {
  if (typeof condition === 'string') {
    try {
      return (await checks.retcode(condition, options)) === 0
    } catch {
      // A command that cannot be run counts against the state: `onlyif` fails, `unless` holds.
      return unrunnable
    }
  }
  if (!isMap(condition) || !has(condition, 'fun')) return undefined
  const { value, retcode = 0 } = await callFunction(condition, checks)
  if (retcode !== 0) return false
  const wanted = get(condition, 'get_return')
  return pythonTruth(wanted === undefined || !pythonTruth(wanted) ? value : (traverse(value, wanted) ?? {}))
}

async function callFunction(condition: Value, checks: Checks): Promise<CheckAnswer> {
  const pairs = isMap(condition) ? entries(condition) : []
  const known = new Map(pairs.map(([key, value]) => [pythonStr(key), value]))
  const args = known.get('args')
  const fun = pythonStr(known.get('fun') ?? null)
  for (const key of ['fun', 'args', 'get_return']) known.delete(key)
  const kwargs = await slotsFilled(Object.fromEntries(known), slotFunctions(checks))
  return checks.call(fun, isList(args) ? args : [], kwargs)
}

/** The execution functions as slots call them. */
export function slotFunctions(checks: Checks): SlotFunctions {
  return ({ fun, args, kwargs }) => {
    if (checks.has?.(fun) === false) return undefined
    return checks.call(fun, args, kwargs).then(({ value }) => value)
  }
}

async function checkCreates(creates: Value, checks: Checks): Promise<Verdict> {
  const paths = isList(creates) ? creates.map(pythonStr) : [pythonStr(creates)]
  const found = await Promise.all(paths.map((path) => checks.exists(path)))
  if (!found.every(Boolean)) return { isDone: false, comment: 'Creates files not found' }
  return { isDone: true, comment: isList(creates) ? 'All files in creates exist' : `${pythonStr(creates)} exists` }
}

/** What `check_cmd` makes of a state that was called: true when every command succeeds. */
export async function checkAfter(
  low: Low,
  checks: Checks,
): Promise<{ readonly result: boolean; readonly comment: string }> {
  const written = get(low, 'check_cmd') ?? null
  const shell = get(low, 'shell')
  const options: Mapping = shell === undefined ? {} : { shell }
  for (const command of isList(written) ? written : [written]) {
    const code = await checks.retcode(pythonStr(command), options)
    if (code !== 0) return { result: false, comment: 'check_cmd determined the state failed' }
  }
  return { result: true, comment: 'check_cmd determined the state succeeded' }
}

/** The fields that a check writes into a result. */
export function checkFields(low: Low): Mapping {
  return { __sls__: textOrNone(low, '__sls__'), __id__: textOrNone(low, '__id__'), name: get(low, 'name') ?? null }
}

function textOrNone(low: Low, key: string): Value {
  return has(low, key) ? lowText(low, key) : null
}
