// yaml.jsonl: what Salt's YAML loader makes of a document, with the types of its top level, or how it fails.
import { loadYaml, YamlError } from '../../../core/render/yaml/index.ts'
import { entries, get, isMap, type Mapping, type Value } from '../../../core/value/index.ts'
import { fingerprint, goldenValue, typeName } from '../golden-value.ts'
import { type Suite, text } from '../suite.ts'

export const suite: Suite = {
  keys: ['doc'],
  judge(row) {
    let got: Mapping
    try {
      got = described(loadYaml(text(row, 'doc')))
    } catch (error) {
      if (!(error instanceof YamlError)) throw error
      return get(row, 'error') === undefined ? `${error.kind}: ${error.reason}` : undefined
    }
    const expected: Value[] = Object.keys(got).map((key) => [key, get(row, key) ?? null])
    const mine = fingerprint(Object.entries(got))
    return get(row, 'error') === undefined && mine === fingerprint(expected) ? undefined : fingerprint(got)
  },
}

function described(value: Value): Mapping {
  if (!isMap(value)) return { type: typeName(value), value: goldenValue(value) }
  const items = entries(value).map(([key, item]): Value => {
    return [goldenValue(key), typeName(key), goldenValue(item), typeName(item)]
  })
  return { type: 'dict', items }
}
