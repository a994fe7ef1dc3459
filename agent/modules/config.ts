// The minion's configuration, looked up where Salt looks: options, grains, pillar, the master's part of the pillar.
import { tagGlob } from '../../core/event/tag-glob.ts'
import { type Dict, isMap, isMapping, type Mapping, type Value } from '../../core/value/index.ts'
import { mergeDeep } from '../../core/value/merge.ts'
import { traverse } from '../../core/value/traverse.ts'
import { normalMode } from '../filesystem/mode.ts'
import type { Arguments } from './arguments.ts'
import { atPath } from './at-path.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'

/** The stores to look in, the first first. */
function stores(args: Arguments, call: Call): Mapping[] {
  const { agent } = call
  const pillar = agent.pillar()
  const all: [string, Mapping][] = [
    ['omit_opts', agent.opts],
    ['omit_grains', agent.grains.all()],
    ['omit_pillar', pillar],
    ['omit_master', isMapping(pillar.master) ? pillar.master : {}],
  ]
  return all.filter(([omit]) => !args.is(omit) && !args.is('omit_all')).map(([, store]) => store)
}

function get(args: Arguments, call: Call): Value {
  const delimiter = args.textIfAny('delimiter') ?? ':'
  const all = stores(args, call)
  if (args.value('merge') !== null) {
    const over = args.value('merge') === 'overwrite'
    let whole: Mapping | Dict = {}
    for (const store of all.toReversed()) whole = over ? Object.assign({}, whole, store) : mergeDeep(whole, store)
    return atPath(whole, args.value('key'), args.value('default'), delimiter)
  }
  for (const store of all) {
    const found = traverse(store, args.value('key'), delimiter)
    if (found !== undefined) return found
  }
  return args.value('default')
}

function option(args: Arguments, call: Call): Value {
  const all = stores(args, call)
  const name = args.text('value')
  const fallback = args.value('default')
  if (!args.is('wildcard')) {
    const store = all.find((one) => Object.hasOwn(one, name))
    return store?.[name] ?? (store === undefined ? (fallback ?? '') : null)
  }
  const matches = tagGlob(name)
  const found: Mapping = {}
  for (const store of all.toReversed()) {
    for (const [key, value] of Object.entries(store)) if (matches(key)) found[key] = value
  }
  return Object.keys(found).length > 0 ? found : (fallback ?? {})
}

const omits = 'omit_opts=False, omit_grains=False, omit_pillar=False, omit_master=False'

/** Salt's `config` module. */
export const config: ExecutionModule = {
  name: 'config',
  file: 'config',
  functions: {
    get: define(
      `key, default='', delimiter=':', merge=None, ${omits}`,
      `Return the value at a path from the minion's configuration, its grains, its pillar or the master's part of the pillar: the first that has it.

merge
    \`\`recurse\`\` or \`\`overwrite\`\`: lay all of them over each other first.${examples("brine '*' config.get pkg:apache", "brine '*' config.get container_profile:centos merge=recurse")}`,
      get,
      { readOnly: true },
    ),
    option: define(
      `value, default=None, ${omits}, omit_all=False, wildcard=False`,
      `Return the option of that name from the minion's configuration, its grains or its pillar.

wildcard
    The name is a shell pattern; all options it matches are returned.${examples("brine '*' config.option redis.host")}`,
      option,
      { readOnly: true },
    ),
    merge: define(
      "value, default='', omit_opts=False, omit_master=False, omit_pillar=False",
      `Return an option, its values in the configuration and the pillar merged.${examples("brine '*' config.merge schedule")}`,
      (args, call) => {
        const values = stores(args, call).flatMap((store) =>
          Object.hasOwn(store, args.text('value')) ? [store[args.text('value')] ?? null] : [],
        )
        const [first] = values
        if (first === undefined) return args.value('default')
        if (first === null || !isMap(first)) return first
        return values.reduceRight<Value>(
          (under, over) =>
            under !== null && isMap(under) && over !== null && isMap(over) ? mergeDeep(under, over) : over,
          {},
        )
      },
      { readOnly: true },
    ),
    items: define(
      '',
      `Return the whole configuration of the running minion.${examples("brine '*' config.items")}`,
      (_, call) => call.agent.opts,
      { readOnly: true },
    ),
    dot_vals: define(
      'value',
      `Return the options whose names begin with that and a dot.${examples("brine '*' config.dot_vals host")}`,
      (args, call) => {
        const prefix = `${args.text('value')}.`
        const pillar = call.agent.pillar()
        const master = isMapping(pillar.master) ? pillar.master : {}
        const found = [master, call.agent.opts].flatMap((store) =>
          Object.entries(store).filter(([key]) => key.startsWith(prefix)),
        )
        return Object.fromEntries(found)
      },
      { readOnly: true },
    ),
    backup_mode: define(
      "backup=''",
      `Return that mode of backups, or where none is given the one of the option \`\`backup_mode\`\`.${examples("brine '*' config.backup_mode")}`,
      async (args, call) => (args.is('backup') ? args.value('backup') : call.salt('config.option', ['backup_mode'])),
      { readOnly: true },
    ),
    manage_mode: define(
      'mode',
      `Return a mode as four octal digits.${examples("brine '*' config.manage_mode 644")}`,
      (args) => normalMode(args.value('mode')) ?? null,
      { readOnly: true },
    ),
    valid_fileproto: define(
      'uri',
      `Return whether files are fetched from such a URL.${examples("brine '*' config.valid_fileproto salt://path/to/file")}`,
      (args) => /^(salt|https?|ftp|file|s3|swift):/i.test(args.text('uri')),
      { readOnly: true },
    ),
  },
}
