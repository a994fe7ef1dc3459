// Pillar: compiled for one minion at a time from the files of `pillar_roots` and whatever else the platform has.
import { messageOf } from '../core/error.ts'
import type { MinionId } from '../core/event/event.ts'
import {
  compilePillar,
  type Merging,
  mergePillars,
  type PillarOptions,
  type PillarWorld,
  readPillarTop,
} from '../core/pillar/index.ts'
import { type Environment, SALT_FUNCTIONS, SlsRenderer, yamlTools } from '../core/render/index.ts'
import { answered, answerTo, askedFiles, type Known, type SlsFile, stateContext } from '../core/state/index.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../core/value/index.ts'
import type { Dict } from '../core/value/value.ts'
import type { Question } from '../reaction/ports.ts'
import { answerable, type MasterAnswers } from './answers.ts'
import type { MasterOptions } from './options.ts'
import type { Clock, FileStore, MinionRecord } from './ports.ts'

/** Values that come from no file. A rejection is told in the pillar's `_errors`, by name alone, and in the log. */
export interface ExternalPillar {
  readonly name: string
  /** `pillar` is what there is so far. */
  pillar(minion: { readonly id: MinionId; readonly grains: Mapping }, pillar: Mapping | Dict): Promise<Mapping>
}

/** Where pillar comes from. Its files are never served as files. */
export interface PillarSource {
  readonly files: Pick<FileStore, 'envs' | 'list' | 'read'>
  readonly external: readonly ExternalPillar[]
  readonly merging: Merging
  /** `pillar_safe_render_error`: a minion is not told why a file failed. */
  readonly safeErrors: boolean
  /** `state_top`. */
  readonly top: string
  readonly envOrder: readonly string[]
  /** `pillar_opts`: the master's configuration is in every pillar, under `master`. */
  readonly withOpts: boolean
  /** Told of files and sources that fail, without their values. */
  readonly error: (message: string) => void
}

/** What a minion asks for. */
export interface PillarAsk {
  readonly grains: Mapping
  readonly saltenv?: string | undefined
  readonly pillarenv?: string | undefined
  /** Laid over all, and seen by the files. */
  readonly override?: Mapping | Dict | undefined
}

/** The pillars of a master. */
export interface Pillars {
  /** Compiles one. What fails is in its `_errors`; it never rejects for the sake of a file. */
  compile(id: MinionId, ask: PillarAsk): Promise<Mapping | Dict>
  /** What the top files say, of every target: by environment; or what is wrong with them. */
  top(id: MinionId, ask: PillarAsk): Promise<{ readonly top: Mapping | Dict; readonly errors: readonly string[] }>
  /** Compiles these anew when targets ask next. */
  forget(ids: readonly MinionId[]): Promise<void>
  /** Of each minion the pillar as targets see it: compiled when it asked last, or now where that is long ago. */
  known(minions: readonly MinionRecord[]): Promise<ReadonlyMap<MinionId, Mapping>>
}

interface PillarNeeds {
  readonly source: PillarSource | undefined
  readonly options: Pick<MasterOptions, 'nodegroups'>
  /** What templates see of the master. */
  readonly opts: Mapping
  readonly answers: MasterAnswers
  readonly clock: Clock
}

/** Microseconds for which targets take a pillar as it was. */
const fresh = 60_000_000

/** Joins the sources to {@link Pillars}. */
export function createPillar(needs: PillarNeeds): Pillars {
  const { source, clock } = needs
  const seen = new Map<MinionId, { readonly at: number; readonly pillar: Mapping }>()
  const compile: Pillars['compile'] = async (id, ask) => {
    if (source === undefined) return ask.override ?? {}
    const pillar = await compileFor(needs, source, id, ask)
    const isWhole = ask.override === undefined && ask.pillarenv === undefined
    if (isWhole) seen.set(id, { at: clock.now(), pillar: isMapping(pillar) ? pillar : {} })
    return pillar
  }
  return {
    compile,
    forget: async (ids) => {
      for (const id of ids) seen.delete(id)
    },
    async top(id, ask) {
      if (source === undefined) return { top: {}, errors: [] }
      const { options, rendered } = await worldFor(needs, source, id, ask)
      return rendered(({ files, render }) => readPillarTop({ files, render: (file) => render(file, {}) }, options))
    },
    async known(minions) {
      const now = clock.now()
      // Whoever is not asked for now may be next; what is old is compiled anew then, and is not kept till then.
      for (const [id, { at }] of seen) if (now - at > fresh) seen.delete(id)
      await Promise.all(minions.map(async ({ id, grains }) => seen.has(id) || compile(id, { grains })))
      return new Map(
        minions.flatMap(({ id }) => {
          const one = seen.get(id)
          return one === undefined ? [] : [[id, one.pillar] as const]
        }),
      )
    },
  }
}

/** What a pillar is compiled in: how, and a way to work over files and their renderings. */
interface CompileWorld {
  readonly options: PillarOptions
  rendered<T>(work: (world: PillarWorld) => T): Promise<T>
}

async function worldFor(needs: PillarNeeds, source: PillarSource, id: MinionId, ask: PillarAsk): Promise<CompileWorld> {
  const grains: Mapping = { ...ask.grains, id }
  const environments = [...new Set(['base', ...(await source.files.envs())])]
  const only = source.merging.strategy === 'none' ? (ask.saltenv ?? 'base') : undefined
  const options: PillarOptions = {
    minion: { id, grains, pillar: {} },
    nodegroups: needs.options.nodegroups,
    environments,
    pillarenv: ask.pillarenv ?? only,
    top: source.top.replace(/^salt:\/\//, '').replace(/^\/+/, ''),
    merging: source.merging,
    safeErrors: source.safeErrors,
    envOrder: source.envOrder,
  }
  const renderer = new SlsRenderer()
  const facts = { grains, pillar: ask.override ?? {}, opts: { ...needs.opts, id, grains } }
  return {
    options,
    rendered: (work) =>
      answered(
        (known) => {
          const render = (file: SlsFile, defaults: Mapping | Dict): Value =>
            renderer.render({ name: file.path, text: file.text }, environmentOf(known, facts, file, defaults)).document
          return work({ files: askedFiles(known), render })
        },
        (question) =>
          answerFor(needs, source, { fun: question.fun, args: question.args, kwargs: { ...question.kwargs } }),
      ),
  }
}

async function compileFor(
  needs: PillarNeeds,
  source: PillarSource,
  id: MinionId,
  ask: PillarAsk,
): Promise<Mapping | Dict> {
  const grains: Mapping = { ...ask.grains, id }
  const { options, rendered } = await worldFor(needs, source, id, ask)
  const { pillar, errors, faults } = await rendered((world) => compilePillar(world, options))
  for (const fault of faults) source.error(`pillar of ${id}: ${fault}`)
  const all = [...errors]
  let whole = pillar
  if (ask.override !== undefined && source.external.length > 0)
    whole = mergePillars(whole, ask.override, source.merging)
  for (const external of source.external) {
    try {
      whole = mergePillars(whole, await external.pillar({ id, grains }, whole), source.merging)
    } catch (error) {
      source.error(`pillar of ${id}: ${external.name}: ${messageOf(error)}`)
      all.push(`Failed to load ext_pillar ${external.name}. Please see master log for details.`)
    }
  }
  if (source.withOpts) whole = mergePillars(whole, { master: needs.opts }, source.merging)
  if (all.length > 0) whole = mergePillars(whole, { _errors: all }, source.merging)
  return ask.override === undefined ? whole : mergePillars(whole, ask.override, source.merging)
}

function environmentOf(
  known: Known,
  facts: Parameters<typeof stateContext>[1],
  file: SlsFile,
  defaults: Mapping | Dict,
): Environment {
  const context = { ...stateContext(file, facts), pillarenv: file.env }
  for (const [key, value] of defaults instanceof Map ? defaults : Object.entries(defaults))
    Object.assign(context, { [pythonStr(key)]: value })
  return {
    context,
    salt: { pure: SALT_FUNCTIONS, answerable: (fun) => answerable.has(fun), answers: known },
    yaml: yamlTools,
    files: (path) => {
      const text = answerTo(known, 'cp.get_file_str', [`salt://${path.replace(/^salt:\/\//, '')}?saltenv=${file.env}`])
      return typeof text === 'string' ? text : undefined
    },
  }
}

/** Files are those of the pillar; whatever else a template asks, the master answers as it does for reactors. */
async function answerFor({ answers }: PillarNeeds, { files }: PillarSource, question: Question): Promise<Value> {
  const [first = null] = question.args
  switch (question.fun) {
    case 'cp.envs':
      return files.envs()
    case 'cp.list_master':
      return (await files.list(pythonStr(first))).map(({ path }) => path)
    case 'cp.get_file_str': {
      const [path = '', query = ''] = pythonStr(first)
        .replace(/^salt:\/\//, '')
        .split('?')
      const bytes = await files.read(new URLSearchParams(query).get('saltenv') ?? 'base', path)
      return bytes === undefined ? false : new TextDecoder().decode(bytes)
    }
    default:
      return answers.answer(question)
  }
}
