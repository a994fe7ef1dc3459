// The `test` states: they do nothing but return what they are asked to. Minion and orchestration share them.
import type { Parameter } from '../arguments/index.ts'
import { BrineError } from '../error.ts'
import { get, isInteger, isList, isMap, type Mapping, pythonStr, pythonTruth, type Value } from '../value/index.ts'
import { traverse } from '../value/traverse.ts'
import { type Low, lowTag, lowText } from './low.ts'
import { hasChanges } from './result.ts'
import type { StateContext, StateFunction } from './state-function.ts'

/** What the `test` states ask of the outside. */
export interface TestWorld {
  readonly pillar: () => Mapping
  /** From 0 up to 1. */
  readonly random: () => number
}

const NAME: Parameter = { name: 'name' }
const PRETENDED = { testing: { old: 'Unchanged', new: 'Something pretended to change' } }

/** The functions of the state module `test`, by their full names. */
export function testStates(world: TestWorld): Readonly<Record<string, StateFunction>> {
  return {
    'test.nop': free((args) => returned(args.name ?? null, true, 'Success!')),
    'test.succeed_without_changes': free((args) => returned(args.name ?? null, true, args.comment ?? 'Success!')),
    'test.fail_without_changes': free((args, { test }) =>
      returned(
        args.name ?? null,
        false,
        test ? "If we weren't testing, this would be a failure!" : (args.comment ?? 'Failure!'),
      ),
    ),
    'test.succeed_with_changes': free((args, { test }) =>
      test
        ? returned(args.name ?? null, null, "If we weren't testing, this would be successful with changes", PRETENDED)
        : returned(args.name ?? null, true, args.comment ?? 'Success!', PRETENDED),
    ),
    'test.fail_with_changes': free((args, { test }) =>
      test
        ? returned(args.name ?? null, null, "If we weren't testing, this would be failed with changes", PRETENDED)
        : returned(args.name ?? null, false, args.comment ?? 'Failure!', PRETENDED),
    ),
    'test.configurable_test_state': {
      signature: {
        params: [
          NAME,
          { name: 'changes', default: true },
          { name: 'result', default: true },
          { name: 'comment', default: '' },
          { name: 'warnings', default: null },
          { name: 'allow_test_mode_failure', default: false },
        ],
      },
      run: (args, context) => configurable(args, context, world),
    },
    'test.show_notification': {
      signature: { params: [NAME, { name: 'text', default: null }], varKwargs: true },
      run: ({ name, text }) => {
        if (!pythonTruth(text ?? null)) throw invocation('Missing required argument text.')
        return returned(name ?? null, true, text ?? null)
      },
    },
    'test.mod_watch': {
      signature: { params: [NAME, { name: 'sfun', default: null }], varKwargs: true },
      run: (args, context) => ({
        name: args.name ?? null,
        result: args.result ?? true,
        comment: args.comment ?? 'Watch statement fired.',
        changes: args.changes ?? { 'Requisites with changes': changedRequisites(context) },
      }),
    },
    'test.check_pillar': {
      signature: {
        params: [
          NAME,
          ...[...PILLAR_TYPES.keys()].map((type) => ({ name: type, default: null })),
          { name: 'verbose', default: false },
        ],
      },
      run: (args) => checkPillar(args, world.pillar()),
    },
  }
}

function free(run: (args: Mapping, context: StateContext) => Value): StateFunction {
  return { signature: { params: [NAME], varKwargs: true }, run }
}

function returned(name: Value, result: Value, comment: Value, changes: Value = {}): Mapping {
  return { name, changes, result, comment }
}

function invocation(message: string): BrineError {
  return new BrineError(message, { code: 'invocation' })
}

function configurable(args: Mapping, { test }: StateContext, { random }: TestWorld): Value {
  const { name = null, changes = null, result = null, comment = null, warnings = null } = args
  const changed = choice(
    changes,
    random,
    "'changes' with invalid arguments. It must be either True, False, or 'Random'",
  )
  const wanted = choice(result, random, "'result' with invalid arguments. It must be either True, False, or 'Random'")
  const shown = test && !pythonTruth(comment) ? 'This is a test' : comment
  const fails = pythonTruth(args.allow_test_mode_failure ?? null) && result === false
  const tested = fails ? false : changes === false ? true : null
  const ret = returned(name, test ? tested : wanted, shown, changed ? PRETENDED : {})
  if (warnings === null) return ret
  if (typeof warnings === 'string') return { ...ret, warnings: [warnings] }
  if (isList(warnings)) return { ...ret, warnings }
  throw invocation(
    "You have specified the state option 'warnings' with invalid arguments. It must be a string or a list of strings",
  )
}

function choice(wanted: Value, random: () => number, words: string): boolean {
  if (typeof wanted === 'boolean') return wanted
  if (pythonStr(wanted).toLowerCase() === 'random') return random() < 0.5
  throw invocation(`You have specified the state option ${words}`)
}

/** Of what is watched, what changed; other requisites do not count, `watch_any` among them, as in Salt. */
function changedRequisites({ low, running }: StateContext): Value[] {
  const requisites = get(low, '__reqs__')
  const watched = requisites !== undefined && isMap(requisites) ? get(requisites, 'watch') : undefined
  if (!isList(watched)) return []
  return watched.filter(isMap).flatMap((required: Low) => {
    const result = running[lowTag(required)]
    return result !== undefined && hasChanges(result)
      ? [`${lowText(required, 'state')}: ${lowText(required, '__id__')}`]
      : []
  })
}

/** Python's type and test of each kind of key, in the order in which Salt goes through them. */
const PILLAR_TYPES: ReadonlyMap<string, readonly [python: string, is: (value: Value) => boolean]> = new Map([
  ['present', ['None', () => true]],
  ['boolean', ["<class 'bool'>", (value) => typeof value === 'boolean']],
  ['integer', ["<class 'int'>", (value) => isInteger(value) || typeof value === 'boolean']],
  ['string', ["(<class 'str'>,)", (value) => typeof value === 'string']],
  ['listing', ["<class 'list'>", isList]],
  ['dictionary', ["<class 'dict'>", isMap]],
])

function checkPillar(args: Mapping, pillar: Mapping): Value {
  if (![...PILLAR_TYPES.keys()].some((type) => pythonTruth(args[type] ?? null))) {
    throw invocation('Missing required argument text.')
  }
  const failed = new Map<string, string>()
  const fine = new Map<string, string>()
  for (const [type, [python, is]] of PILLAR_TYPES) {
    for (const key of listed(args[type] ?? null)) {
      const value = traverse(pillar, key) ?? null
      if (value === null) failed.set(key, 'is missing.')
      else if (is(value)) fine.set(key, python)
      else failed.set(key, `is not ${python}.`)
    }
  }
  let comment = [...failed].map(([key, words]) => `Pillar key "${key}" ${words}\n`).join('')
  if (pythonTruth(args.verbose ?? null) && fine.size > 0) {
    const lines = [...fine].map(([key, python]) => `- ${key} (${python})\n`)
    comment += `Those keys passed the check:\n${lines.join('')}`
  }
  return returned(args.name ?? null, failed.size === 0, comment)
}

function listed(keys: Value): string[] {
  if (isList(keys)) return keys.map(pythonStr)
  return pythonTruth(keys) ? [pythonStr(keys)] : []
}
