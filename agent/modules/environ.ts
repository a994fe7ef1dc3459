// Variables of the minion's environment, which the programs it runs inherit.
import { isMapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { define, type ExecutionModule, examples } from './module.ts'

/** Sets a variable; `false` empties or removes it. Answers what it is now: null where it is gone, false where the value is none. */
function set(key: string, value: Value, falseUnsets: boolean): Value {
  if (value === false && falseUnsets) {
    delete process.env[key]
    return null
  }
  const text = value === false ? '' : value
  if (typeof text !== 'string') return false
  process.env[key] = text
  return text
}

function setAll(args: Arguments): Value {
  const environ = args.value('environ')
  if (!isMapping(environ)) return false
  const told: { [key: string]: Value } = {}
  const unsets = args.value('false_unsets') === true
  if (args.value('clear_all') === true)
    for (const key of Object.keys(process.env)) if (!(key in environ)) told[key] = set(key, false, unsets)
  for (const [key, value] of Object.entries(environ)) {
    if (typeof value !== 'string' && value !== false) return false
    told[key] = set(key, value, unsets)
  }
  return told
}

const asking = { readOnly: true }

/** Salt's `environ` module. */
export const environ: ExecutionModule = {
  name: 'environ',
  file: 'environ',
  functions: {
    get: define(
      "key, default=''",
      `Return a variable of the minion's environment.${examples("brine '*' environ.get foo", "brine '*' environ.get baz default=False")}`,
      (args) => process.env[args.text('key')] ?? args.value('default'),
      asking,
    ),
    has_value: define(
      'key, value=None',
      `Whether a variable is there, or has that value.${examples("brine '*' environ.has_value foo")}`,
      (args) => {
        const now = process.env[args.text('key')]
        return now !== undefined && (args.value('value') === null || now === args.value('value'))
      },
      asking,
    ),
    item: define(
      "keys, default=''",
      `Return several variables.${examples("brine '*' environ.item foo", `brine '*' environ.item '[foo, baz]' default=None`)}`,
      (args) => {
        const keys = args.value('keys')
        const names = Array.isArray(keys) ? keys.map(pythonStr) : [pythonStr(keys)]
        return Object.fromEntries(names.map((name) => [name, process.env[name] ?? args.value('default')]))
      },
      asking,
    ),
    items: define(
      '',
      `Return the whole environment of the minion.${examples("brine '*' environ.items")}`,
      () => ({ ...process.env }) as Value,
      asking,
    ),
    setval: define(
      'key, val, false_unsets=False, permanent=False',
      `Set a variable of the minion's environment, until the minion ends.

val
    A text; False empties it.
false_unsets
    False removes it.${examples("brine '*' environ.setval foo bar", "brine '*' environ.setval baz val=False false_unsets=True")}`,
      (args) => set(args.text('key'), args.value('val'), args.value('false_unsets') === true),
    ),
    setenv: define(
      'environ, false_unsets=False, clear_all=False, update_minion=False, permanent=False',
      `Set several variables of the minion's environment, until the minion ends.

environ
    A map of texts; False empties one, or with false_unsets removes it.
clear_all
    Empty or remove all others.${examples(`brine '*' environ.setenv '{"foo": "bar", "baz": "quux"}'`)}`,
      setAll,
    ),
  },
}
