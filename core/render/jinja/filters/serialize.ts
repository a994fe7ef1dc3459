// Salt's filters that print and read JSON, YAML, XML and Python.

import { messageOf } from '../../../error.ts'
import { Float, type JsonOptions, parseJson, stringifyJson, type Value } from '../../../value/index.ts'
import { dumpYaml, loadYaml, loadYamlWithHoles, YamlError } from '../../yaml/index.ts'
import { Bytes } from '../bytes.ts'
import { type Datum, isDict, str, TemplateObject, TextObject, textOf, truth, typeName } from '../datum.ts'
import { dictPairs, newDict } from '../dict.ts'
import type { YamlTools } from '../environment.ts'
import { collect } from '../iterate.ts'
import { TemplateModule } from '../loader.ts'
import { asIndex } from '../numbers.ts'
import { toValue } from '../printed.ts'
import { PythonError, typeError } from '../python-error.ts'
import type { Run } from '../run.ts'
import { Markup, Rope, TypedText } from '../text-object.ts'
import { defined, Undefined } from '../undefined.ts'
import { doubleQuoted, singleQuoted } from '../yaml-quote.ts'
import { adopt } from './adopt.ts'
import { filter, type NamedFilter, ropeFilter } from './define.ts'
import { findUndefined } from './find-undefined.ts'
import { jsonWithHoles } from './json-holes.ts'
import { rawText } from './markup.ts'
import { plainValue, unserializable } from './plain-value.ts'
import { pprint } from './pprint.ts'
import { toXml } from './xml.ts'

type Args = readonly (Datum | undefined)[]

function jsonText(value: Value, options: JsonOptions): string {
  try {
    return stringifyJson(value, options)
  } catch (error) {
    throw typeError(messageOf(error).replace(/\. [A-Z].*$/s, ''))
  }
}

/** The text of a value, typed in holes mode, where it is made only when it stands inside other text. */
function typed(value: Value, text: () => string, run: Run, markup: boolean): Datum {
  if (run.holesMode) return new TypedText(value, text, markup)
  return markup ? new Markup(text()) : text()
}

function indentOf(datum: Datum): number | string | undefined {
  if (datum === null) return undefined
  return textOf(datum) ?? asIndex(datum) ?? undefined
}

function json(input: Datum, [sortKeys = true, indent = null]: Args, run: Run): Datum {
  const value = plainValue(input, { sortKeys: truth(sortKeys), otherwise: unserializable }, run)
  if (value instanceof Undefined) return value
  checkKeys(value)
  const given = indentOf(indent)
  const options = { ascii: false, ...(given === undefined ? {} : { indent: given }) }
  return typed(value, () => jsonText(value, options).trim(), run, true)
}

/** Refuses keys that JSON has no place for. */
function checkKeys(value: Value): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) for (const item of value) checkKeys(item)
  else if (value instanceof Map) {
    for (const [key, item] of value) {
      if (Array.isArray(key)) throw typeError('keys must be str, int, float, bool or None, not tuple')
      checkKeys(item)
    }
  } else if (!(value instanceof Float)) for (const item of Object.values(value)) checkKeys(item)
}

const JSON_OPTIONS = 'indent? sort_keys? ensure_ascii? separators?'

function tojson(input: Datum, args: Args, run: Run): Datum {
  const [indent = null, sortKeys = false, ascii = true, separators = null] = args
  const value = plainValue(input, { sortKeys: truth(sortKeys), otherwise: unserializable }, run)
  if (value instanceof Undefined) return value
  checkKeys(value)
  const given = indentOf(indent)
  const [item, colon] = separators === null ? [] : collect(separators, run).map(str)
  const options = {
    ascii: truth(ascii),
    ...(given === undefined ? {} : { indent: given }),
    ...(item === undefined || colon === undefined ? {} : { separators: [item, colon] as const }),
  }
  return typed(value, () => withoutHtml(jsonText(value, options)), run, false)
}

function withoutHtml(text: string): string {
  return text
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll("'", '\\u0027')
}

const YAML: YamlTools = {
  load: (text, holes) => (holes === undefined ? loadYaml(text) : loadYamlWithHoles(text, holes)),
  dump: (value, flow) => dumpYaml(value, { flow }),
}

function yamlTools(run: Run): YamlTools {
  return run.environment.yaml ?? YAML
}

function yaml(input: Datum, flow: boolean, run: Run): Datum {
  const unknown = input instanceof TemplateObject && !(input instanceof TextObject && !input.markup)
  const value = plainValue(input, { sortKeys: flow && run.holesMode, otherwise: () => null }, run)
  if (value instanceof Undefined) return value
  const text = (): string =>
    unknown
      ? 'NULL'
      : yamlTools(run)
          .dump(value, flow)
          .trim()
          .replace(/\n\.\.\.$/, '')
  if (unknown) return typed(null, text, run, true)
  return flow ? typed(value, text, run, true) : rawText(text(), run)
}

/** What is to be read: the body of a module, the input else. */
function readable(input: Datum): Datum {
  if (input instanceof Bytes) return input.decode()
  return input instanceof TemplateModule ? input.body : input
}

/** Salt's words, with the line below them. */
function yamlReason(error: unknown): string {
  if (!(error instanceof YamlError)) return messageOf(error)
  return `${error.reason}\n---\n${error.sourceLine}    <======================\n---`
}

function readYaml(input: Datum, run: Run): Datum {
  const missing = findUndefined(input, run)
  if (missing !== undefined) return missing
  const source = readable(input)
  const text = source instanceof Rope ? source.raw : textOf(source)
  if (text === undefined) throw typeError('a string or stream input is required')
  try {
    return adopt(yamlTools(run).load(text, source instanceof Rope ? run.holes : undefined))
  } catch (error) {
    throw new PythonError('TemplateRuntimeError', `Encountered error loading yaml: ${yamlReason(error)}`)
  }
}

function loadJson(input: Datum, run: Run): Datum {
  const missing = findUndefined(input, run)
  if (missing !== undefined) return missing
  const source = readable(input)
  const text = source instanceof Rope ? jsonWithHoles(source) : textOf(source)
  try {
    if (text === undefined) throw typeError(`the JSON object must be str, bytes or bytearray, not ${typeName(source)}`)
    return adopt(parseJson(text))
  } catch {
    throw new PythonError('TemplateRuntimeError', `Unable to load json from ${str(source)}`)
  }
}

function yamlEncode(input: Datum, run: Run): Datum {
  const text = textOf(input)
  if (text !== undefined) return typed(text, () => doubleQuoted(text, false), run, false)
  const value = toValue(defined(input))
  if (typeof value === 'object' && value !== null && !(value instanceof Float)) {
    throw typeError(`yaml_encode() only works with YAML scalar data; failed for <class '${typeName(input)}'>`)
  }
  if (value === null || typeof value === 'boolean') return typed(value, () => String(value), run, false)
  return typed(value, () => yamlNumber(str(input)), run, false)
}

function yamlNumber(text: string): string {
  if (text === 'inf' || text === '-inf') return text.replace('inf', '.inf')
  if (text === 'nan') return '.nan'
  return /^-?\d+e/.test(text) ? text.replace('e', '.0e') : text
}

function quoted(text: string, quote: (text: string) => string, run: Run): Datum {
  return typed(text, () => quote(text), run, false)
}

/** The filters, by Salt's names. */
export const SERIALIZE_FILTERS: readonly NamedFilter[] = [
  ropeFilter('json', 'sort_keys? indent?', json),
  ropeFilter('tojson', JSON_OPTIONS, tojson),
  ropeFilter('yaml', 'flow_style?', (input, [flow = true], run) => yaml(input, truth(flow), run)),
  ropeFilter('dict_to_sls_yaml_params', 'flow_style?', (input, [flow = false], run) => {
    const missing = findUndefined(input, run)
    if (missing !== undefined) return missing
    if (!isDict(input)) throw new PythonError('AttributeError', `'${typeName(input)}' object has no attribute 'items'`)
    const params = dictPairs(input).map(([key, value]) => newDict([[key, value]]))
    return yaml(params, truth(flow), run)
  }),
  ropeFilter('load_yaml', '', (input, _, run) => readYaml(input, run)),
  ropeFilter('load_json', '', (input, _, run) => loadJson(input, run)),
  ropeFilter('load_text', '', (input, _, run) => findUndefined(input, run) ?? readable(input)),
  filter('yaml_dquote', '', (input, _, run) => quoted(str(input), (text) => doubleQuoted(text, false), run)),
  filter('yaml_squote', '', (input, _, run) => quoted(str(input), singleQuoted, run)),
  filter('yaml_encode', '', (input, _, run) => yamlEncode(input, run)),
  ropeFilter('python', '', (input, _, run) => findUndefined(input, run) ?? new Markup(pprint(input).trim())),
  ropeFilter('xml', '', (input, _, run) => findUndefined(input, run) ?? rawText(toXml(input), run)),
]
