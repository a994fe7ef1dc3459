// What the minion can do: its functions, their signatures and their docs.
import { type Mapping, pythonStr } from '../../core/value/index.ts'
import { strippedDoc } from './execute.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'

function namesOf(call: Call, patterns: readonly string[]): string[] {
  const { functions } = call.agent
  if (patterns.length === 0) return functions.names()
  return [...new Set(patterns.flatMap((pattern) => functions.matching(pattern)))].sort()
}

function argspec(call: Call, pattern: string): Mapping {
  const { functions } = call.agent
  const names = pattern === '' ? functions.names() : functions.matching(pattern)
  const specs: Mapping = {}
  for (const name of names) {
    const signature = functions.get(name)?.signature
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
    doc: define(
      '*args',
      `Return the docs of all functions, or of the modules and functions named. Names may be shell patterns.${examples("brine '*' sys.doc", "brine '*' sys.doc sys", "brine '*' sys.doc sys.doc", "brine '*' sys.doc 'sys.list_*'")}`,
      (args, call) => {
        const docs: Mapping = {}
        for (const name of namesOf(call, args.positional.map(pythonStr)))
          docs[name] = strippedDoc(call.agent.functions.get(name)?.doc ?? '')
        return docs
      },
      { readOnly: true },
    ),
    list_functions: define(
      '*args, **kwargs',
      `List the functions of all modules, or of those named. Names may be shell patterns.${examples("brine '*' sys.list_functions", "brine '*' sys.list_functions sys", "brine '*' sys.list_functions 'sys.list_*'")}`,
      (args, call) => namesOf(call, args.positional.map(pythonStr)),
      { readOnly: true },
    ),
    list_modules: define(
      '*args',
      `List the modules of the minion. Names may be shell patterns.${examples("brine '*' sys.list_modules", "brine '*' sys.list_modules 's*'")}`,
      (args, call) => [
        ...new Set(namesOf(call, args.positional.map(pythonStr)).map((name) => name.slice(0, name.indexOf('.')))),
      ],
      { readOnly: true },
    ),
    argspec: define(
      "module=''",
      `Return the signatures of the functions of a module, or of those a shell pattern matches.${examples("brine '*' sys.argspec event.send", "brine '*' sys.argspec sys", "brine '*' sys.argspec 'grains.*'")}`,
      (args, call) => argspec(call, args.text('module')),
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
