// The functions of `pkg` that look into a package manager's books, and dpkg's selections.
import { readFile } from 'node:fs/promises'
import { isList, isMap, type Mapping, pythonRepr, pythonStr, type Value } from '../../core/value/index.ts'
import { isTrue } from '../packages/changes.ts'
import { packageManagerOf } from '../packages/of-machine.ts'
import type { Arguments } from './arguments.ts'
import { which } from './cmd-run.ts'
import { CommandExecutionError, CommandNotFoundError, SaltInvocationError } from './errors.ts'
import { type Call, define, type ExecutionFunction, examples } from './module.ts'
import { outputOf, runProgram } from './program.ts'

/** These books are apt's and dpkg's alone. */
function refuseOthers(call: Call): void {
  const { name } = packageManagerOf(call)
  if (name !== 'apt') throw new CommandExecutionError(`${call.fun} is there for apt alone, not for ${name}`)
}

async function show(args: Arguments, call: Call): Promise<Value> {
  refuseOthers(call)
  const { refresh = false, filter = null, ...others } = args.cleanKeywords
  const invalid = Object.entries(others).map(([key, value]) => `${key}=${pythonStr(value)}`)
  if (invalid.length > 0)
    throw new SaltInvocationError(`The following keyword arguments are not valid: ${invalid.join(', ')}`)
  if (isTrue(refresh)) await packageManagerOf(call).refresh(call, { failhard: false, validFor: 0 })
  if (args.positional.length === 0) return {}
  const names = isList(filter) ? filter.map(pythonStr) : filter === null ? [] : pythonStr(filter).split(',')
  const wanted = names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '')
  const output = await outputOf(call, ['apt-cache', 'show', ...args.positional])
  const told: Record<string, Record<string, Mapping>> = {}
  for (const paragraph of output.split(/\n\s*\n/)) {
    const fields = [...paragraph.matchAll(/^(\S[^:\n]*):\s*(.*)$/gm)].map(([, key = '', value = '']) => [
      key,
      value.trim(),
    ])
    const { Package: name, Version: version, ...rest } = Object.fromEntries(fields) as Record<string, string>
    if (name === undefined || version === undefined) continue
    const shown = Object.entries(rest).filter(([key]) => wanted.length === 0 || wanted.includes(key.toLowerCase()))
    const versions = told[name] ?? {}
    told[name] = { ...versions, [version]: { ...versions[version], ...Object.fromEntries(shown) } }
  }
  return told
}

/** Packages by what is to become of them. */
function selectionsIn(text: string): Record<string, string[]> {
  const told: Record<string, string[]> = {}
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [name = '', state = ''] = line.trim().split(/\s+/)
    told[state] = [...(told[state] ?? []), name]
  }
  return told
}

const selections = async (call: Call, pattern = '*'): Promise<Record<string, string[]>> =>
  selectionsIn(await outputOf(call, ['dpkg', '--get-selections', pattern]))

const states = ['install', 'hold', 'deinstall', 'purge']

async function wantedSelections(args: Arguments, call: Call): Promise<Record<string, string[]>> {
  const [path, selection] = [args.textIfAny('path'), args.value('selection')]
  if (path !== undefined && args.is('selection'))
    throw new SaltInvocationError(
      "The 'selection' and 'path' arguments to pkg.set_selections are mutually exclusive, and cannot be specified together",
    )
  if (path !== undefined) {
    const file = await call.salt('cp.cache_file', [path, args.text('saltenv')])
    if (typeof file !== 'string' || file === '') throw new CommandExecutionError(`Unable to cache ${path}`)
    return selectionsIn(await readFile(file, 'utf8'))
  }
  const value = typeof selection === 'string' ? await yaml(selection) : selection
  if (!isMap(value)) throw new SaltInvocationError(`Improperly-formatted selection: ${pythonRepr(value)}`)
  const pairs = Object.entries(value as Mapping).map(([state, names]) => [
    state,
    isList(names) ? names.map(pythonStr) : [pythonStr(names)],
  ])
  return Object.fromEntries(pairs)
}

async function yaml(text: string): Promise<Value> {
  const { loadYaml } = await import('../../core/render/yaml/index.ts')
  try {
    return loadYaml(text)
  } catch (error) {
    throw new SaltInvocationError(`Improperly-formatted selection: ${error instanceof Error ? error.message : ''}`)
  }
}

async function setSelections(args: Arguments, call: Call): Promise<Value> {
  refuseOthers(call)
  if (!args.is('path') && !args.is('selection')) return {}
  const wanted = await wantedSelections(args, call)
  const bad = Object.keys(wanted).filter((state) => !states.includes(state))
  if (bad.length > 0) throw new SaltInvocationError(`Invalid state(s): ${bad.join(', ')}`)
  const isTest = call.agent.opts.test === true
  if (args.is('clear') && !isTest) {
    const { retcode, stderr } = await runProgram(call, ['dpkg', '--clear-selections'])
    if (retcode !== 0) throw new CommandExecutionError(`Running dpkg --clear-selections failed: ${stderr}`)
  }
  const now = Object.entries(await selections(call)).flatMap(([state, names]) => names.map((name) => [name, state]))
  const before = new Map(now as [string, string][])
  const told: Mapping = {}
  for (const [state, names] of Object.entries(wanted)) {
    for (const name of names) {
      const old = before.get(name) ?? null
      if (old === state || isTest) continue
      const { retcode } = await runProgram(call, ['dpkg', '--set-selections'], { stdin: `${name} ${state}\n` })
      if (retcode === 0) told[name] = { old, new: state }
      else call.agent.outside.log.error(`failed to set state ${state} for package ${name}`)
    }
  }
  return told
}

async function needRestart(_: Arguments, call: Call): Promise<Value> {
  refuseOthers(call)
  if ((await which('checkrestart')) === undefined)
    throw new CommandNotFoundError(
      "'checkrestart' is needed. It is part of the 'debian-goodies' package which can be installed from official repositories.",
    )
  const output = await outputOf(call, ['checkrestart', '--machine', '--package'])
  return [...new Set([...output.matchAll(/^SERVICE:([^,\n]*),/gm)].map(([, name = '']) => name))].sort()
}

async function fileDict(args: Arguments, call: Call): Promise<Value> {
  const manager = packageManagerOf(call)
  let names = args.positional.map(pythonStr)
  if (manager.name === 'apt') {
    const words = ['dpkg-query', `-f=\${db:Status-Status}\t\${binary:Package}\n`, '-W', ...names]
    const { retcode, stdout, stderr } = await runProgram(call, words)
    if (retcode !== 0) return `Error:  ${stderr}`
    names = [...stdout.matchAll(/^installed\t(.+)$/gm)].map(([, name = '']) => name)
  }
  const packages: Mapping = {}
  for (const name of names) packages[name] = [...(await manager.files(call, name))]
  return { errors: [], packages }
}

const readOnly = { readOnly: true }

/** What they are called by. */
export const bookFunctions: Readonly<Record<string, ExecutionFunction>> = {
  show: define(
    '*names, **kwargs',
    `Return what apt-cache knows of packages, by name and version.

filter
    Only these fields, whatever their case.
refresh
    Fetch the package lists first. Default: False${examples("brine '*' pkg.show hello", "brine '*' pkg.show hello 'nginx*' filter=description,homepage")}`,
    show,
  ),
  get_selections: define(
    'pattern=None, state=None',
    `Return packages by what dpkg is to do with them: install, hold, deinstall, purge.

pattern
    Only packages a shell pattern matches.
state
    Only those of this state.${examples("brine '*' pkg.get_selections", "brine '*' pkg.get_selections 'python-*'", "brine '*' pkg.get_selections state=hold")}`,
    async (args, call) => {
      refuseOthers(call)
      const told = await selections(call, args.textIfAny('pattern'))
      const state = args.textIfAny('state')
      return state === undefined ? told : { [state]: told[state] ?? [] }
    },
    readOnly,
  ),
  set_selections: define(
    "path=None, selection=None, clear=False, saltenv='base'",
    `Say what dpkg is to do with packages. Returns what changed.

selection
    Lists of packages by state: install, hold, deinstall, purge.
path
    A file as \`\`dpkg --get-selections\`\` prints it, instead.
clear
    Forget what was said before.${examples(`brine '*' pkg.set_selections selection='{"install": ["netcat"]}'`, `brine '*' pkg.set_selections selection='{"hold": ["openssh-server", "openssh-client"]}'`, "brine '*' pkg.set_selections salt://path/to/file clear=True")}`,
    setSelections,
  ),
  services_need_restart: define(
    '**kwargs',
    `List the services that still use files of packages that were upgraded, as checkrestart tells them.${examples("brine '*' pkg.services_need_restart")}`,
    needRestart,
    readOnly,
  ),
  file_dict: define(
    '*packages, **kwargs',
    `List the files of installed packages by package; of apt of all where none is named.${examples("brine '*' pkg.file_dict httpd", "brine '*' pkg.file_dict httpd postfix")}`,
    fileDict,
    readOnly,
  ),
  parse_arch: define(
    'name',
    `Return the name and the architecture that a package's name has.${examples("brine '*' pkg.parse_arch zsh:amd64")}`,
    (args) => {
      const [, name = args.text('name'), arch = null] = /^(.*):([^:]*)$/.exec(args.text('name')) ?? []
      return { name, arch }
    },
    readOnly,
  ),
}
