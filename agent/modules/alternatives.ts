// Alternatives: which of several programs a name means, as update-alternatives keeps it.
import { readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Value } from '../../core/value/index.ts'
import { isErrno } from '../filesystem/os-error.ts'
import type { Arguments } from './arguments.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { runProgram } from './program.ts'

/** Red Hat's systems call the program otherwise. */
function programOf({ agent }: Call): string {
  return agent.grains.all().os_family === 'RedHat' ? 'alternatives' : 'update-alternatives'
}

async function display(args: Arguments, call: Call): Promise<string> {
  const { retcode, stdout, stderr } = await runProgram(call, [programOf(call), '--display', args.text('name')])
  return retcode > 0 && stderr !== '' ? stderr : stdout
}

async function link(args: Arguments, call: Call): Promise<Value> {
  const { retcode, stdout } = await runProgram(call, [programOf(call), '--query', args.text('name')])
  const [first = ''] = stdout.split('\n\n')
  return (retcode === 0 && /^Link:\s*(.*?)\s*$/m.exec(first)?.[1]) || false
}

/** Where the name leads now; undefined where it is none. */
async function current(name: string): Promise<string | undefined> {
  try {
    return await readlink(join('/etc/alternatives', name))
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'EINVAL')) return undefined
    throw error
  }
}

async function isRegistered(args: Arguments, call: Call): Promise<boolean> {
  const { retcode, stdout, stderr } = await runProgram(call, [programOf(call), '--display', args.text('name')])
  if (retcode > 0 && stderr !== '') return false
  return stdout.split('\n').some((line) => line.startsWith(args.text('path')))
}

/** Changes something; what the program says, or what it complains of. */
async function change(call: Call, words: readonly string[]): Promise<string> {
  const { retcode, stdout, stderr } = await runProgram(call, [programOf(call), ...words], { tellsJob: true })
  return retcode > 0 && stderr !== '' ? stderr : stdout
}

const asking = { readOnly: true }

/** Salt's `alternatives` module. */
export const alternatives: ExecutionModule = {
  name: 'alternatives',
  file: 'alternatives',
  functions: {
    display: define(
      'name',
      `Return what update-alternatives says of a name.${examples("brine '*' alternatives.display editor")}`,
      display,
      asking,
    ),
    show_link: define(
      'name',
      `Return the link that belongs to a name, or False.${examples("brine '*' alternatives.show_link editor")}`,
      link,
      asking,
    ),
    show_current: define(
      'name',
      `Return the path a name means now, or False.${examples("brine '*' alternatives.show_current editor")}`,
      async (args) => (await current(args.text('name'))) ?? false,
      asking,
    ),
    check_exists: define(
      'name, path',
      `Whether a path is one of those a name may mean.${examples("brine '*' alternatives.check_exists name path")}`,
      isRegistered,
      asking,
    ),
    check_installed: define(
      'name, path',
      `Whether a name means that path now.${examples("brine '*' alternatives.check_installed name path")}`,
      async (args) => (await current(args.text('name'))) === args.text('path'),
      asking,
    ),
    install: define(
      'name, link, path, priority',
      `Let a name mean that path too. Returns what the program says.${examples("brine '*' alternatives.install editor /usr/bin/editor /usr/bin/emacs23 50")}`,
      (args, call) =>
        change(call, ['--install', args.text('link'), args.text('name'), args.text('path'), args.text('priority')]),
    ),
    remove: define(
      'name, path',
      `Let a name mean that path no longer.${examples("brine '*' alternatives.remove name path")}`,
      (args, call) => change(call, ['--remove', args.text('name'), args.text('path')]),
    ),
    auto: define(
      'name',
      `Let a name mean the path with the highest priority.${examples("brine '*' alternatives.auto name")}`,
      (args, call) => change(call, ['--auto', args.text('name')]),
    ),
    set: define(
      'name, path',
      `Let a name mean that path, whatever the priorities say.${examples("brine '*' alternatives.set name path")}`,
      (args, call) => change(call, ['--set', args.text('name'), args.text('path')]),
    ),
  },
}
