// Whether this minion is meant by a target.
import { messageOf } from '../../core/error.ts'
import { compileTarget } from '../../core/target/index.ts'
import { entries, get, isMap, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { mergeDeep } from '../../core/value/merge.ts'
import type { Arguments } from './arguments.ts'
import { PythonError } from './errors.ts'
import { type Call, define, type ExecutionFunction, type ExecutionModule, examples } from './module.ts'

/** An expression that does not compile matches nobody and is said in the log. */
function matches(call: Call, type: string, target: Value, options: { id?: string; delimiter?: string } = {}): boolean {
  const { agent } = call
  const { id = agent.id, delimiter } = options
  try {
    const test = compileTarget(type, target, delimiter === undefined ? {} : { delimiter })
    return test({ id, grains: agent.grains.all(), pillar: agent.pillar() })
  } catch (error) {
    agent.outside.log.error(`match.${type}: ${messageOf(error)}`)
    return false
  }
}

function byId(type: string, about: string, example: string): ExecutionFunction {
  return define(
    'tgt, minion_id=None',
    `${about}\n\nminion_id\n    Another id to try.${examples(example)}`,
    (args, call) => matches(call, type, args.value('tgt'), idOf(args)),
    { readOnly: true },
  )
}

function byData(type: string, about: string, example: string): ExecutionFunction {
  return define(
    "tgt, delimiter=':'",
    `${about}\n\ndelimiter\n    What stands between the parts of a path.${examples(example)}`,
    (args, call) => matches(call, type, args.value('tgt'), { delimiter: args.textIfAny('delimiter') ?? ':' }),
    { readOnly: true },
  )
}

function idOf(args: Arguments): { id?: string } {
  const id = args.textIfAny('minion_id')
  return id === undefined ? {} : { id }
}

function filterBy(args: Arguments, call: Call): Value {
  const table = args.value('lookup')
  if (table === null || !isMap(table)) throw new PythonError('TypeError', 'filter_by() needs a dictionary')
  const merge = args.value('merge')
  for (const [target, value] of entries(table)) {
    if (!matches(call, args.text('tgt_type'), target, idOf(args))) continue
    if (!pythonTruth(merge)) return value
    if (merge === null || !isMap(merge))
      throw new PythonError('SaltException', 'filter_by merge argument must be a dictionary.')
    return value !== null && isMap(value) ? mergeDeep(value, merge, args.is('merge_lists')) : merge
  }
  return get(table, args.text('default')) ?? null
}

function searchBy(args: Arguments, call: Call): Value {
  const table = args.value('lookup')
  if (table === null || !isMap(table)) throw new PythonError('TypeError', 'search_by() needs a dictionary')
  const found = entries(table).flatMap(([key, targets]) =>
    (Array.isArray(targets) ? targets : [])
      .filter((target) => matches(call, args.text('tgt_type'), target, idOf(args)))
      .map(() => pythonStr(key)),
  )
  return found.length > 0 ? found : null
}

function ifElse(args: Arguments, call: Call): Value {
  const words = args.positional
  if (words.length % 2 === 0)
    throw new PythonError('SaltException', 'The ifelse function must have an odd number of arguments!')
  for (let index = 0; index + 1 < words.length; index += 2) {
    const target = words[index] ?? null
    const meant = typeof target === 'boolean' ? target : matches(call, args.text('tgt_type'), target, idOf(args))
    if (meant) return words[index + 1] ?? null
  }
  return words.at(-1) ?? null
}

/** Salt's `match` module. */
export const match: ExecutionModule = {
  name: 'match',
  file: 'match',
  functions: {
    glob: byId('glob', "Return whether the shell pattern matches the minion's id.", "brine '*' match.glob '*'"),
    pcre: byId('pcre', "Return whether the regular expression matches the minion's id.", "brine '*' match.pcre '.*'"),
    list: byId('list', "Return whether the minion's id is in the list.", "brine '*' match.list 'server1,server2'"),
    compound: byId(
      'compound',
      'Return whether the compound expression matches the minion.',
      "brine '*' match.compound 'L@cheese,foo and *'",
    ),
    ipcidr: define(
      'tgt',
      `Return whether the minion has an address in the network, or that address.${examples("brine '*' match.ipcidr '192.168.44.0/24'")}`,
      (args, call) => matches(call, 'ipcidr', args.value('tgt')),
      { readOnly: true },
    ),
    grain: byData('grain', 'Return whether the minion has such a grain.', "brine '*' match.grain 'os:Ubuntu'"),
    grain_pcre: byData(
      'grain_pcre',
      'Return whether the minion has a grain that the regular expression matches.',
      "brine '*' match.grain_pcre 'os:Fedo.*'",
    ),
    pillar: byData(
      'pillar',
      'Return whether the minion has such a pillar value.',
      "brine '*' match.pillar 'cheese:foo'",
    ),
    pillar_pcre: byData(
      'pillar_pcre',
      'Return whether the minion has a pillar value that the regular expression matches.',
      "brine '*' match.pillar_pcre 'cheese:(swiss|american)'",
    ),
    filter_by: define(
      "lookup, tgt_type='compound', minion_id=None, merge=None, merge_lists=False, default='default'",
      `Return what a table has under the first target that means this minion.${examples("brine '*' match.filter_by '{foo*: Foo!, bar*: Bar!}' minion_id=bar03")}`,
      filterBy,
      { readOnly: true },
    ),
    search_by: define(
      "lookup, tgt_type='compound', minion_id=None",
      `Return the keys of a table whose lists hold a target that means this minion.${examples("brine '*' match.search_by '{web: [node1, node2], db: [node2, node]}'")}`,
      searchBy,
      { readOnly: true },
    ),
    ifelse: define(
      "*args, tgt_type='compound', minion_id=None, merge=None, merge_lists=False",
      `Return the value after the first target that means this minion; a last value without a target is the default.${examples("brine '*' match.ifelse 'foo*' 'Foo!' 'bar*' 'Bar!' minion_id=bar03")}`,
      ifElse,
      { readOnly: true },
    ),
  },
}
