// The `pillar` runner: what pillar a minion gets, compiled now.
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { withoutInner } from '../inner-keywords.ts'
import type { Pillars } from '../pillar.ts'
import type { MinionStore } from '../ports.ts'
import type { MasterFunction } from '../run.ts'
import { readOnly } from './read-only.ts'

/** What the runner is made from. */
export interface PillarNeeds {
  readonly pillar: Pillars
  readonly minions: MinionStore
  /** The id that stands for the master where no minion is named. */
  readonly masterId: string
  /** The master's own grains. */
  readonly grains: Mapping
}

/** Functions of the `pillar` runner. */
export function pillarRunner({ pillar, minions, masterId, grains }: PillarNeeds): Record<string, MasterFunction> {
  const text = (value: Value | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
  /** The minion that is meant, with what is known of it; the master where none is. */
  const asked = async (minion: Value | undefined): Promise<{ id: string; known: Mapping }> => {
    const name = pythonStr(minion ?? '*')
    const id = name === '*' || name === 'None' ? masterId : name
    return { id, known: (await minions.all()).find((record) => record.id === id)?.grains ?? grains }
  }

  return {
    'pillar.show_top': readOnly(
      [
        { name: 'minion', default: null },
        { name: 'saltenv', default: 'base' },
      ],
      `Return the pillar's top files as one, with every target, as they are rendered for a minion; for the master without
    one. What is wrong with them is returned in their place.`,
      ['pillar.show_top', 'pillar.show_top web01 saltenv=dev'],
      async ({ named }) => {
        const { id, known } = await asked(named.minion)
        const { top, errors } = await pillar.top(id, { grains: { ...known, id }, saltenv: text(named.saltenv) })
        return errors.length > 0 ? [...errors] : top
      },
    ),
    ...Object.fromEntries(
      ['clear_pillar_cache', 'show_pillar_cache'].map((name) => [
        `pillar.${name}`,
        readOnly(
          [{ name: 'minion', default: '*' }],
          'Return False, as Salt does without pillar_cache: a pillar is compiled whenever it is asked for, and there is no cache.',
          [`pillar.${name} web01`],
          async () => false,
          { varKwargs: true },
        ),
      ]),
    ),
    'pillar.show_pillar': readOnly(
      [{ name: 'minion', default: '*' }],
      `Return the pillar of a minion, compiled now with the grains it sent last; of the master without one. Grains
    given as keywords stand in for its own, saltenv= and pillarenv= choose environments.`,
      ['pillar.show_pillar web01', 'pillar.show_pillar web01 os=Ubuntu saltenv=dev'],
      async ({ named, rest }) => {
        const { id, known } = await asked(named.minion)
        const { saltenv, pillarenv, pillar: override, ...others } = withoutInner(rest)
        return pillar.compile(id, {
          grains: { ...known, ...others, id },
          saltenv: text(saltenv),
          pillarenv: text(pillarenv),
          ...(isMapping(override ?? null) ? { override: override as Mapping } : {}),
        })
      },
      { varKwargs: true },
    ),
  }
}
