// The pillar of a minion without a master: compiled here, from its own pillar roots.
import { compilePillar, mergePillars, type PillarOptions } from '../../core/pillar/index.ts'
import { SlsRenderer } from '../../core/render/index.ts'
import { type SlsFile, type StateFiles, stateContext } from '../../core/state/index.ts'
import type { Nodegroups } from '../../core/target/index.ts'
import { isMapping, type Mapping, pythonStr } from '../../core/value/index.ts'
import type { Dict } from '../../core/value/value.ts'
import { localFiles } from '../files/index.ts'
import { callOn } from '../modules/execute.ts'
import type { AgentView, Call, PillarRequest } from '../modules/module.ts'
import { plainProcesses } from '../modules/process.ts'
import { withAnswers } from '../states/templates.ts'

/** Compiles it as a master would. What fails is in its `_errors`, and in the log. */
export async function localPillar(agent: AgentView, request: PillarRequest): Promise<Mapping> {
  const { saltenv, pillarenv, override = {} } = request
  const files = await readAll(agent)
  const options = optionsOf(agent, files, { saltenv, pillarenv })
  const renderer = new SlsRenderer()
  const facts = { grains: agent.grains.all(), pillar: override, opts: agent.opts }
  const { pillar, errors, faults } = await withAnswers(callOf(agent), (_, source) => {
    const render = (file: SlsFile, defaults: Mapping | Dict) => {
      const variables = { ...stateContext(file, facts), pillarenv: file.env, ...textKeys(defaults) }
      const environment = { ...source(variables, file.env), files: (path: string) => files.read(path, file.env) }
      return renderer.render({ name: file.path, text: file.text }, environment).document
    }
    return compilePillar({ files, render }, options)
  })
  for (const fault of faults) agent.outside.log.error(`pillar: ${fault}`)
  const whole = errors.length === 0 ? pillar : mergePillars(pillar, { _errors: [...errors] }, options.merging)
  return textKeys(mergePillars(whole, override, options.merging))
}

function optionsOf(agent: AgentView, files: StateFiles, request: PillarRequest): PillarOptions {
  const { opts } = agent
  const strategy = pythonStr(opts.pillar_source_merging_strategy ?? 'smart')
  const only = strategy === 'none' ? (request.saltenv ?? 'base') : undefined
  return {
    minion: { id: agent.id, grains: agent.grains.all(), pillar: {} },
    nodegroups: isMapping(opts.nodegroups ?? null) ? (opts.nodegroups as Nodegroups) : {},
    environments: [...new Set(['base', ...files.environments()])],
    pillarenv: request.pillarenv ?? only,
    top: pythonStr(opts.state_top ?? 'top.sls').replace(/^salt:\/\/|^\/+/, ''),
    merging: { strategy, lists: opts.pillar_merge_lists === true },
    safeErrors: opts.pillar_safe_render_error !== false,
    envOrder: Array.isArray(opts.env_order) ? opts.env_order.map(pythonStr) : [],
  }
}

/** The pillar files, read at once: they are few and small. */
async function readAll({ opts }: AgentView): Promise<StateFiles> {
  const source = localFiles(opts.pillar_roots ?? {})
  const environments = await source.envs()
  const texts = new Map<string, Map<string, string>>()
  for (const env of environments) {
    const files = new Map<string, string>()
    for (const { path } of await source.list(env)) {
      const found = await source.find(env, path, undefined)
      if (found.kind !== 'bytes') continue
      const pieces: Uint8Array[] = []
      for await (const piece of found.pieces) pieces.push(piece)
      files.set(path, Buffer.concat(pieces).toString())
    }
    texts.set(env, files)
  }
  return {
    environments: () => environments,
    paths: (env) => [...(texts.get(env)?.keys() ?? [])],
    read: (path, env) => texts.get(env)?.get(path),
  }
}

function callOf(agent: AgentView): Call {
  const { signal } = new AbortController()
  return callOn(agent, { fun: 'pillar', pub: {}, signal, processes: plainProcesses, context: { retcode: 0 } })
}

function textKeys(map: Mapping | Dict): Mapping {
  return isMapping(map) ? map : Object.fromEntries([...map].map(([key, value]) => [pythonStr(key), value]))
}
