// `file.serialize`: data as a file of YAML or JSON.
import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { messageOf } from '../../../core/error.ts'
import {
  type Dict,
  entries,
  get,
  isMap,
  type Mapping,
  mapOf,
  parseJson,
  pythonEquals,
  pythonStr,
  pythonTruth,
  stringifyJson,
  type Value,
} from '../../../core/value/index.ts'
import { mergeDeep } from '../../../core/value/merge.ts'
import { dumpYaml } from '../../../core/yaml-writer/index.ts'
import { normalMode } from '../../filesystem/mode.ts'
import { isRegularFile, joinPath } from '../../filesystem/paths.ts'
import { decode } from '../../filesystem/text.ts'
import { writeWhole } from '../../filesystem/write.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { some } from '../../modules/file/asked.ts'
import { changesOf, type Managed, type ManagedFile, manageFile } from '../../modules/file/manage.ts'
import { pythonType } from '../../modules/python-type.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { checkedBy } from './check-cmd.ts'
import { begun, ended, failed, nameOf } from './outcome.ts'

interface Format {
  write(data: Value, options: Mapping, isUtf8: boolean): string
  read(text: string): Promise<Value> | Value
}

const formats: Readonly<Record<string, Format>> = {
  yaml: {
    write(data, options) {
      const indent = Number(options.indent ?? 2)
      return dumpYaml(data, { flow: options.default_flow_style === true, indent }).replace(/(\n\.\.\.)?\n$/, '')
    },
    read: async (text) => (await import('../../../core/render/yaml/index.ts')).loadYaml(text),
  },
  json: {
    write(data, options, isUtf8) {
      const { indent = 2, sort_keys: sorted = true, ensure_ascii: ascii = !isUtf8 } = options
      const separators = Array.isArray(options.separators) ? options.separators.map(pythonStr) : [',', ': ']
      return stringifyJson(data, {
        ...(indent === null ? {} : { indent: typeof indent === 'string' ? indent : Number(indent) }),
        sortKeys: pythonTruth(sorted),
        ascii: pythonTruth(ascii),
        separators: [separators[0] ?? ',', separators[1] ?? ': '],
      })
    },
    read: parseJson,
  },
}

/** A map, or a list of maps of one key. */
function optionsOf(value: Value): Mapping {
  const parts = Array.isArray(value) ? value : [value]
  const all: Mapping = {}
  for (const part of parts)
    if (part !== null && isMap(part)) for (const [key, item] of entries(part)) all[pythonStr(key)] = item
  return all
}

/** What is new or another way, as Salt's dictdiffer tells it. */
function differences(now: Mapping | Dict, before: Mapping | Dict): Value {
  const found: [Value, Value][] = []
  for (const [key, value] of entries(now)) {
    const old = before instanceof Map ? before.get(key) : get(before, pythonStr(key))
    if (old === undefined) found.push([key, { new: value, old: '<_null_>' }])
    else if (pythonEquals(old, value)) continue
    else if (old !== null && isMap(old) && value !== null && isMap(value)) found.push([key, differences(value, old)])
    else found.push([key, { new: value, old }])
  }
  return mapOf(found)
}

async function serialize(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name)
  if (name === '') return failed(ret, 'Must provide name to file.serialize')
  if (!args.is('create') && !(await isRegularFile(name))) {
    return ended(ret, true, `File ${name} is not present and is not set for creation`)
  }
  const formatter = args.keywords.formatter ?? null
  if (args.is('serializer') && pythonTruth(formatter)) {
    return failed(ret, 'Only one of serializer and formatter are allowed')
  }
  const kind = (some(args.value('serializer')) ?? some(formatter) ?? 'yaml').toLowerCase()
  if (args.is('dataset') && args.is('dataset_pillar')) {
    return failed(ret, "Only one of 'dataset' and 'dataset_pillar' is permitted")
  }
  const given = args.is('dataset_pillar')
    ? await call.salt('pillar.get', [args.value('dataset_pillar')])
    : args.value('dataset')
  if (given === null) return failed(ret, "Neither 'dataset' nor 'dataset_pillar' was defined")
  const format = formats[kind]
  if (format === undefined) {
    return failed(
      ret,
      `The ${kind} serializer could not be found. It either does not exist or its prerequisites are not installed.`,
    )
  }
  const merged = await mergedWith(name, given, format, args)
  if (typeof merged === 'string') return failed(ret, merged)
  if (merged.before !== undefined && pythonEquals(merged.before, merged.data)) {
    return ended(ret, true, `The file ${name} is in the correct state`)
  }
  const text = `${format.write(merged.data, optionsOf(args.value('serializer_opts')), args.is('encoding'))}\n`
  return written(ret, { name, text, args, diff: diffOf(merged) }, call)
}

interface Merged {
  readonly data: Value
  readonly before?: Value
}

async function mergedWith(name: string, data: Value, format: Format, args: Arguments): Promise<Merged | string> {
  if (!args.is('merge_if_exists') || !(await isRegularFile(name))) return { data }
  let before: Value
  try {
    before = await format.read(decode(await readFile(name)))
  } catch (error) {
    return `Failed to deserialize existing data: ${messageOf(error)}`
  }
  if (before === null) return { data }
  if (!isMap(before) || data === null || !isMap(data)) {
    return `Failed to deserialize existing data: cannot merge ${pythonType(data)} into ${pythonType(before)}`
  }
  return { data: mergeDeep(before, data), before }
}

function diffOf({ data, before }: Merged): Value | undefined {
  return before !== undefined && isMap(before ?? null) && isMap(data ?? null)
    ? differences(data as Mapping, before as Mapping)
    : undefined
}

interface Writing {
  readonly name: string
  readonly text: string
  readonly args: Arguments
  readonly diff: Value | undefined
}

async function written(ret: Managed, { name, text, args, diff }: Writing, call: StateCall): Promise<Managed> {
  const file: ManagedFile = {
    name,
    source: '',
    contents: { kind: 'text', text },
    verify: false,
    user: args.value('user'),
    group: args.value('group'),
    mode: normalMode(args.value('mode')) ?? null,
    attrs: null,
    backup: some(args.value('backup')) ?? '',
    makedirs: args.is('makedirs'),
    dirMode: null,
    showChanges: args.is('show_changes'),
    follow: true,
    test: call.test,
    isTemplate: true,
  }
  const shown = (done: Managed): Managed =>
    diff === undefined ? done : { ...done, changes: { ...done.changes, diff } }
  if (call.test) {
    const changes = await changesOf({ ...file, follow: false }, call)
    if (Object.keys(changes).length === 0) return shown(ended(ret, true, `The file ${name} is in the correct state`))
    if (!file.showChanges) changes.diff = '<show_changes=False>'
    return shown(ended(ret, null, `Dataset will be serialized and stored into ${name}`, changes))
  }
  const command = some(args.value('check_cmd'))
  if (command !== undefined && Object.keys(await changesOf(file, call)).length > 0) {
    const copy = joinPath(
      some(args.value('tmp_dir')) ?? tmpdir(),
      `brine-check-${randomBytes(6).toString('hex')}${some(args.value('tmp_ext')) ?? ''}`,
    )
    try {
      await writeWhole(copy, text, { mode: '0600' })
      const refusal = await checkedBy(command, copy, call)
      if (refusal !== undefined) return { ...ret, ...refusal }
    } finally {
      await rm(copy, { force: true })
    }
  }
  return shown(await manageFile(ret, file, call))
}

/** `file.serialize`. */
export const serializeState = defineState(
  "name, dataset=None, dataset_pillar=None, user=None, group=None, mode=None, backup='', makedirs=False, show_changes=True, create=True, merge_if_exists=False, encoding=None, encoding_errors='strict', serializer=None, serializer_opts=None, deserializer_opts=None, check_cmd=None, tmp_dir='', tmp_ext='', **kwargs",
  `Data as a file.

dataset, dataset_pillar
    The data, or where in the pillar it is.
serializer (or formatter)
    \`\`yaml\`\` or \`\`json\`\`.
serializer_opts
    \`\`indent\`\`, \`\`sort_keys\`\`, \`\`default_flow_style\`\`, …
merge_if_exists
    Lay it over what is in the file.
user, group, mode, backup, makedirs, show_changes, create, check_cmd
    As of \`\`file.managed\`\`.${slsExample(`
/etc/dummy/package.json:
  file.serialize:
    - dataset:
        name: naive
        version: 2.1.0
    - serializer: json`)}`,
  serialize,
)
