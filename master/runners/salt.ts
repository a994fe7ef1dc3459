// The runners `salt` and `match`: execution functions on the master and on minions, and who a compound target means.
import { BrineError } from '../../core/error.ts'
import { isList, isMapping, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Execute } from '../execute.ts'
import { withKeywords } from '../executor.ts'
import { withoutInner } from '../inner-keywords.ts'
import { type MasterFunction, MisuseError } from '../run.ts'
import type { ResolveTarget } from '../targets.ts'
import { readOnly } from './read-only.ts'
import { docOf } from './runner-doc.ts'

/** Execution functions that run where the master runs. */
export interface MasterModules {
  /** What a function returns; `missing` where there is none of that name. Throws where it fails. */
  run(
    fun: string,
    args: readonly Value[],
    kwargs: Mapping,
  ): Promise<{ readonly kind: 'returned'; readonly value: Value } | { readonly kind: 'missing' }>
}

/** What the runners are made from. */
export interface SaltNeeds {
  readonly execute: Execute
  readonly resolve: ResolveTarget
  readonly timeout: number
  readonly modules: MasterModules
}

/** Functions of the runners `salt` and `match`. */
export function saltRunner(needs: SaltNeeds): Record<string, MasterFunction> {
  return {
    'salt.cmd': {
      signature: { params: [{ name: 'fun' }], varArgs: true, varKwargs: true },
      doc: docOf(
        `Run an execution function on the master's machine, with the pillar of the master's own id (<id>_master). On
    AWS, where the master is no machine, there are the functions that templates have.`,
        ['salt.cmd test.ping', 'salt.cmd test.arg 1 2 3 a=1', 'salt.cmd pillar.items'],
      ),
      async run({ named, positional, rest }) {
        // Salt compiles the master's pillar for with_pillar alone; here it is always there.
        const { with_pillar: _, ...kwargs } = withoutInner(rest)
        const fun = pythonStr(named.fun ?? '')
        const outcome = await needs.modules.run(fun, positional, kwargs).catch((error: unknown) => {
          // Salt takes a misfit of the function for one of the runner.
          if (error instanceof BrineError && error.code === 'arguments') throw new MisuseError(error.message)
          throw error
        })
        return outcome.kind === 'returned' ? outcome.value : `'${fun}' is not available.`
      },
    },
    'salt.execute': {
      signature: {
        params: [
          { name: 'tgt' },
          { name: 'fun' },
          { name: 'arg', default: [] },
          { name: 'timeout', default: null },
          { name: 'tgt_type', default: 'glob' },
          { name: 'ret', default: '' },
          { name: 'jid', default: '' },
          { name: 'kwarg', default: null },
        ],
        varKwargs: true,
      },
      doc: docOf('Run an execution function on the minions of a target, and return what they return in time.', [
        "salt.execute '*' test.ping",
        'salt.execute webs network.ip_addrs tgt_type=nodegroup timeout=20',
        `salt.execute db1 test.arg arg='[1, 2]' kwarg='{"a": 3}'`,
      ]),
      async run({ named, rest }, { user, cause, print }) {
        const { tgt = '', fun = '', arg = [], timeout = null, tgt_type: type = 'glob', kwarg = null } = named
        const words = isList(arg) ? arg : [arg]
        const keywords = { ...(isMapping(kwarg) ? kwarg : {}), ...withoutInner(rest) }
        const { returns } = await needs.execute({
          tgt,
          tgtType: pythonStr(type),
          fun: pythonStr(fun),
          arg: withKeywords(words, keywords),
          timeout: pythonTruth(timeout) ? Number(pythonStr(timeout)) : needs.timeout,
          user,
          cause,
          print,
        })
        return Object.fromEntries([...returns].map(([id, load]) => [id, load.return ?? null]))
      },
    },
    'match.compound_matches': readOnly(
      [{ name: 'expr' }, { name: 'minion_id' }],
      'Say whether a compound target means a minion: its id, or False. Pillar values are compared literally.',
      ["match.compound_matches 'I@foo:bar and G@os:Deb* and not db*' myminion"],
      async ({ named }) => {
        const id = pythonStr(named.minion_id ?? '')
        const { minions } = await needs.resolve(named.expr ?? '', 'compound_pillar_exact')
        return { res: minions.includes(id) ? id : false }
      },
    ),
  }
}
