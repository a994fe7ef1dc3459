// pkg.held and pkg.unheld: packages that keep their version.
import { entries, isList, isMap, isMapping, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { fine } from '../outcome.ts'
import type { StateCall, StateReturn } from '../state-module.ts'

async function heldNow(call: StateCall): Promise<string[]> {
  const held = await call.salt('pkg.list_holds', [], {})
  return isList(held) ? held.map(pythonStr) : []
}

function namesAndVersions(args: Arguments): [string, string][] {
  const pkgs = args.value('pkgs')
  const items: Value[] = isList(pkgs) ? pkgs : [{ [args.text('name')]: args.value('version') }]
  return items.flatMap((item): [string, string][] =>
    item !== null && isMap(item)
      ? entries(item).map(([name, version]) => [pythonStr(name), version === null ? '' : pythonStr(version)])
      : [[pythonStr(item), '']],
  )
}

/** `pkg.held`. */
export async function held(args: Arguments, call: StateCall): Promise<StateReturn> {
  const pkgs = args.value('pkgs')
  const name = args.text('name')
  const replace = args.is('replace')
  if (isList(pkgs) && pkgs.length === 0 && !replace) return fine(name, 'No packages to be held provided')
  const before = await heldNow(call)
  const wanted = namesAndVersions(args)
  const ret = fine(name, '')
  const lines: string[] = []
  for (const [one, version] of wanted.filter(([other]) => !before.includes(other))) {
    if (call.test)
      lines.push(`The following package would be held: ${one}${version === '' ? '' : ` (version = ${version})`}`)
    else {
      const told = await hold(call, 'pkg.hold', one, ret)
      lines.push(told.result === true ? `Package ${one} is now being held` : `Package ${one} was not held`)
    }
  }
  for (const one of replace ? before.filter((other) => !wanted.some(([name]) => name === other)) : []) {
    if (call.test) lines.push(`The following package would be unheld: ${one}`)
    else lines.push(pythonStr((await hold(call, 'pkg.unhold', one, ret)).comment ?? ''))
  }
  return finished(call, ret, lines)
}

/** `pkg.unheld`. */
export async function unheld(args: Arguments, call: StateCall): Promise<StateReturn> {
  const pkgs = args.value('pkgs')
  const name = args.text('name')
  const all = args.is('all')
  if (isList(pkgs) && pkgs.length === 0 && !all) return fine(name, 'No packages to be unheld provided')
  const wanted = namesAndVersions(args).map(([one]) => one)
  const ret = fine(name, '')
  const lines: string[] = []
  for (const one of (await heldNow(call)).filter((other) => all || wanted.includes(other))) {
    if (call.test) lines.push(`The following package would be unheld: ${one}`)
    else lines.push(pythonStr((await hold(call, 'pkg.unhold', one, ret)).comment ?? ''))
  }
  return finished(call, ret, lines)
}

async function hold(call: StateCall, fun: string, name: string, ret: StateReturn): Promise<Mapping> {
  const told = await call.salt(fun, [], { name, pkgs: [name] })
  const one = told !== null && isMapping(told) ? (told[name] ?? {}) : {}
  const mapping = isMapping(one) ? one : {}
  if (mapping.result !== true) ret.result = false
  ret.changes[name] = mapping
  return mapping
}

function finished(call: StateCall, ret: StateReturn, lines: readonly string[]): StateReturn {
  const comment = lines.length > 0 ? lines.join('\n') : 'No changes made'
  const isForeseen = call.test && lines.length > 0
  return { ...ret, comment, ...(isForeseen ? { result: null } : {}) }
}
