// What `sys` tells besides functions and states: returners, renderers, schemas of states; runners are the master's.
import { strippedDoc } from '../../core/arguments/index.ts'
import { matchTag } from '../../core/event/tag-glob.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { returners } from '../returners/send.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionFunction, examples } from './module.ts'

/** What each returner's function says of itself. */
const returnerDocs: Readonly<Record<string, string>> = {
  eventbridge: 'Send a return to an event bus of Amazon EventBridge.',
  syslog: 'Send a return to syslog, on this machine or on another.',
  webhook: 'Send a return to a URL, as JSON.',
}

const returnerDoc = (name: string): string => {
  const { options = [] } = returners[name] ?? {}
  return `${returnerDocs[name] ?? 'Send a return elsewhere.'}\n\nOptions: ${options.map((one) => `${name}.${one}`).join(', ')}`
}

const returnerNames = (): string[] =>
  Object.keys(returners)
    .map((name) => `${name}.returner`)
    .sort()

/** Names that are named, begin with a module's name, or that a shell pattern matches; all where none is given. */
function chosen(names: readonly string[], args: Arguments): string[] {
  if (args.positional.length === 0) return [...names]
  const wanted = args.positional.map(pythonStr)
  const fits = (name: string): boolean =>
    wanted.some((one) =>
      one.includes('*') ? matchTag(one, name) : name === one || name.startsWith(`${one.replace(/\.$/, '')}.`),
    )
  return names.filter(fits)
}

const modulesOf = (names: readonly string[]): string[] => [...new Set(names.map((name) => name.split('.')[0] ?? ''))]

/** The renderers an SLS file may name. */
const renderers = ['jinja', 'json', 'yaml']

const kinds = ['boolean', 'integer', 'number', 'string']

/** A JSON schema of a state function. */
function schemaOf(name: string, spec: Mapping): Mapping {
  const args = (Array.isArray(spec.args) ? spec.args : []).map(pythonStr)
  const defaults: readonly Value[] = Array.isArray(spec.defaults) ? spec.defaults : []
  const properties: Mapping = {}
  for (const [at, arg] of args.entries()) {
    const value = defaults[at - (args.length - defaults.length)] ?? null
    const usual = value === null ? {} : { default: value }
    properties[arg] = { oneOf: kinds.map((type) => ({ type, title: arg, description: arg, ...usual })) }
  }
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: name,
    description: name,
    type: 'object',
    properties,
    'x-ordering': args,
    additionalProperties: false,
  }
}

async function schemas(args: Arguments, call: Call): Promise<Value> {
  const specs = await call.salt('sys.state_argspec', [args.value('module')])
  return Object.entries(isMapping(specs) ? specs : {}).map(([name, spec]) =>
    schemaOf(name, isMapping(spec) ? spec : {}),
  )
}

/** Runners are not here: who asks is told where they are. */
function ofMaster(call: Call): never {
  throw new CommandExecutionError(`${call.fun}: runners are the master's, not the minion's. Ask it: brine-run --doc`)
}

const readOnly = { readOnly: true }
const runner = (name: string, what: string): ExecutionFunction =>
  define(
    '*args, **kwargs',
    `${what} They are the master's, so this is refused: ask it with brine-run --doc.${examples(`brine '*' sys.${name}`)}`,
    (_, call) => ofMaster(call),
  )

/** What they are called by. */
export const otherDocs: Readonly<Record<string, ExecutionFunction>> = {
  list_returners: define(
    '*args',
    `List the returners of the minion. Names may be shell patterns.${examples("brine '*' sys.list_returners", "brine '*' sys.list_returners 's*'")}`,
    (args) => modulesOf(args.positional.length === 0 ? returnerNames() : returnersOf(args)),
    readOnly,
  ),
  list_returner_functions: define(
    '*args, **kwargs',
    `List the functions of the returners, or of those named. Names may be shell patterns.${examples("brine '*' sys.list_returner_functions", "brine '*' sys.list_returner_functions syslog")}`,
    (args) => chosen(returnerNames(), args),
    readOnly,
  ),
  returner_doc: define(
    '*args',
    `Return the docs of the returners, or of those named.${examples("brine '*' sys.returner_doc", "brine '*' sys.returner_doc syslog")}`,
    (args) =>
      Object.fromEntries(
        chosen(returnerNames(), args).map((name) => [name, strippedDoc(returnerDoc(name.split('.')[0] ?? ''))]),
      ),
    readOnly,
  ),
  returner_argspec: define(
    "module=''",
    `Return the signatures of the returners' functions, or of those of one.${examples("brine '*' sys.returner_argspec syslog")}`,
    (args) => {
      const spec = { args: ['ret'], defaults: null, varargs: null, kwargs: null }
      const module = args.text('module')
      const names = returnerNames().filter((name) => module === '' || name.startsWith(`${module}.`) || name === module)
      return Object.fromEntries(names.map((name) => [name, spec]))
    },
    readOnly,
  ),
  list_renderers: define(
    '*args',
    `List the renderers that an SLS file may name. Names may be shell patterns.${examples("brine '*' sys.list_renderers", "brine '*' sys.list_renderers 'j*'")}`,
    (args) =>
      renderers.filter(
        (name) => args.positional.length === 0 || args.positional.some((glob) => matchTag(pythonStr(glob), name)),
      ),
    readOnly,
  ),
  renderer_doc: define(
    '*args',
    `Return the docs of the renderers, or of those named.${examples("brine '*' sys.renderer_doc", "brine '*' sys.renderer_doc jinja")}`,
    (args) => {
      const docs: Readonly<Record<string, string>> = {
        jinja: 'Render a text with Jinja.',
        json: 'Read a text as JSON.',
        yaml: 'Read a text as YAML.',
      }
      const wanted = args.positional.map(pythonStr)
      const names = renderers.filter((name) => wanted.length === 0 || wanted.some((glob) => matchTag(glob, name)))
      return Object.fromEntries(names.map((name) => [name, docs[name] ?? '']))
    },
    readOnly,
  ),
  state_schema: define(
    "module=''",
    `Return JSON schemas of the arguments of the state functions of a module, or of those a shell pattern matches.${examples("brine '*' sys.state_schema pkg.installed", "brine '*' sys.state_schema 'pkg.*'")}`,
    schemas,
    readOnly,
  ),
  runner_doc: runner('runner_doc', 'Return the docs of runners.'),
  runner_argspec: runner('runner_argspec', 'Return the signatures of runners.'),
  list_runners: runner('list_runners', 'List the runners.'),
  list_runner_functions: runner('list_runner_functions', 'List the functions of runners.'),
}

function returnersOf(args: Arguments): string[] {
  const wanted = args.positional.map(pythonStr)
  return returnerNames().filter((name) =>
    wanted.some((one) => (one.includes('*') ? matchTag(one, name) : name.split('.')[0] === one)),
  )
}
