// From the names of SLS files to what an orchestration runs: rendered on the master, compiled as states are.

import {
  type Changes,
  type Need,
  renderSls,
  SALT_FUNCTIONS,
  sharingChanges,
  yamlTools,
} from '../../core/render/index.ts'
import {
  answered,
  askedFiles,
  type CompiledHigh,
  compileHigh,
  type High,
  type Known,
  type RenderedHigh,
  renderHigh,
  type SlsFile,
  stateContext,
  thawed,
} from '../../core/state/index.ts'
import { isList, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { answerable, type MasterAnswers } from '../answers.ts'
import type { FileStore } from '../ports.ts'
import type { RenderFacts } from '../render-file.ts'
import { stepFunction } from './step-functions.ts'

/** What compiling needs of the master. */
export interface CompileNeeds {
  readonly files: FileStore
  readonly answers: MasterAnswers
  readonly facts: RenderFacts
  /** What `opts.id` is to a template: the id that results stand under. */
  readonly masterId: string
}

/** What is to be compiled. */
export interface CompileRequest {
  readonly mods: readonly string[]
  readonly saltenv: string
  readonly pillar: Mapping
  /** IDs or SLS files to leave out. */
  readonly exclude?: Value
}

/** The high data of SLS files, and what is wrong with them in Salt's words. */
export function renderMods(request: CompileRequest, needs: CompileNeeds): Promise<RenderedHigh> {
  const matches = new Map([[request.saltenv, request.mods]])
  return answered(
    (known) =>
      sharingChanges((changes) =>
        renderHigh(matches, {
          files: askedFiles(known),
          render: (file) => rendered(file, { known, changes }, request, needs),
        }),
      ),
    (need) => answer(need, needs),
  )
}

/** Renders and compiles. `jid` is given to every chunk, as Salt does. */
export async function compileMods(request: CompileRequest, jid: string, needs: CompileNeeds): Promise<CompiledHigh> {
  const { high, errors } = await renderMods(request, needs)
  if (errors.length > 0) return { kind: 'errors', high, errors }
  const excluded = request.exclude ?? null
  if (excluded !== null) {
    const more = typeof excluded === 'string' ? excluded.split(',') : isList(excluded) ? excluded : []
    const there = high.get('__exclude__')
    high.set('__exclude__', [...(isList(there) ? there : []), ...more])
  }
  return compileSteps(high, jid)
}

/** The high data of SLS files for whoever looks at them, or the list of what is wrong with them. */
export async function showMods(request: CompileRequest, needs: CompileNeeds): Promise<Value> {
  const { high, errors } = await renderMods(request, needs)
  if (errors.length > 0) return [...errors]
  const compiled = compileHigh(high, { has: (fun) => stepFunction(fun) !== undefined })
  return compiled.kind === 'errors' ? [...compiled.errors] : high
}

/** Compiles high data that somebody wrote by hand. */
export function compileSteps(high: High | Value, jid: string): CompiledHigh {
  const isState = (fun: string): boolean => stepFunction(fun) !== undefined || fun.startsWith('test.')
  return compileHigh(thawed(high), { has: isState, orchestrationJid: jid })
}

function rendered(
  file: SlsFile,
  { known, changes }: { readonly known: Known; readonly changes: Changes },
  { pillar }: CompileRequest,
  needs: CompileNeeds,
): Value {
  const { facts, masterId } = needs
  const files = askedFiles(known)
  const source = { name: file.path, text: file.text }
  const { document } = renderSls(
    source,
    {
      context: stateContext(file, { grains: facts.grains, opts: { ...facts.opts, id: masterId }, pillar }),
      salt: { pure: SALT_FUNCTIONS, answerable: (fun) => answerable.has(fun), answers: known },
      yaml: yamlTools,
      changes,
      files: (path) => files.read(path.replace(/^salt:\/\//, ''), file.env),
    },
    facts.jinja === undefined ? {} : { jinja: facts.jinja },
  )
  return document
}

async function answer({ fun, args, kwargs }: Need, { files, answers }: CompileNeeds): Promise<Value> {
  switch (fun) {
    case 'cp.envs':
      return files.envs()
    case 'cp.list_master':
      return (await files.list(pythonStr(args[0] ?? 'base'))).map(({ path }) => path)
    default:
      return answers.answer({ fun, args, kwargs: { ...kwargs } })
  }
}
