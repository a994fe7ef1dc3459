// The `state` runner's orchestrations: SLS files, high data or one step, run on the master to their end.
import type { Parameter } from '../../core/arguments/index.ts'
import { paused, type RunState, resumed, stopped } from '../../core/state/index.ts'
import { isMap, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { reactorUser } from '../executor.ts'
import { withoutInner } from '../inner-keywords.ts'
import { resultsAsProgress } from '../orchestrate/is-orchestration.ts'
import type { OrchestrationEnd, OrchestrationSource, Orchestrations } from '../orchestrate/orchestrations.ts'
import { type BoundArguments, type MasterFunction, MisuseError, type RunContext } from '../run.ts'
import { namesOf } from './names-of.ts'
import { docOf } from './runner-doc.ts'

const optional = (name: string, value: Value = null): Parameter => ({ name, default: value })

/** The functions of the `state` runner that run or change orchestrations. */
export function orchestrateRunner(orchestrations: () => Promise<Orchestrations>): Record<string, MasterFunction> {
  const start = async (
    source: OrchestrationSource,
    mods: string,
    { named }: BoundArguments,
    context: RunContext,
  ): Promise<OrchestrationEnd> => {
    const { pillar = null, orchestration_jid: given = null } = named
    if (pillar !== null && !isMap(pillar)) {
      throw new MisuseError('Pillar data must be formatted as a dictionary')
    }
    const { jid, fun, funArgs, user, cause, boundTo } = context
    // Salt gives the events of the steps a jid of their own where nobody said which they are to carry.
    const told = given === null ? (await orchestrations()).newJid() : pythonStr(given)
    const parent = told === jid ? undefined : told
    const request = {
      ...{ jid, fun, funArgs, mods, user },
      ...(user === reactorUser ? { stepUser: (await orchestrations()).user } : {}),
      ...(cause === undefined ? {} : { cause }),
      ...(boundTo === undefined ? {} : { boundTo }),
      ...(parent === undefined ? {} : { parent }),
    }
    const { begun } = context
    return (await orchestrations()).run({ request, source, pillar, test: pythonTruth(named.test ?? null), begun })
  }

  const orchestrate: MasterFunction = {
    signature: {
      params: [
        { name: 'mods' },
        optional('saltenv', 'base'),
        optional('test'),
        optional('exclude'),
        optional('pillar'),
        optional('pillarenv'),
        optional('pillar_enc'),
        optional('orchestration_jid'),
      ],
    },
    doc: docOf(
      `Run SLS files on the master: their steps tell minions, runners and wheel functions what to do.

    A step starts as soon as what it requires has ended well; steps that name no requisite at all run one after the other.
    The run is stored: a master that dies goes on with it, and runs no step twice. \`\`brine-run orch.show JID\`\` tells
    how it stands.`,
      [
        'state.orchestrate webserver',
        'state.orchestrate webserver saltenv=dev test=True',
        `state.orchestrate webserver pillar='{"version": "1.4.2"}'`,
      ],
    ),
    out: 'highstate',
    goesOn: true,
    async run(bound, context) {
      const mods = namesOf(bound.named.mods ?? null)
      const saltenv = pythonStr(bound.named.saltenv ?? 'base')
      const source: OrchestrationSource = { kind: 'mods', mods, saltenv, exclude: bound.named.exclude ?? null }
      const end = await start(source, mods.join(','), bound, context)
      if (end.kind === 'ran') return end.returned
      const { masterId } = await orchestrations()
      return { data: { [masterId]: [...end.errors] }, outputter: 'highstate', retcode: 1 }
    },
  }

  /** Without SLS files it is the results alone, which are told as progress first. */
  const results = async (end: OrchestrationEnd | string, { progress }: RunContext): Promise<Value> => {
    const { masterId } = await orchestrations()
    const data: Mapping =
      typeof end === 'string'
        ? { [masterId]: end }
        : end.kind === 'errors'
          ? { [masterId]: [...end.errors] }
          : ((end.returned.data ?? {}) as Mapping)
    progress('progress', resultsAsProgress(data))
    return data
  }

  const runOptions = [optional('test'), optional('queue', false), optional('pillar')]

  const showSls: MasterFunction = {
    signature: {
      params: [
        { name: 'mods' },
        optional('saltenv', 'base'),
        ...runOptions,
        optional('pillarenv'),
        optional('pillar_enc'),
      ],
    },
    doc: docOf('Show what the SLS files of an orchestration render to.', [
      'state.orchestrate_show_sls my-orch-formula.my-orch-state',
    ]),
    readOnly: true,
    idempotent: true,
    async run({ named }) {
      const { pillar = null } = named
      const request = {
        mods: namesOf(named.mods ?? null),
        saltenv: pythonStr(named.saltenv ?? 'base'),
        pillar: isMap(pillar) ? (pillar as Mapping) : {},
      }
      const all = await orchestrations()
      return { [all.masterId]: await all.show(request) }
    },
  }

  const pause = changing(
    orchestrations,
    'Let no further step of an orchestration start, or not the one with an id, until it is resumed.',
    ['state.pause 20261121052932933731', 'state.pause 20261121052932933731 state_id=add_to_lb'],
    (ids) => (run) => paused(run, ids),
  )
  const resume = changing(
    orchestrations,
    'Let an orchestration that was paused go on.',
    ['state.resume 20261121052932933731'],
    (ids) => (run) => resumed(run, ids),
  )

  return {
    'state.orchestrate': orchestrate,
    'state.orch': orchestrate,
    'state.sls': orchestrate,
    'state.orchestrate_single': {
      signature: { params: [{ name: 'fun' }, { name: 'name' }, ...runOptions], varKwargs: true },
      doc: docOf('Run one step of an orchestration.', ['state.orchestrate_single fun=salt.wheel name=key.list_all']),
      goesOn: true,
      async run(bound, context) {
        const [state = '', fun = ''] = pythonStr(bound.named.fun ?? '').split(/\.(.*)/, 2)
        const name = pythonStr(bound.named.name ?? '')
        const low: Mapping = { ...withoutInner(bound.rest), state, fun, name, __id__: name }
        if (fun === '') return results('Invalid function passed', context)
        return results(await start({ kind: 'single', low }, `${state}.${fun} ${name}`, bound, context), context)
      },
    },
    'state.orchestrate_high': {
      signature: { params: [{ name: 'data' }, ...runOptions], varKwargs: true },
      doc: docOf('Run an orchestration that is given as high data instead of SLS files.', [
        `state.orchestrate_high '{stage_one: {salt.state: [{tgt: "db*"}, {sls: postgres_setup}]}}'`,
      ]),
      goesOn: true,
      run: async (bound, context) =>
        results(await start({ kind: 'high', data: bound.named.data ?? null }, 'high data', bound, context), context),
    },
    'state.orchestrate_show_sls': showSls,
    'state.orch_show_sls': showSls,
    'state.pause': pause,
    'state.set_pause': pause,
    'state.resume': resume,
    'state.rm_pause': resume,
    'state.soft_kill': changing(
      orchestrations,
      'Let nothing more of an orchestration start; what runs is waited for.',
      ['state.soft_kill 20261121052932933731'],
      () => (run) => stopped(run),
    ),
  }
}

function changing(
  orchestrations: () => Promise<Orchestrations>,
  what: string,
  lines: readonly string[],
  how: (ids: readonly string[]) => (run: RunState) => RunState,
): MasterFunction {
  return {
    signature: { params: [{ name: 'jid' }, optional('state_id'), optional('duration')] },
    doc: docOf(what, lines),
    idempotent: true,
    async run({ named }) {
      const jid = pythonStr(named.jid ?? '')
      const ids = named.state_id === null || named.state_id === undefined ? ['__all__'] : [pythonStr(named.state_id)]
      return (await orchestrations()).change(jid, how(ids))
    },
  }
}
