// What the minion can do: its functions, their signatures and their docs.

import { strippedDoc } from '../../core/arguments/index.ts'
import { matchTag } from '../../core/event/tag-glob.ts'
import { type Mapping, pythonStr } from '../../core/value/index.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { otherDocs } from './sys-others.ts'

/** Functions of either kind. */
type Table = Call['agent']['functions'] | Call['agent']['states']

function namesOf(table: Table, patterns: readonly string[]): string[] {
  if (patterns.length === 0) return table.names()
  return [...new Set(patterns.flatMap((pattern) => table.matching(pattern)))].sort()
}

function modulesOf(table: Table, patterns: readonly string[]): string[] {
  const all = [...new Set(table.names().map((name) => name.slice(0, name.indexOf('.'))))]
  return patterns.length === 0 ? all : all.filter((name) => patterns.some((pattern) => matchTag(pattern, name)))
}

function docsOf(table: Table, patterns: readonly string[]): Mapping {
  const docs: Mapping = {}
  for (const name of namesOf(table, patterns)) docs[name] = strippedDoc(table.get(name)?.doc ?? '')
  return docs
}

function argspec(table: Table, pattern: string): Mapping {
  const names = pattern === '' ? table.names() : table.matching(pattern)
  const specs: Mapping = {}
  for (const name of names) {
    const signature = table.get(name)?.signature
    if (signature === undefined) continue
    const defaults = signature.params.flatMap((param) => (param.default === undefined ? [] : [param.default]))
    const args = signature.params.map((param) => param.name)
    specs[name] = {
      args: args.length > 0 ? args : null,
      defaults: defaults.length > 0 ? defaults : null,
      varargs: signature.varArgs === true ? true : null,
      kwargs: signature.varKwargs === true ? true : null,
    }
  }
  return specs
}

/** Salt's `sys` module. */
export const sys: ExecutionModule = {
  name: 'sys',
  file: 'sysmod',
  functions: {
    ...otherDocs,
    doc: define(
      '*args',
      `Return the docs of all functions, or of the modules and functions named. Names may be shell patterns.${examples("brine '*' sys.doc", "brine '*' sys.doc sys", "brine '*' sys.doc sys.doc", "brine '*' sys.doc 'sys.list_*'")}`,
      (args, call) => docsOf(call.agent.functions, args.positional.map(pythonStr)),
      { readOnly: true },
    ),
    list_functions: define(
      '*args, **kwargs',
      `List the functions of all modules, or of those named. Names may be shell patterns.${examples("brine '*' sys.list_functions", "brine '*' sys.list_functions sys", "brine '*' sys.list_functions 'sys.list_*'")}`,
      (args, call) => namesOf(call.agent.functions, args.positional.map(pythonStr)),
      { readOnly: true },
    ),
    list_modules: define(
      '*args',
      `List the modules of the minion. Names may be shell patterns.${examples("brine '*' sys.list_modules", "brine '*' sys.list_modules 's*'")}`,
      (args, call) => modulesOf(call.agent.functions, args.positional.map(pythonStr)),
      { readOnly: true },
    ),
    argspec: define(
      "module=''",
      `Return the signatures of the functions of a module, or of those a shell pattern matches.${examples("brine '*' sys.argspec event.send", "brine '*' sys.argspec sys", "brine '*' sys.argspec 'grains.*'")}`,
      (args, call) => argspec(call.agent.functions, args.text('module')),
      { readOnly: true },
    ),
    state_doc: define(
      '*args',
      `Return the docs of all state functions, or of the modules and functions named. Names may be shell patterns.${examples("brine '*' sys.state_doc", "brine '*' sys.state_doc service", "brine '*' sys.state_doc service.running")}`,
      (args, call) => docsOf(call.agent.states, args.positional.map(pythonStr)),
      { readOnly: true },
    ),
    list_state_functions: define(
      '*args, **kwargs',
      `List the state functions of all modules, or of those named. Names may be shell patterns.${examples("brine '*' sys.list_state_functions", "brine '*' sys.list_state_functions file", "brine '*' sys.list_state_functions 'file.*'")}`,
      (args, call) => namesOf(call.agent.states, args.positional.map(pythonStr)),
      { readOnly: true },
    ),
    list_state_modules: define(
      '*args',
      `List the state modules of the minion. Names may be shell patterns.${examples("brine '*' sys.list_state_modules", "brine '*' sys.list_state_modules 'mysql_*'")}`,
      (args, call) => modulesOf(call.agent.states, args.positional.map(pythonStr)),
      { readOnly: true },
    ),
    state_argspec: define(
      "module=''",
      `Return the signatures of the state functions of a module, or of those a shell pattern matches.${examples("brine '*' sys.state_argspec pkg.installed", "brine '*' sys.state_argspec file", "brine '*' sys.state_argspec 'pkg.*'")}`,
      (args, call) => argspec(call.agent.states, args.text('module')),
      { readOnly: true },
    ),
    reload_modules: define(
      '',
      `Load the user's modules anew${examples("brine '*' sys.reload_modules")}`,
      async (_, call) => {
        await call.agent.reloadModules()
        return true
      },
    ),
  },
}
