// What would surprise about one reaction as it is written.
import type { Signature } from '../../arguments/signature.ts'
import type { BlankedText } from './blank.ts'
import { didYouMean, type FunctionCatalog, type FunctionClient } from './functions.ts'
import { argumentsOf, type LineOf, type Sketch, type SketchArgument, scalarsOf, scalarText } from './sketch.ts'

/** Takes a finding. */
export type Report = (severity: 'error' | 'warning', code: string, line: number, message: string) => void

/** What a reaction is looked at with. */
export interface LintContext {
  readonly text: BlankedText
  readonly lineOf: LineOf
  readonly functions: FunctionCatalog
  readonly report: Report
}

const CLIENTS: Readonly<Record<string, FunctionClient>> = {
  local: 'local',
  cmd: 'local',
  caller: 'local',
  runner: 'runner',
  wheel: 'wheel',
}

/** Keys that mean something beside the arguments of a job. */
const LOCAL_KEYS = new Set(
  (
    'tgt tgt_type expr_form arg kwarg args ret timeout jid metadata name names order state fun require require_any watch ' +
    'watch_any onchanges onchanges_any onfail onfail_any onfail_all prereq kwargs'
  ).split(' '),
)

/** Keys that are never an argument of a runner or wheel function. */
const MASTER_KEYS = new Set([
  '__id__',
  '__sls__',
  'name',
  'order',
  'fun',
  'key',
  'state',
  'arg',
  'kwarg',
  'args',
  'names',
])

/** Looks at one reaction. */
export function lintReaction(sketch: Sketch, context: LintContext): void {
  const { report } = context
  const client = CLIENTS[sketch.type]
  if (client === undefined) {
    const hint = didYouMean(sketch.type, Object.keys(CLIENTS), 'Use local, runner, wheel or caller.')
    report('error', 'unknown-type', sketch.line, `There is no reaction type '${sketch.type}'. ${hint}`)
    return
  }
  if (sketch.notList !== undefined && !isList(sketch, context)) return
  if (sketch.fun === '') {
    report(
      'error',
      'no-function',
      sketch.line,
      `'${sketch.id}' names no function. Write \`${sketch.type}.<module>.<function>:\`.`,
    )
    return
  }
  const signature = lintFunction(sketch, client, context)
  const args = sketch.args.find(({ key }) => key === 'args')
  if (args !== undefined) lintArgs(sketch, args, signature, context)
  if (client === 'local') lintLocal(sketch, args !== undefined, context)
  else if (args === undefined && signature !== undefined) lintFlat(sketch, signature, context)
  if (/^cmd\./.test(sketch.fun)) lintCommand(sketch, context)
}

function isList(sketch: Sketch, { report }: LintContext): boolean {
  const node = sketch.notList
  const isEmpty = scalarText(node) === ''
  const message = isEmpty
    ? `'${sketch.id}' has a colon and nothing after it, and the whole file is dropped. Leave the colon out, or write \`[]\`.`
    : `What stands under '${sketch.id}' is no list, and the whole file is dropped. Put \`- \` before each argument.`
  report('error', 'not-a-list', sketch.line, message)
  return false
}

function lintFunction(
  sketch: Sketch,
  client: FunctionClient,
  { functions, text, report }: LintContext,
): Signature | undefined {
  if (text.expressionsIn(sketch.fun).length > 0) return undefined
  const signature = functions.signature(client, sketch.fun)
  if (signature !== undefined) return signature
  const whose = client === 'local' ? 'No minion has' : `There is no ${client} function`
  const otherwise =
    client === 'local' ? 'Ignore this where the function is your own.' : `List them with \`brine-run -d\`.`
  const hint = didYouMean(sketch.fun, functions.names(client), otherwise)
  report('warning', 'unknown-function', sketch.line, `${whose} ${sketch.fun}. ${hint}`)
  return undefined
}

/** The new schema: a map, or a list of maps with one key each. */
function lintArgs(sketch: Sketch, args: SketchArgument, signature: Signature | undefined, context: LintContext): void {
  const { report, lineOf } = context
  if (args.node.kind === 'scalar') {
    report(
      'error',
      'args-text',
      args.line,
      `\`args\` of '${sketch.id}' is text, and the reaction never runs. Write \`- <name>: <value>\` under it.`,
    )
    return
  }
  const items = args.node.kind === 'sequence' ? args.node.items : [args.node]
  const written = items.flatMap((item) => argumentsOf(item, lineOf))
  const isPositional = sketch.type === 'caller' && written.some(({ key }) => key === undefined)
  if (isPositional) return
  for (const { key, node, line } of written) {
    if (key === undefined) lintBareItem(scalarText(node) ?? '…', line, signature, report)
    else if (signature !== undefined) lintKeyword(sketch.fun, key, line, signature, context)
  }
  for (const key of ['arg', 'kwarg']) {
    const ignored = sketch.args.find((argument) => argument.key === key)
    if (ignored !== undefined)
      report(
        'warning',
        'arg-beside-args',
        ignored.line,
        `\`${key}\` is ignored, since there is \`args\`. Move it there.`,
      )
  }
  lintMissing(sketch, new Set(written.map(({ key }) => key)), 0, signature, context)
}

function lintBareItem(item: string, line: number, signature: Signature | undefined, report: Report): void {
  const name = signature?.params[0]?.name ?? '<name>'
  report(
    'warning',
    'args-item',
    line,
    `'${item}' is the keyword ${item}=None, not the first argument. Write \`- ${name}: ${item}\`.`,
  )
}

function lintKeyword(
  fun: string,
  key: string,
  line: number,
  { params, varKwargs }: Signature,
  { text, report }: LintContext,
): void {
  if (varKwargs || params.some(({ name }) => name === key) || text.expressionsIn(key).length > 0) return
  const names = params.map(({ name }) => name)
  const hint = didYouMean(key, names, names.length === 0 ? 'It takes none.' : `It takes ${names.join(', ')}.`)
  report('warning', 'unknown-argument', line, `${fun} has no argument ${key}. ${hint}`)
}

function lintMissing(
  sketch: Sketch,
  given: ReadonlySet<string | undefined>,
  positions: number,
  signature: Signature | undefined,
  { report }: LintContext,
): void {
  const needed = (signature?.params ?? [])
    .slice(positions)
    .filter((param) => param.default === undefined && !given.has(param.name))
  const names = needed.map(({ name }) => name).join(', ')
  if (names !== '')
    report(
      'warning',
      'missing-argument',
      sketch.line,
      `${sketch.fun} of '${sketch.id}' lacks ${names}. Put it under \`args\`.`,
    )
}

function lintLocal(sketch: Sketch, isNew: boolean, context: LintContext): void {
  const { report } = context
  if (sketch.type !== 'caller' && !sketch.args.some(({ key }) => key === 'tgt' || key === undefined)) {
    report('error', 'no-target', sketch.line, `'${sketch.id}' has no \`tgt\`, and never runs. Say which minions.`)
  }
  for (const { key, line, node } of sketch.args) {
    if (key === undefined) continue
    if (key === 'expr_form') report('warning', 'expr-form', line, '`expr_form` is an old name. Write `tgt_type`.')
    else if (key === 'kwargs') report('warning', 'kwargs', line, '`kwargs` is not read. Write `kwarg`, or `args`.')
    else if (key === 'arg' && node.kind === 'scalar')
      report('warning', 'arg-text', line, '`arg` is no list, and is taken for one argument. Put `- ` before it.')
    else if (key === 'kwarg' && node.kind === 'sequence')
      report('warning', 'kwarg-list', line, '`kwarg` is a list, which Salt ignores. Write it as a map, without `- `.')
    else if (!isNew && !LOCAL_KEYS.has(key) && !key.startsWith('__')) {
      report('warning', 'stray-key', line, `\`${key}\` is not handed to ${sketch.fun}. Put it under \`args\`.`)
    }
  }
}

/** The legacy schema of runners and wheel functions: flat keys are the arguments. */
function lintFlat(sketch: Sketch, signature: Signature, context: LintContext): void {
  const keys = new Set(sketch.args.map(({ key }) => key))
  if (keys.has('arg') && keys.has('kwarg')) return
  for (const { key, line } of sketch.args) {
    if (key !== undefined && !MASTER_KEYS.has(key)) lintKeyword(sketch.fun, key, line, signature, context)
  }
  if (keys.has('arg')) {
    const line = sketch.args.find(({ key }) => key === 'arg')?.line ?? sketch.line
    context.report(
      'warning',
      'arg-alone',
      line,
      '`arg` needs `kwarg` beside it here. Write `args` with the names instead.',
    )
    return
  }
  lintMissing(sketch, new Set([...keys, 'name', 'fun', 'state']), 0, signature, context)
}

/** Data of an event in a command line is somebody else's shell. */
function lintCommand(sketch: Sketch, { text, lineOf, report }: LintContext): void {
  for (const argument of sketch.args) {
    if (!['args', 'arg', 'kwarg'].includes(argument.key ?? '')) continue
    for (const { text: scalar, at } of commandsOf(argument, lineOf)) {
      const unquoted = text.expressionsIn(scalar).filter((expression) => !isQuoted(expression))
      for (const expression of unquoted) {
        const message = `{{ ${expression} }} goes into a command line as it is. Write {{ ${expression} | quote }}.`
        report('warning', 'unquoted', lineOf(at), message)
      }
    }
  }
}

/** The scalars that may be the command: the first of `arg`, `cmd` of `args` and `kwarg`. */
function commandsOf({ key, node }: SketchArgument, lineOf: LineOf): { text: string; at: number }[] {
  if (key === 'arg') return scalarsOf(node.kind === 'sequence' ? (node.items[0] ?? node) : node)
  const items = node.kind === 'sequence' ? node.items : [node]
  const named = items.flatMap((item) => argumentsOf(item, lineOf))
  return named.filter((item) => item.key === 'cmd' || item.key === undefined).flatMap((item) => scalarsOf(item.node))
}

/** Quoted for the shell, a number, or nothing but a literal. */
function isQuoted(expression: string): boolean {
  return /\|\s*(?:quote|int|float|length|count)\b/.test(expression) || /^(?:\d+|'[^']*'|"[^"]*")$/.test(expression)
}
