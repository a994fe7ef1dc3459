// jinja.jsonl: what Salt's Jinja prints for a template with the variables and files of jinja-context.json, or how it fails.
import {
  compileTemplate,
  type Environment,
  renderText,
  SALT_FUNCTIONS,
  TemplateError,
} from '../../../core/render/jinja/index.ts'
import { get, isMap, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { type Companions, type Suite, text } from '../suite.ts'

export const suite: Suite = {
  keys: ['tmpl'],
  judge(row, companions) {
    const expected = get(row, 'out')
    try {
      const got = renderText(compileTemplate(text(row, 'tmpl')), environment(companions))
      return got === expected ? undefined : JSON.stringify(got)
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      return get(row, 'error') === undefined ? error.message : undefined
    }
  },
}

const VARIABLES = ['data', 'tag', 'grains', 'pillar', 'saltenv', 'sls', 'opts']

function environment(companions: Companions): Environment {
  const given = companions.json('jinja-context.json')
  const files = member(given, 'file_roots')
  return {
    context: Object.fromEntries(VARIABLES.map((name) => [name, member(given, name) ?? null])),
    files: (path) => {
      const found = files === undefined ? undefined : member(files, path)
      return typeof found === 'string' ? found : undefined
    },
    // What the goldens' Salt had: its one function, and the one that the map file calls.
    salt: {
      pure: { ...only(SALT_FUNCTIONS, 'grains.filter_by'), 'test.stub': ([word = null]) => `stub:${pythonStr(word)}` },
    },
    outside: { now: () => Date.now() / 1000, random: Math.random },
  }
}

function member(value: Value, key: string): Value | undefined {
  return isMap(value) ? get(value as Mapping, key) : undefined
}

function only<T>(table: Readonly<Record<string, T>>, name: string): Record<string, T> {
  const found = table[name]
  return found === undefined ? {} : { [name]: found }
}
