// Salt's `alternatives` states: which of several programs a name means.
import { pythonStr } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

/** The arguments, as Salt tells them in the return. */
function begun(args: Arguments, names: readonly string[]): StateReturn {
  return {
    ...Object.fromEntries(names.map((name) => [name, args.value(name)])),
    name: args.value('name'),
    result: true,
    changes: {},
    comment: '',
  }
}

const asksYes = async (call: StateCall, fun: string, name: string, path: string): Promise<boolean> =>
  (await call.salt(`alternatives.${fun}`, [name, path])) === true

/** Where the name leads now; an empty text where it is none. */
async function current(call: StateCall, name: string): Promise<string> {
  const told = await call.salt('alternatives.show_current', [name])
  return typeof told === 'string' ? told : ''
}

async function install(args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret = begun(args, ['link', 'path', 'priority'])
  const [name, path, priority] = [args.text('name'), args.text('path'), args.text('priority')]
  if (await asksYes(call, 'check_exists', name, path))
    return { ...ret, comment: `Alternative ${path} for ${name} is already registered` }
  if (call.test) {
    const comment = `Alternative will be set for ${name} to ${path} with priority ${priority}`
    return { ...ret, result: null, comment }
  }
  const told = await call.salt('alternatives.install', [name, args.value('link'), path, args.value('priority')])
  if (!(await asksYes(call, 'check_exists', name, path)))
    return { ...ret, result: false, comment: `Alternative for ${name} not installed: ${pythonStr(told)}` }
  const comment = (await asksYes(call, 'check_installed', name, path))
    ? `Alternative for ${name} set to path ${path} with priority ${priority}`
    : `Alternative ${path} for ${name} registered with priority ${priority} and not set to default`
  const changes = Object.fromEntries(['name', 'link', 'path', 'priority'].map((key) => [key, args.value(key)]))
  return { ...ret, comment, changes }
}

async function remove(args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret = begun(args, ['path'])
  const [name, path] = [args.text('name'), args.text('path')]
  if (!(await asksYes(call, 'check_exists', name, path))) {
    const now = await current(call, name)
    return now === ''
      ? { ...ret, result: false, comment: `Alternative for ${name} doesn't exist` }
      : { ...ret, comment: `Alternative for ${name} is set to it's default path ${now}` }
  }
  if (call.test) return { ...ret, result: null, comment: `Alternative for ${name} will be removed` }
  await call.salt('alternatives.remove', [name, path])
  const now = await current(call, name)
  if (now === '') return { ...ret, comment: `Alternative for ${name} removed` }
  const comment = `Alternative for ${name} removed. Falling back to path ${now}`
  return { ...ret, comment, changes: { path: now } }
}

async function auto(args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret = begun(args, [])
  const name = args.text('name')
  const [first = ''] = pythonStr(await call.salt('alternatives.display', [name])).split('\n')
  if (first.endsWith(' auto mode')) return { ...ret, comment: `${name} already in auto mode` }
  if (call.test) return { ...ret, result: null, comment: `${name} will be put in auto mode` }
  return { ...ret, changes: { result: await call.salt('alternatives.auto', [name]) } }
}

async function set(args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret = begun(args, ['path'])
  const [name, path] = [args.text('name'), args.text('path')]
  if ((await current(call, name)) === path) return { ...ret, comment: `Alternative for ${name} already set to ${path}` }
  if (!(await asksYes(call, 'check_exists', name, path)))
    return { ...ret, result: false, comment: `Alternative ${path} for ${name} doesn't exist` }
  if (call.test) return { ...ret, result: null, comment: `Alternative for ${name} will be set to path ${path}` }
  await call.salt('alternatives.set', [name, path])
  const now = await current(call, name)
  return now === path
    ? { ...ret, comment: `Alternative for ${name} set to path ${now}`, changes: { path: now } }
    : { ...ret, comment: `Alternative for ${name} not updated` }
}

const doc = `

name
    The name, such as \`\`editor\`\`.
path
    What it may mean, such as \`\`/usr/bin/vim\`\`.`

/** Salt's `alternatives` states. */
export const alternatives: StateModule = {
  name: 'alternatives',
  functions: {
    install: defineState(
      'name, link, path, priority',
      `A name may mean this path. Where it does not choose by hand, it means the one with the highest priority.${doc}
link
    The link that people use, such as \`\`/usr/bin/editor\`\`.
priority
    A number.${slsExample(`
pager:
  alternatives.install:
    - name: pager
    - link: /usr/bin/pager
    - path: /usr/bin/less
    - priority: 5`)}`,
      install,
    ),
    remove: defineState(
      'name, path',
      `A name does not mean this path.${doc}${slsExample(`
pager:
  alternatives.remove:
    - path: /usr/bin/most`)}`,
      remove,
    ),
    auto: defineState(
      'name',
      `A name means the path with the highest priority.${slsExample(`
pager:
  alternatives.auto: []`)}`,
      auto,
    ),
    set: defineState(
      'name, path',
      `A name means this path, whatever the priorities say.${doc}${slsExample(`
pager:
  alternatives.set:
    - path: /usr/bin/less`)}`,
      set,
    ),
  },
}
