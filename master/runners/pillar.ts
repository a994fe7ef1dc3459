// The `pillar` runner: what pillar a minion gets, compiled now.
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
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
  return {
    'pillar.show_pillar': readOnly(
      [{ name: 'minion', default: '*' }],
      `Return the pillar of a minion, compiled now with the grains it sent last; of the master without one. Grains
    given as keywords stand in for its own, saltenv= and pillarenv= choose environments.`,
      ['pillar.show_pillar web01', 'pillar.show_pillar web01 os=Ubuntu saltenv=dev'],
      async ({ named, rest }) => {
        const asked = pythonStr(named.minion ?? '*')
        const id = asked === '*' ? masterId : asked
        const {
          saltenv,
          pillarenv,
          pillar: override,
          ...others
        } = Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith('__')))
        const known = (await minions.all()).find((record) => record.id === id)?.grains ?? grains
        const text = (value: Value | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
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
