// Defaults of formulas, and maps laid over them.
import { entries, isMap, mapOf, parseJson, pythonStr, type Value } from '../../../core/value/index.ts'
import { deepCopy } from '../../../core/value/merge.ts'
import { traverse } from '../../../core/value/traverse.ts'
import type { Arguments } from '../arguments.ts'
import { PythonError } from '../errors.ts'
import { type Call, define, type ExecutionModule, examples } from '../module.ts'
import { pureFunction } from './pure.ts'

/** `defaults.yaml` of a formula, or `defaults.json`; null where it has neither. */
async function defaultsOf(formula: string, call: Call): Promise<Value> {
  for (const ending of ['yaml', 'json']) {
    const text = await call.salt('cp.get_file_str', [`salt://${formula}/defaults.${ending}`])
    if (typeof text !== 'string') continue
    const found = ending === 'json' ? parseJson(text) : (await import('./rendering.ts')).loadYaml(text)
    return found ?? {}
  }
  return null
}

async function value(args: Arguments, call: Call): Promise<Value> {
  const whole = args.text('key')
  const at = whole.indexOf(':')
  const found = await defaultsOf(at < 0 ? whole : whole.slice(0, at), call)
  if (at < 0 || at === whole.length - 1) return found
  return traverse(found ?? {}, whole.slice(at + 1), ':') ?? args.value('default')
}

function merge(args: Arguments): Promise<Value> {
  const isNone = args.value('dest') === null && args.is('convert_none')
  if (isNone && args.is('in_place')) throw new PythonError('TypeError', "Can't perform in-place merge into NoneType")
  return pureFunction('defaults.merge', [args.value('dest'), args.value('src'), args.value('merge_lists')])
}

async function update(args: Arguments): Promise<Value> {
  const dest = args.value('dest')
  if (dest === null && args.is('in_place'))
    throw new PythonError('TypeError', "Can't perform in-place update into NoneType")
  const nodes = dest !== null && isMap(dest) ? entries(dest) : []
  const made: [Value, Value][] = []
  for (const [name, node] of nodes)
    made.push([name, await pureFunction('defaults.merge', [args.value('defaults'), node, args.value('merge_lists')])])
  return mapOf(made)
}

const asking = { readOnly: true }

/** Salt's `defaults` module. */
export const defaults: ExecutionModule = {
  name: 'defaults',
  file: 'defaults',
  functions: {
    get: define(
      "key, default=''",
      `Return a value of a formula's \`\`defaults.yaml\`\` or \`\`defaults.json\`\` on the master: the formula, and the path to the value behind colons.${examples("brine '*' defaults.get core:users:root")}`,
      value,
      asking,
    ),
    merge: define(
      'dest, src, merge_lists=False, in_place=True, convert_none=True',
      `Merge a map into another, at every depth. In templates the first one becomes the result unless \`\`in_place\`\` is False.

merge_lists
    Join lists instead of replacing them.${examples("brine '*' defaults.merge '{a: b}' '{d: e}'")}`,
      merge,
      asking,
    ),
    deepcopy: define(
      'source',
      `Return a copy that shares nothing with the original.${examples("brine '*' defaults.deepcopy '{a: [b]}'")}`,
      (args) => deepCopy(args.value('source')),
      asking,
    ),
    update: define(
      'dest, defaults, merge_lists=True, in_place=True, convert_none=True',
      `Lay each value of a map over the same defaults.${examples("brine '*' defaults.update '{db1: {port: 1}}' '{port: 0, user: x}'")}`,
      update,
      asking,
    ),
  },
}

/** Salt's `jinja` module: what is in templates and data files of the master's. */
export const jinja: ExecutionModule = {
  name: 'jinja',
  file: 'jinja',
  functions: {
    load_map: define(
      'path, value',
      `Return a variable of a template on the master, such as a \`\`map.jinja\`\`.${examples("brine '*' jinja.load_map path/to/map.jinja defaults")}`,
      (args, call) =>
        shown(call, `{% from "${args.text('path')}" import ${args.text('value')} with context %}`, args.text('value')),
      asking,
    ),
    import_yaml: define(
      'path',
      `Return the data of a YAML file on the master, rendered by Jinja.${examples("brine '*' jinja.import_yaml path/to/data.yaml")}`,
      (args, call) => shown(call, `{% import_yaml "${args.text('path')}" as imported %}`, 'imported'),
      asking,
    ),
    import_json: define(
      'path',
      `Return the data of a JSON file on the master, rendered by Jinja.${examples("brine '*' jinja.import_json path/to/data.json")}`,
      (args, call) => shown(call, `{% import_json "${args.text('path')}" as imported %}`, 'imported'),
      asking,
    ),
  },
}

async function shown(call: Call, head: string, name: string): Promise<Value> {
  const { renderTemplate } = await import('../../states/templates.ts')
  const text = `${head}\n{{ ${name} | tojson }}\n`
  return parseJson((await renderTemplate(call, text, { name: pythonStr(call.fun), saltenv: 'base' })).trim())
}
