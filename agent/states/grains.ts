// Salt's `grains` states: values this minion has or has not.
import { isList, isMapping, type Mapping, pythonEquals, pythonStr, type Value } from '../../core/value/index.ts'
import { traverse } from '../../core/value/traverse.ts'
import type { Arguments } from '../modules/arguments.ts'
import { fine, would, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

/** The path with `:` between its parts, whatever the SLS writes there. */
function pathOf(args: Arguments): string {
  return args.text('name').replaceAll(args.textIfAny('delimiter') ?? ':', ':')
}

const current = (call: StateCall, path: string): Value | undefined => traverse(call.agent.grains.all(), path)

const includes = (list: readonly Value[], value: Value): boolean => list.some((item) => pythonEquals(item, value))

function exists(args: Arguments, call: StateCall): StateReturn {
  const path = pathOf(args)
  return current(call, path) === undefined ? wrong(path, 'Grain does not exist') : fine(path, 'Grain exists')
}

/** What `grains.set` answered, as a state's return. */
async function set(call: StateCall, path: string, value: Value, options: Mapping): Promise<StateReturn> {
  const told = await call.salt('grains.set', [path, value], options)
  const { result = false, comment = '', changes = {} } = isMapping(told) ? told : {}
  return {
    name: path,
    result: result === true,
    comment: pythonStr(comment),
    changes: isMapping(changes) ? changes : {},
  }
}

async function present(args: Arguments, call: StateCall): Promise<StateReturn> {
  const path = pathOf(args)
  const value = args.value('value')
  const existing = current(call, path)
  if (existing !== undefined && pythonEquals(existing, value)) return fine(path, 'Grain is already set')
  if (call.test) {
    if (existing === undefined) return would(path, `Grain ${path} is set to be added`, { new: path })
    return would(path, `Grain ${path} is set to be changed`, { changed: { [path]: value } })
  }
  const told = await set(call, path, value, { force: args.is('force') })
  const isChanged = told.result === true && Object.keys(told.changes).length > 0
  return isChanged ? { ...told, comment: `Set grain ${path} to ${pythonStr(value)}` } : told
}

async function listPresent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const path = pathOf(args)
  const existing = current(call, path) ?? null
  const given = args.value('value')
  let value = given
  let before = ''
  const isThere = isList(existing) ? existing.length > 0 : existing !== null && existing !== ''
  if (isThere) {
    if (!isList(existing)) return wrong(path, `Grain ${path} is not a valid list`)
    const wanted = isList(given) ? given : [given]
    const [known, open] = [
      wanted.filter((item) => includes(existing, item)),
      wanted.filter((item) => !includes(existing, item)),
    ]
    if (open.length === 0) return fine(path, `Value ${pythonStr(given)} is already in grain ${path}`)
    if (isList(given)) value = open
    if (known.length > 0) before = `Removed value ${pythonStr(known)} from update due to value found in "${path}".\n`
  }
  if (call.test) {
    const comment = isThere
      ? `Value ${pythonStr(value)} is set to be appended to grain ${path}`
      : `Grain ${path} is set to be added`
    return would(path, comment, { new: existing ?? '' })
  }
  const changed = await call.salt('grains.append', [path, value])
  const now = current(call, path) ?? []
  const isDone = (isList(value) ? value : [value]).every((item) => isList(now) && includes(now, item))
  if (!isDone) return wrong(path, `Failed append value ${pythonStr(value)} to grain ${path}`)
  return fine(path, `${before}Append value ${pythonStr(value)} to grain ${path}`, { new: changed })
}

async function listAbsent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const path = pathOf(args)
  const existing = current(call, path) ?? null
  if (existing === null || existing === '' || (isList(existing) && existing.length === 0))
    return fine(path, `Grain ${path} does not exist`)
  if (!isList(existing)) return wrong(path, `Grain ${path} is not a valid list`)
  const given = args.value('value')
  const deleted: Value[] = []
  const comments: string[] = []
  for (const value of isList(given) ? given : [given]) {
    if (!includes(existing, value)) {
      comments.push(`Value ${pythonStr(value)} is absent from grain ${path}`)
      continue
    }
    deleted.push(value)
    if (call.test) comments.push(`Value ${pythonStr(value)} in grain ${path} is set to be deleted`)
    else {
      await call.salt('grains.remove', [path, value])
      comments.push(`Value ${pythonStr(value)} was deleted from grain ${path}`)
    }
  }
  const changes = deleted.length > 0 ? { deleted } : {}
  const make = call.test && deleted.length > 0 ? would : fine
  return make(path, comments.join('\n'), changes)
}

async function absent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const path = pathOf(args)
  const destructive = args.value('destructive') === true
  const existing = current(call, path)
  if (existing === undefined) return fine(path, `Grain ${path} does not exist`)
  if (call.test) {
    if (destructive) return would(path, `Grain ${path} is set to be deleted`, { deleted: path })
    if (existing === null) return would(path, '')
    return would(path, `Value for grain ${path} is set to be deleted (None)`, { grain: path, value: null })
  }
  const told = await set(call, path, null, { destructive, force: args.is('force') })
  if (told.result !== true) return told
  if (destructive) return fine(path, `Grain ${path} was deleted`, { deleted: path })
  if (existing === null) return told
  return fine(path, `Value for grain ${path} was set to None`, { grain: path, value: null })
}

async function append(args: Arguments, call: StateCall): Promise<StateReturn> {
  const path = pathOf(args)
  const value = args.value('value')
  const existing = current(call, path)
  if (existing === undefined) return wrong(path, `Grain ${path} does not exist`)
  const shown = pythonStr(value)
  if (isList(existing)) {
    if (includes(existing, value)) return fine(path, `Value ${shown} is already in the list for grain ${path}`)
    if (call.test) return would(path, `Value ${shown} in grain ${path} is set to be added`, { added: value })
    await call.salt('grains.append', [path, value])
    return fine(path, `Value ${shown} was added to grain ${path}`, { added: value })
  }
  if (args.value('convert') !== true) return wrong(path, `Grain ${path} is not a valid list`)
  if (call.test)
    return would(path, `Grain ${path} is set to be converted to list and value ${shown} will be added`, {
      added: value,
    })
  await call.salt('grains.setval', [path, existing === null ? [value] : [existing, value]])
  return fine(path, `Value ${shown} was added to grain ${path}`, { added: value })
}

const nameDoc = `

name
    The grain, or a path like \`\`pkg:apache\`\`.`

/** Values of this minion. */
export const grains: StateModule = {
  name: 'grains',
  functions: {
    exists: defineState(
      "name, delimiter=':'",
      `Ensure that there is a grain.${nameDoc}${slsExample(`
roles:
  grains.exists: []`)}`,
      exists,
    ),
    present: defineState(
      "name, value, delimiter=':', force=False",
      `Ensure that a grain has a value.${nameDoc}
force
    Also where it is a list or a dictionary, or the value is one.${slsExample(`
cheese:
  grains.present:
    - value: edam`)}`,
      present,
    ),
    absent: defineState(
      "name, destructive=False, delimiter=':', force=False",
      `Ensure that a grain has no value.${nameDoc}
destructive
    Remove it, instead of making it None.${slsExample(`
cheese:
  grains.absent: []`)}`,
      absent,
    ),
    append: defineState(
      "name, value, convert=False, delimiter=':'",
      `Ensure that a value is in a grain that is a list.${nameDoc}
convert
    Make a list of what is none.${slsExample(`
roles:
  grains.append:
    - value: web`)}`,
      append,
    ),
    list_present: defineState(
      "name, value, delimiter=':'",
      `Ensure that values are in a grain that is a list, which is made where it is absent.${nameDoc}${slsExample(`
roles:
  grains.list_present:
    - value: web`)}`,
      listPresent,
    ),
    list_absent: defineState(
      "name, value, delimiter=':'",
      `Ensure that values are not in a grain that is a list.${nameDoc}${slsExample(`
roles:
  grains.list_absent:
    - value: db`)}`,
      listAbsent,
    ),
  },
}
