// Salt's `kmod` states: modules of the kernel that are loaded or not.
import { isList, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

const textsOf = (value: Value): string[] => (isList(value) ? value.map(pythonStr) : [])

/** The modules that are meant: those of `mods`, else the name. */
const meant = (args: Arguments): string[] =>
  isList(args.value('mods')) ? [...new Set(textsOf(args.value('mods')))] : [args.text('name')]

/** `Kernel module a is gone`, `Kernel modules a, b are gone`. */
const told = (mods: readonly string[], one: string, many: string): string =>
  mods.length === 1 ? `Kernel module ${mods[0]} is ${one}` : `Kernel modules ${mods.join(', ')} are ${many}`

/** What became of each module, by what the function returned: names of what changed, nothing, or words. */
interface Outcome {
  readonly done: string[]
  readonly undone: string[]
  readonly failed: [mod: string, words: string][]
  readonly changed: Set<string>
}

async function each(
  mods: readonly string[],
  work: (mod: string) => Promise<Value>,
  comesAlong: boolean,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], undone: [], failed: [], changed: new Set() }
  for (const mod of mods) {
    if (comesAlong && outcome.changed.has(mod)) {
      outcome.done.push(mod)
      continue
    }
    const answer = await work(mod)
    if (!isList(answer)) outcome.failed.push([mod, pythonStr(answer)])
    else if (answer.length === 0) outcome.undone.push(mod)
    else {
      for (const name of answer) outcome.changed.add(pythonStr(name))
      outcome.done.push(mod)
    }
  }
  return outcome
}

function lines({ done, undone, failed }: Outcome, past: string, verb: string): string[] {
  const plural = (mods: readonly string[]): string => `kernel module${mods.length > 1 ? 's' : ''} ${mods.join(', ')}`
  return [
    ...(done.length > 0 ? [`${past} ${plural(done)}`] : []),
    ...(undone.length > 0 ? [`Failed to ${verb} ${plural(undone)}`] : []),
    ...failed.map(([mod, words]) => `Failed to ${verb} kernel module ${mod}: ${words}`),
  ]
}

const ended = (name: string, outcome: Outcome, word: string, comment: string[], isFine = true): StateReturn => ({
  name,
  result: isFine && outcome.undone.length === 0 && outcome.failed.length === 0,
  changes: Object.fromEntries([...outcome.changed].map((mod) => [mod, word])),
  comment: comment.join('\n'),
})

async function present(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const mods = meant(args)
  const loaded = textsOf(await call.salt('kmod.mod_list', []))
  const kept = args.is('persist') ? textsOf(await call.salt('kmod.mod_list', [true])) : loaded
  const there = mods.filter((mod) => loaded.includes(mod) && kept.includes(mod))
  const comment = there.length === 0 ? [] : [told(there, 'already present', 'already present')]
  const missing = mods.filter((mod) => !there.includes(mod))
  if (missing.length === 0) return { name, result: true, changes: {}, comment: comment.join('\n') }
  if (call.test) {
    const would = told(missing, 'set to be loaded', 'set to be loaded')
    return { name, result: null, changes: {}, comment: [...comment, would].join('\n') }
  }
  const all = textsOf(await call.salt('kmod.available', []))
  const unavailable = missing.filter((mod) => !all.includes(mod))
  if (unavailable.length > 0) comment.push(told(unavailable, 'unavailable', 'unavailable'))
  const available = missing.filter((mod) => all.includes(mod))
  const load = (mod: string): Promise<Value> => call.salt('kmod.load', [mod, args.value('persist')])
  const outcome = await each(available, load, true)
  comment.push(...lines(outcome, 'Loaded', 'load'))
  return ended(name, outcome, 'loaded', comment, unavailable.length === 0)
}

async function absent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const mods = meant(args)
  const loaded = textsOf(await call.salt('kmod.mod_list', []))
  const kept = args.is('persist') ? textsOf(await call.salt('kmod.mod_list', [true])) : []
  const there = mods.filter((mod) => loaded.includes(mod) || kept.includes(mod))
  if (there.length === 0)
    return { name, result: true, changes: {}, comment: told(mods, 'already removed', 'already removed') }
  if (call.test)
    return { name, result: null, changes: {}, comment: told(there, 'set to be removed', 'set to be removed') }
  const remove = (mod: string): Promise<Value> =>
    call.salt('kmod.remove', [mod, args.value('persist'), args.value('comment')])
  const outcome = await each(there, remove, false)
  return ended(name, outcome, 'removed', lines(outcome, 'Removed', 'remove'))
}

const doc = `

mods
    Several modules in one state.
persist
    At the next boot too.`

/** Salt's `kmod` states. */
export const kmod: StateModule = {
  name: 'kmod',
  functions: {
    present: defineState(
      'name, persist=False, mods=None',
      `A module of the kernel is loaded.${doc}${slsExample(`
kvm_amd:
  kmod.present:
    - persist: True`)}`,
      present,
    ),
    absent: defineState(
      'name, persist=False, comment=True, mods=None',
      `A module of the kernel is not loaded.${doc}
comment
    Its line in the file of the boot becomes a comment. False takes the line out.${slsExample(`
pcspkr:
  kmod.absent:
    - persist: True`)}`,
      absent,
    ),
  },
}
