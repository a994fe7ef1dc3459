// What the minion knows of itself: asking, setting and choosing by it.
import { isMap, type Mapping, pythonEquals, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { traverse } from '../../core/value/traverse.ts'
import type { Arguments } from './arguments.ts'
import { atPath } from './at-path.ts'
import { PythonError } from './errors.ts'
import { filterBy } from './filter-by.ts'
import { appendGrain, type GrainAccess, removeGrain, setGrain } from './grains-change.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'

const sanitizers: Readonly<Record<string, (value: Value) => Value>> = {
  serialnumber: (value) => {
    const text = pythonStr(value)
    const kept = Math.floor(text.length * 0.75)
    return text.slice(0, kept) + 'X'.repeat(text.length - kept)
  },
  domain: () => 'DOMAINNAME',
  fqdn: () => 'MINION.DOMAINNAME',
  id: () => 'MINION.DOMAINNAME',
  host: () => 'MINION',
  localhost: () => 'MINION',
  nodename: () => 'MINION',
}

function sanitized(grains: Mapping, wanted: boolean): Mapping {
  if (!wanted) return { ...grains }
  return Object.fromEntries(Object.entries(grains).map(([key, value]) => [key, sanitizers[key]?.(value) ?? value]))
}

const isTrue = (value: Value): boolean =>
  typeof value === 'string' ? ['true', '1'].includes(value.toLowerCase()) : pythonTruth(value)

/** Sets grains in the file and tells the master. */
async function setAll(grains: Mapping, destructive: boolean, call: Call): Promise<Mapping> {
  await call.agent.grains.set(grains, destructive)
  if (!call.agent.isLocal) await call.agent.refreshMaster({ reauthenticate: false })
  return grains
}

const access = (call: Call): GrainAccess => ({
  get: (key, delimiter) => traverse(call.agent.grains.all(), key, delimiter),
  set: (key, value, destructive) => setAll({ [key]: value }, destructive, call),
})

const delimiterOf = (args: Arguments): string => args.textIfAny('delimiter') ?? ':'

/** Salt's `grains` module. */
export const grains: ExecutionModule = {
  name: 'grains',
  file: 'grains',
  functions: {
    get: define(
      "key, default='', delimiter=':', ordered=True",
      `Return the grain at a path like \`\`pkg:apache\`\`, or the default.${examples("brine '*' grains.get pkg:apache", "brine '*' grains.get 'abc::def|ghi' delimiter='|'")}`,
      (args, call) => atPath(call.agent.grains.all(), args.value('key'), args.value('default'), delimiterOf(args)),
      { readOnly: true },
    ),
    fetch: define(
      "key, default='', delimiter=':', ordered=True",
      `The old name of grains.get.${examples("brine '*' grains.fetch pkg:apache")}`,
      (args, call) => atPath(call.agent.grains.all(), args.value('key'), args.value('default'), delimiterOf(args)),
      { readOnly: true },
    ),
    has_value: define(
      'key',
      `Return whether there is a grain at a path.${examples("brine '*' grains.has_value pkg:apache")}`,
      (args, call) => traverse(call.agent.grains.all(), args.value('key')) !== undefined,
      { readOnly: true },
    ),
    items: define(
      'sanitize=False',
      `Return all of the minion's grains. \`\`sanitize=True\`\` masks what tells the machine's name and serial number.${examples("brine '*' grains.items", "brine '*' grains.items sanitize=True")}`,
      (args, call) => sanitized(call.agent.grains.all(), isTrue(args.value('sanitize'))),
      { out: 'nested', readOnly: true },
    ),
    item: define(
      '*args, **kwargs',
      `Return one or more grains by name or path.${examples("brine '*' grains.item os", "brine '*' grains.item os osrelease oscodename", "brine '*' grains.item host sanitize=True")}`,
      (args, call) => {
        const delimiter = pythonStr(args.keywords.delimiter ?? ':')
        const found = args.positional.map(
          (name) =>
            [pythonStr(name), atPath(call.agent.grains.all(), name, args.keywords.default ?? '', delimiter)] as const,
        )
        return sanitized(Object.fromEntries(found), isTrue(args.keywords.sanitize ?? false))
      },
      { out: 'nested', readOnly: true },
    ),
    ls: define(
      '',
      `Return the names of all grains, sorted.${examples("brine '*' grains.ls")}`,
      (_, call) => Object.keys(call.agent.grains.all()).sort(),
      { readOnly: true },
    ),
    keys: define(
      "key, delimiter=':'",
      `Return the keys of the grain at a path.${examples("brine '*' grains.keys systemd")}`,
      (args, call) => {
        const value = traverse(call.agent.grains.all(), args.value('key'), delimiterOf(args))
        if (value === undefined) throw new PythonError('KeyError', `'Grain key not found: ${args.text('key')}'`)
        if (value === null || !isMap(value))
          throw new PythonError('ValueError', `Grain value in key ${args.text('key')} is not a dict`)
        return value instanceof Map ? [...value.keys()] : Object.keys(value)
      },
      { readOnly: true },
    ),
    setvals: define(
      'grains, destructive=False, refresh_pillar=True',
      `Set grains in the grains file.

destructive
    A grain set to None is removed.${examples(`brine '*' grains.setvals "{'key1': 'val1', 'key2': 'val2'}"`)}`,
      (args, call) => {
        if (!isMap(args.value('grains') ?? ''))
          throw new PythonError('SaltException', 'setvals grains must be a dictionary.')
        return setAll(args.map('grains'), args.is('destructive'), call)
      },
    ),
    setval: define(
      'key, val, destructive=False, refresh_pillar=True',
      `Set a grain in the grains file.

destructive
    None removes the grain.${examples("brine '*' grains.setval key val", `brine '*' grains.setval key "{'sub-key': 'val', 'sub-key2': 'val2'}"`)}`,
      (args, call) => setAll({ [args.text('key')]: args.value('val') }, args.is('destructive'), call),
      { out: 'nested' },
    ),
    set: define(
      "key, val='', force=False, destructive=False, delimiter=':'",
      `Set the grain at a path. A list or map is only overwritten, or put in a single value's place, with \`\`force=True\`\`.${examples("brine '*' grains.set 'apps:myApp:port' 2209", "brine '*' grains.set 'apps:myApp' '{port: 2209}'")}`,
      (args, call) =>
        setGrain(access(call), args.text('key'), args.value('val'), {
          force: args.is('force'),
          destructive: args.is('destructive'),
          delimiter: delimiterOf(args),
        }),
    ),
    append: define(
      "key, val, convert=False, delimiter=':'",
      `Append a value to the list at a path, which is made where it is absent. \`\`convert=True\`\` makes a list of what is none.${examples("brine '*' grains.append key val")}`,
      (args, call) =>
        appendGrain(access(call), args.text('key'), args.value('val'), args.is('convert'), delimiterOf(args)),
    ),
    remove: define(
      "key, val, delimiter=':'",
      `Remove a value from the list at a path.${examples("brine '*' grains.remove key val")}`,
      (args, call) => removeGrain(access(call), args.text('key'), args.value('val'), delimiterOf(args)),
    ),
    delval: define(
      'key, destructive=False, force=False',
      `Set a grain to None, or remove it with \`\`destructive=True\`\`.${examples("brine '*' grains.delval key")}`,
      (args, call) =>
        setGrain(access(call), args.text('key'), null, {
          force: args.is('force'),
          destructive: args.is('destructive'),
          delimiter: ':',
        }),
    ),
    delkey: define('key, force=False', `Remove a grain.${examples("brine '*' grains.delkey key")}`, (args, call) =>
      setGrain(access(call), args.text('key'), null, { force: args.is('force'), destructive: true, delimiter: ':' }),
    ),
    equals: define(
      'key, value',
      `Return whether the text of the grain at a path equals the value's.${examples("brine '*' grains.equals fqdn <expected_fqdn>", "brine '*' grains.equals systemd:version 219")}`,
      (args, call) =>
        pythonEquals(args.text('value'), pythonStr(atPath(call.agent.grains.all(), args.value('key'), ''))),
      { readOnly: true },
    ),
    filter_by: define(
      "lookup_dict, grain='os_family', merge=None, default='default', base=None",
      `Return what a table has for the value of a grain. The table's keys may be shell patterns.

merge
    A dictionary to lay over the result.

default
    The key to use where none matches.

base
    The key of a dictionary to lay the result over.${examples("brine '*' grains.filter_by '{Debian: Debheads rule, RedHat: I love my hat}'", "brine '*' grains.filter_by '{A: B, C: {D: {E: F, G: H}}}' 'xxx' '{D: {E: I}, J: K}' 'C'")}`,
      (args, call) => {
        const table = args.value('lookup_dict')
        if (table === null || !isMap(table)) throw new PythonError('TypeError', 'filter_by() needs a dictionary')
        return filterBy(call.agent.grains.all(), {
          table,
          path: args.value('grain'),
          merge: args.value('merge'),
          default: args.value('default'),
          base: args.value('base'),
        })
      },
      { readOnly: true },
    ),
  },
}
