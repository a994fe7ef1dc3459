// What templates compute with: merging, rendering, data as text, and looking for files of the master's.
import { posix } from 'node:path'
import { messageOf } from '../../../core/error.ts'
import {
  isList,
  isMap,
  type Mapping,
  parseJson,
  pythonStr,
  pythonTruth,
  stringifyJson,
  type Value,
} from '../../../core/value/index.ts'
import { dumpYaml } from '../../../core/yaml-writer/index.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError, PythonError, SaltInvocationError } from '../errors.ts'
import { type Call, define, type ExecutionModule, examples } from '../module.ts'
import { banner } from './banner.ts'
import { pureFunction } from './pure.ts'

/** The text that is meant, and where it is from. */
async function sourceOf(args: Arguments, call: Call): Promise<string> {
  const [path, text] = [args.textIfAny('path'), args.textIfAny('string')]
  if (path === undefined && text === undefined) throw new SaltInvocationError('Must pass either path or string')
  if (path !== undefined && text !== undefined) throw new SaltInvocationError('Must not pass both path and string')
  if (text !== undefined) return text
  const found = await call.salt('cp.get_file_str', [path ?? ''], { saltenv: args.keywords.saltenv ?? 'base' })
  if (typeof found !== 'string') throw new CommandExecutionError(`There is no file ${path} to render.`)
  return found
}

async function rendered(args: Arguments, call: Call): Promise<Value> {
  const source = await sourceOf(args, call)
  const line = /^#!(?!\/)([^\r\n]*)/.exec(source)?.[1]
  const stages = (line ?? args.text('default_renderer')).split('|').map((stage) => stage.trim().split(/\s+/)[0] ?? '')
  // Jinja and YAML are loaded where they are used: a minion that renders nothing starts without them.
  const { loadYaml, refuseRenderer } = await import('./rendering.ts')
  const { renderTemplate } = await import('../../states/templates.ts')
  let value: Value = source
  for (const stage of stages) {
    if (typeof value !== 'string') throw new CommandExecutionError(`The renderer ${stage} wants text, not data.`)
    if (stage === 'jinja') value = await renderTemplate(call, value, factsOf(args))
    else if (stage === 'yaml') value = emptyMap(loadYaml(value))
    else if (stage === 'json') value = emptyMap(parseJson(value.replace(/^#![^\n]*\n/, '')))
    else refuseRenderer(stages.join('|'))
  }
  return value
}

/** As Salt takes it: a document that is false is an empty one. */
const emptyMap = (document: Value): Value => (pythonTruth(document) ? document : {})

function factsOf(args: Arguments) {
  const { context = null, saltenv = 'base', ...variables } = args.cleanKeywords
  const more: Mapping = context !== null && isMap(context) ? Object.fromEntries(Object.entries(context)) : {}
  const name = args.textIfAny('path') ?? '<string>'
  return { name, saltenv: pythonStr(saltenv), variables: { ...variables, ...more } }
}

function serialized(args: Arguments): string {
  const { indent, sort_keys: sorted, default_flow_style: flow } = args.cleanKeywords
  switch (args.text('serializer')) {
    case 'json':
      return stringifyJson(args.value('obj'), {
        separators: [',', ': '],
        ...(indent === undefined || indent === null ? { separators: [', ', ': '] } : { indent: Number(indent) }),
        sortKeys: pythonTruth(sorted ?? false),
        ascii: true,
      })
    case 'yaml':
      return dumpYaml(args.value('obj'), {
        flow: typeof flow === 'boolean' ? flow : 'leaves',
        indent: Number(indent ?? 2),
      }).replace(/(\n\.\.\.)?\n$/, '')
    default:
      throw noSerializer(args)
  }
}

async function deserialized(args: Arguments): Promise<Value> {
  const text = args.text('stream_or_string')
  try {
    if (args.text('serializer') === 'json') return parseJson(text)
    if (args.text('serializer') === 'yaml') return (await import('./rendering.ts')).loadYaml(text)
  } catch (error) {
    throw new PythonError('salt.serializers.DeserializationError', messageOf(error))
  }
  throw noSerializer(args)
}

const noSerializer = (args: Arguments): CommandExecutionError =>
  new CommandExecutionError(`Serializer '${args.text('serializer')}' not found.`)

async function isIn(fun: string, path: string, saltenv: string, call: Call): Promise<boolean> {
  const all = await call.salt(fun, [saltenv])
  return isList(all) && all.includes(path)
}

const isPath = async (path: string, saltenv: string, call: Call): Promise<boolean> =>
  (await isIn('cp.list_master', path, saltenv, call)) || isIn('cp.list_master_dirs', path, saltenv, call)

async function found(args: Arguments, call: Call): Promise<string> {
  const saltenv = args.text('saltenv')
  let at = args.is('startpath') ? posix.normalize(args.text('startpath')) : ''
  if (at !== '' && !(await isPath(at, saltenv, call)))
    throw new SaltInvocationError(`Starting path not found in the state tree: ${at}`)
  const given = args.value('filenames')
  if (typeof given !== 'string' && !isList(given))
    throw new SaltInvocationError('Filenames argument must be a string or list of strings')
  const names = (isList(given) ? given : [given]).map(pythonStr)
  for (;;) {
    for (const name of names) {
      const path = posix.join(at, name)
      if (await isPath(path, saltenv, call)) return path
    }
    if (at === '') throw new CommandExecutionError('File pattern(s) not found in path ancestry')
    at = posix.dirname(at) === '.' ? '' : posix.dirname(at)
  }
}

const asking = { readOnly: true }
const mergeWords = "strategy='smart', renderer='yaml', merge_lists=False"
const mergeDoc = `

strategy
    \`\`recurse\`\` (what \`\`smart\`\` means), \`\`overwrite\`\` or \`\`list\`\`.
merge_lists
    Join lists instead of replacing them.`

/** Salt's `slsutil` module. */
export const slsutil: ExecutionModule = {
  name: 'slsutil',
  file: 'slsutil',
  functions: {
    update: define(
      'dest, upd, recursive_update=True, merge_lists=False',
      `Merge a map into another, at every depth. In templates the first one becomes the result.

recursive_update
    False merges at the top alone.
merge_lists
    Join lists instead of replacing them.${examples("brine '*' slsutil.update '{foo: Foo}' '{bar: Bar}'")}`,
      (args) =>
        pureFunction('slsutil.update', [
          args.value('dest'),
          args.value('upd'),
          args.value('recursive_update'),
          args.value('merge_lists'),
        ]),
      asking,
    ),
    merge: define(
      `obj_a, obj_b, ${mergeWords}`,
      `Merge a map into a copy of another.${mergeDoc}${examples("brine '*' slsutil.merge '{foo: Foo}' '{bar: Bar}'")}`,
      (args) => merged(args.value('obj_a'), args.value('obj_b'), args),
      asking,
    ),
    merge_all: define(
      `lst, ${mergeWords}`,
      `Merge a list of maps into one, in their order.${mergeDoc}${examples("brine '*' slsutil.merge_all '[{foo: Foo}, {foo: Bar}]'")}`,
      async (args) => {
        let all: Value = {}
        const list = args.value('lst')
        for (const one of isList(list) ? list : []) all = await merged(all, one, args)
        return all
      },
      asking,
    ),
    renderer: define(
      "path=None, string=None, default_renderer='jinja|yaml', **kwargs",
      `Render a file or a text, and return the data or the text that comes of it. Further keywords are variables of the template.

path
    \`\`salt://…\`\` or a path of the minion.
string
    A text in its place.
default_renderer
    What it goes through where it has no \`\`#!\`\` line: of \`\`jinja\`\`, \`\`yaml\`\` and \`\`json\`\`.${examples("brine '*' slsutil.renderer salt://path/to/file", "brine '*' slsutil.renderer string='Hello, {{ name }}.' default_renderer=jinja name=World")}`,
      rendered,
      asking,
    ),
    serialize: define(
      'serializer, obj, **mod_kwargs',
      `Return data as text: \`\`json\`\` or \`\`yaml\`\`.${examples("brine '*' slsutil.serialize 'json' obj=\"{'foo': 'Foo!'}\"")}`,
      serialized,
      asking,
    ),
    deserialize: define(
      'serializer, stream_or_string, **mod_kwargs',
      `Return the data of a text: \`\`json\`\` or \`\`yaml\`\`.${examples("brine '*' slsutil.deserialize 'json' '{\"foo\": \"Foo!\"}'")}`,
      deserialized,
      asking,
    ),
    banner: define(
      "width=72, commentchar='#', borderchar='#', blockstart=None, blockend=None, title=None, text=None, newline=False",
      `Return a box of comments for the head of a file: that it is managed, or a title and a text.${examples("brine '*' slsutil.banner title='Hands off' width=60")}`,
      (args) => banner(args),
      asking,
    ),
    boolstr: define(
      "value, true='true', false='false'",
      `Return one text for what is true, another for what is not.${examples("brine '*' slsutil.boolstr True true=on false=off")}`,
      (args) => (args.is('value') ? args.value('true') : args.value('false')),
      asking,
    ),
    file_exists: define(
      "path, saltenv='base'",
      `Return whether the master has such a file; without \`\`salt://\`\`.${examples("brine '*' slsutil.file_exists nginx/defaults.yaml")}`,
      (args, call) => isIn('cp.list_master', args.text('path'), args.text('saltenv'), call),
      asking,
    ),
    dir_exists: define(
      "path, saltenv='base'",
      `Return whether the master has such a folder; without \`\`salt://\`\`.${examples("brine '*' slsutil.dir_exists nginx/files")}`,
      (args, call) => isIn('cp.list_master_dirs', args.text('path'), args.text('saltenv'), call),
      asking,
    ),
    path_exists: define(
      "path, saltenv='base'",
      `Return whether the master has such a file or folder; without \`\`salt://\`\`.${examples("brine '*' slsutil.path_exists nginx/defaults.yaml")}`,
      (args, call) => isPath(args.text('path'), args.text('saltenv'), call),
      asking,
    ),
    findup: define(
      "startpath, filenames, saltenv='base'",
      `Return the first of some files that is in a folder of the master's or in those above it.${examples("brine '*' slsutil.findup formulas/shared/nginx map.jinja")}`,
      found,
      asking,
    ),
  },
}

/** The top's keys of both, each from the later one; else as the pure function merges. */
function merged(a: Value, b: Value, args: Arguments): Promise<Value> {
  return pureFunction('slsutil.merge', [
    a,
    b,
    args.value('strategy'),
    args.value('renderer'),
    args.value('merge_lists'),
  ])
}
