// Modules of the kernel: those that are loaded, those there are, and those that the next boot loads.
import { mkdir, readdir } from 'node:fs/promises'
import { release } from 'node:os'
import { basename, dirname } from 'node:path'
import { escapeRegex } from '../../core/value/escape-regex.ts'
import { type Mapping, pythonTruth, type Value } from '../../core/value/index.ts'
import { isErrno } from '../filesystem/os-error.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { writeWhole } from '../filesystem/write.ts'
import { which } from './cmd-run.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { outputOf, runProgram } from './program.ts'

async function program(name: string): Promise<string> {
  const found = await which(name)
  if (found === undefined) throw new CommandExecutionError(`Command '${name}' cannot be found`)
  return found
}

interface Loaded extends Mapping {
  size: string
  module: string
  depcount: string
  deps: string[]
}

async function loaded(call: Call): Promise<Loaded[]> {
  const lines = (await outputOf(call, [await program('lsmod')]))
    .split('\n')
    .map((line) => line.split(/\s+/).filter(Boolean))
  return lines
    .filter(([name, , ...more]) => more.length > 0 && name !== 'Module')
    .map(([module = '', size = '', depcount = '', deps]) => ({ size, module, depcount, deps: deps?.split(',') ?? [] }))
}

const namesOf = async (call: Call): Promise<string[]> =>
  [...new Set((await loaded(call)).map(({ module }) => module))].sort()

/** The name in a line of the file, which may have options behind it; undefined of a comment. */
const nameIn = (line: string): string | undefined =>
  line.startsWith('#') ? undefined : line.split(/\s+/)[0] || undefined

/** The functions on the system whose files are below `root`. */
class KernelModules {
  readonly #root: string
  readonly #kernel: string

  constructor(root: string, kernel: string) {
    this.#root = root
    this.#kernel = kernel
  }

  /** The file that the boot reads. */
  #config({ agent }: Call): string {
    const isSystemd = pythonTruth(agent.grains.all().systemd ?? null)
    return `${this.#root}${isSystemd ? '/etc/modules-load.d/salt_managed.conf' : '/etc/modules'}`
  }

  /** Every module of the running kernel, built in or in a file. */
  async available(): Promise<string[]> {
    const directory = `${this.#root}/lib/modules/${this.#kernel}`
    const builtIn = ((await readTextIfThere(`${directory}/modules.builtin`)) ?? '').split('\n').filter(Boolean)
    const files = await filesIn(directory)
    return [
      ...builtIn.map((line) => basename(line).replace(/\.ko$/, '')),
      ...files.map((name) =>
        basename(name)
          .replace(/\.ko.*$/s, '')
          .replaceAll('-', '_'),
      ),
    ].sort()
  }

  async kept(call: Call): Promise<string[]> {
    const text = (await readTextIfThere(this.#config(call))) ?? ''
    const names = text.split('\n').map((line) => nameIn(line.trim()))
    return [...new Set(names.filter((name) => name !== undefined))].sort()
  }

  async load(call: Call, mod: string, persist: boolean): Promise<Value> {
    const before = await namesOf(call)
    const { retcode, stderr } = await runProgram(call, [await program('modprobe'), ...mod.split(/\s+/).filter(Boolean)])
    if (retcode !== 0) return `Error loading module ${mod}: ${stderr}`
    const come = (await namesOf(call)).filter((name) => !before.includes(name))
    return [...new Set([...come, ...(persist ? await this.#keep(call, mod) : [])])].sort()
  }

  async remove(call: Call, mod: string, persist: boolean, comment: boolean): Promise<Value> {
    const before = await namesOf(call)
    const { retcode, stderr } = await runProgram(call, [await program('rmmod'), ...mod.split(/\s+/).filter(Boolean)])
    if (retcode !== 0) return `Error removing module ${mod}: ${stderr}`
    const after = await namesOf(call)
    const gone = before.filter((name) => !after.includes(name))
    return [...new Set([...gone, ...(persist ? await this.#forget(call, mod, comment) : [])])].sort()
  }

  /** Has the boot load it; a line that is only commented out gets its mark taken away. */
  async #keep(call: Call, mod: string): Promise<string[]> {
    const name = mod.trim().split(/\s+/)[0] ?? ''
    const path = this.#config(call)
    const text = (await readTextIfThere(path)) ?? ''
    if (name === '' || (await this.kept(call)).includes(name) || !(await this.available()).includes(name)) return []
    const commented = new RegExp(`^#([\\t ]*${escapeRegex(mod)}[\\t ]*)$`, 'm')
    const next = commented.test(text)
      ? text.replace(commented, '$1')
      : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${mod}\n`
    await mkdir(dirname(path), { recursive: true })
    await writeWhole(path, next)
    return [name]
  }

  async #forget(call: Call, mod: string, comment: boolean): Promise<string[]> {
    const name = mod.trim().split(/\s+/)[0] ?? ''
    const path = this.#config(call)
    if (name === '' || !(await this.kept(call)).includes(name)) return []
    const text = (await readTextIfThere(path)) ?? ''
    const pattern = new RegExp(`^([\\t ]*)(${escapeRegex(mod)}[\\t ]?)`, 'gm')
    await writeWhole(path, text.replace(pattern, comment ? '#$1$2' : ''))
    return [name]
  }
}

async function filesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory, { recursive: true })).filter((name) => basename(name).includes('.ko'))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}

const asking = { readOnly: true }

/** Salt's `kmod` module, on the system whose files are below `root` and whose kernel is this one. */
export function kmodAt(root: string, kernel = release()): ExecutionModule {
  const modules = new KernelModules(root, kernel)
  return {
    name: 'kmod',
    file: 'kmod',
    functions: {
      available: define(
        '',
        `List the modules that the running kernel has, loaded or not.${examples("brine '*' kmod.available")}`,
        () => modules.available(),
        asking,
      ),
      check_available: define(
        'mod',
        `Return whether the running kernel has a module.${examples("brine '*' kmod.check_available kvm")}`,
        async (args) => (await modules.available()).includes(args.text('mod')),
        asking,
      ),
      lsmod: define(
        '',
        `Return the modules that are loaded, with their size and who uses them.${examples("brine '*' kmod.lsmod")}`,
        (_, call) => loaded(call),
        asking,
      ),
      mod_list: define(
        'only_persist=False',
        `List the modules that are loaded.

only_persist
    Those that the boot loads instead.${examples("brine '*' kmod.mod_list")}`,
        (args, call) => (args.is('only_persist') ? modules.kept(call) : namesOf(call)),
        asking,
      ),
      is_loaded: define(
        'mod',
        `Return whether a module is loaded.${examples("brine '*' kmod.is_loaded kvm")}`,
        async (args, call) => (await namesOf(call)).includes(args.text('mod')),
        asking,
      ),
      load: define(
        'mod, persist=False',
        `Load a module. Returns the modules that came with it, or why it could not be loaded.

persist
    Have the boot load it too.${examples("brine '*' kmod.load kvm")}`,
        (args, call) => modules.load(call, args.text('mod'), args.is('persist')),
      ),
      remove: define(
        'mod, persist=False, comment=True',
        `Unload a module. Returns the modules that went with it, or why it could not be unloaded.

persist, comment
    Have the boot load it no longer: its line becomes a comment, or with \`\`comment=False\`\` goes.${examples("brine '*' kmod.remove kvm")}`,
        (args, call) => modules.remove(call, args.text('mod'), args.is('persist'), args.is('comment')),
      ),
    },
  }
}

/** Salt's `kmod` module. */
export const kmod = kmodAt('')
