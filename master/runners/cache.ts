// The `cache` runner: what the master remembers of its minions, shown and forgotten.
import type { MinionId } from '../../core/event/event.ts'
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Pillars } from '../pillar.ts'
import type { BankStore, Clock, MinionStore } from '../ports.ts'
import { type MasterFunction, MisuseError } from '../run.ts'
import type { ResolveTarget } from '../targets.ts'
import { bankFunctions } from './banks.ts'
import { readOnly } from './read-only.ts'
import { docOf } from './runner-doc.ts'

/** What the runner is made from. */
export interface CacheNeeds {
  readonly minions: MinionStore
  readonly banks: BankStore
  readonly pillar: Pillars
  readonly resolve: ResolveTarget
  readonly clock: Clock
}

/** Functions of the `cache` runner. */
export function cacheRunner({ minions, banks, pillar, resolve, clock }: CacheNeeds): Record<string, MasterFunction> {
  const targeted = async (named: Readonly<Record<string, Value>>): Promise<readonly MinionId[]> =>
    (await resolve(named.tgt ?? '*', pythonStr(named.tgt_type ?? 'glob'))).minions

  const show = (
    what: string,
    example: string,
    of: (ids: readonly MinionId[]) => Promise<ReadonlyMap<string, Value>>,
    isTargeted = false,
  ) =>
    readOnly(
      [isTargeted ? { name: 'tgt' } : { name: 'tgt', default: '*' }, { name: 'tgt_type', default: 'glob' }],
      what,
      isTargeted ? [`${example} '*'`] : [example, `${example} '*'`],
      async ({ named }) => Object.fromEntries(await of(await targeted(named))) as Mapping,
      { varKwargs: true },
    )

  const grains = async (ids: readonly MinionId[]): Promise<ReadonlyMap<string, Value>> =>
    new Map((await minions.all()).filter(({ id }) => ids.includes(id)).map((record) => [record.id, record.grains]))

  const pillars = async (ids: readonly MinionId[]): Promise<ReadonlyMap<string, Value>> =>
    pillar.known((await minions.all()).filter(({ id }) => ids.includes(id)))

  const forgetGrains = (id: MinionId): Promise<void> => minions.saveGrains(id, {}, undefined, clock.now())
  const forgetPillar = (id: MinionId): Promise<void> => pillar.forget([id])
  const forgetMine = (id: MinionId): Promise<void> => minions.saveMine(id, {})

  const clear = (what: string, example: string, forget: (id: MinionId) => Promise<unknown>): MasterFunction => ({
    signature: {
      params: [
        { name: 'tgt', default: null },
        { name: 'tgt_type', default: 'glob' },
      ],
    },
    doc: docOf(what, [example]),
    idempotent: true,
    async run({ named }) {
      // Whom to forget has to be said: nobody named is nobody forgotten.
      if (named.tgt === null || named.tgt === undefined) return false
      const ids = await targeted(named)
      await Promise.all(ids.map(forget))
      // That nothing is left of them is true of nobody, too, as in Salt.
      return true
    },
  })

  return {
    'cache.grains': show('Return the grains last sent by the minions of a target.', 'cache.grains', grains, true),
    'cache.pillar': show('Return the pillar of the minions of a target, as targets see it.', 'cache.pillar', pillars),
    'cache.mine': show('Return what the minions of a target give to the mine.', 'cache.mine', async (ids) => {
      const mines = await minions.mines(ids)
      return new Map(ids.map((id) => [id, mines.get(id) ?? {}]))
    }),
    'cache.clear_grains': clear(
      'Forget the grains of the minions of a target, until they send them again.',
      "cache.clear_grains tgt='web*'",
      forgetGrains,
    ),
    'cache.clear_mine': clear(
      'Forget what the minions of a target give to the mine.',
      "cache.clear_mine tgt='web*'",
      forgetMine,
    ),
    'cache.clear_mine_func': {
      signature: {
        params: [
          { name: 'tgt', default: null },
          { name: 'tgt_type', default: 'glob' },
          { name: 'clear_mine_func_flag', default: null },
        ],
      },
      doc: docOf('Forget one function of the mine of the minions of a target.', [
        "cache.clear_mine_func tgt='*' clear_mine_func_flag='network.interfaces'",
      ]),
      idempotent: true,
      async run({ named }) {
        const { tgt = null, clear_mine_func_flag: flag = null } = named
        if (tgt === null || flag === null) return false
        const fun = pythonStr(flag)
        const mines = await minions.mines(await targeted(named))
        const having = [...mines].filter(([, mine]) => Object.hasOwn(mine, fun))
        await Promise.all(having.map(([id, { [fun]: _, ...rest }]) => minions.saveMine(id, rest)))
        return true
      },
    },
    'cache.clear_pillar': clear(
      'Compile the pillar of the minions of a target anew when targets ask for it next.',
      "cache.clear_pillar tgt='web*'",
      forgetPillar,
    ),
    'cache.clear_all': clear(
      'Forget pillar, grains and mine of the minions of a target.',
      "cache.clear_all tgt='web*'",
      (id) => Promise.all([forgetPillar(id), forgetGrains(id), forgetMine(id)]),
    ),
    'cache.clear_git_lock': readOnly(
      [{ name: 'role' }, { name: 'remote', default: null }, { name: 'type', default: null }],
      'Say that no locks were removed: files and pillar come from no git repository that the master would lock.',
      ['cache.clear_git_lock gitfs', 'cache.clear_git_lock git_pillar type=update'],
      async ({ named, rest }) => {
        const role = pythonStr(named.role ?? '')
        if (!['gitfs', 'git_pillar', 'winrepo'].includes(role)) throw new MisuseError(`Invalid role '${role}'`)
        const unknown = Object.entries(rest).map(([key, value]) => `${key}=${pythonStr(value)}`)
        if (unknown.length > 0)
          throw new MisuseError(`The following keyword arguments are not valid: ${unknown.join(', ')}`)
        return 'No locks were removed'
      },
      { varKwargs: true },
    ),
    'cache.cloud': readOnly(
      [{ name: 'tgt' }, { name: 'provider', default: null }],
      'Return an empty map, as Salt does without update_cachedir: instances are not cached, EC2 itself is asked.',
      ["cache.cloud 'web*'"],
      async () => ({}),
    ),
    ...bankFunctions({ banks, minions, pillarOf: async (known) => (await pillar.known([known])).get(known.id) ?? {} }),
  }
}
