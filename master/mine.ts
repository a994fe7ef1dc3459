// The mine: what minions give to others, kept until they give something else.
import type { MinionId } from '../core/event/event.ts'
import { get, has, isList, isMap, isMapping, type Mapping, pythonStr, type Value } from '../core/value/index.ts'
import type { MinionStore } from './ports.ts'
import type { ResolveTarget } from './targets.ts'

/** Marks what is given to some minions only: `{__saltmine_acl__: 1, __data__, allow_tgt, allow_tgt_type}`. */
const aclMark = '__saltmine_acl__'
const aclData = '__data__'

/** What can be done with the mine. */
export interface Mines {
  /** Adds values by name, in place of all there was where `clear` says so. */
  give(id: MinionId, data: Mapping, clear: boolean): Promise<void>
  /** Takes one name back. */
  take(id: MinionId, name: string): Promise<void>
  /** Takes everything back. */
  flush(id: MinionId): Promise<void>
  /**
   * What the minions of a target give: by minion for one name, by name and minion for several (a list, or names with commas
   * between them). A minion that asks gets what it may see; `undefined` asks for the master.
   */
  get(asker: MinionId | undefined, tgt: Value, names: Value, tgtType: string): Promise<Mapping>
}

/** Joins the store to {@link Mines}. */
export function createMines(minions: Pick<MinionStore, 'mines' | 'saveMine'>, resolve: ResolveTarget): Mines {
  const change = async (id: MinionId, how: (mine: Mapping) => Mapping): Promise<void> => {
    const mine = (await minions.mines([id])).get(id) ?? {}
    await minions.saveMine(id, how(mine))
  }
  return {
    give: (id, data, clear) => change(id, (mine) => (clear ? data : { ...mine, ...data })),
    take: (id, name) => change(id, ({ [name]: _, ...rest }) => rest),
    flush: (id) => minions.saveMine(id, {}),
    async get(asker, tgt, wanted, tgtType) {
      const several = isList(wanted) || pythonStr(wanted).includes(',')
      const names = isList(wanted) ? wanted.map(pythonStr) : [...new Set(pythonStr(wanted).split(','))]
      const { minions: ids } = await resolve(tgt, asker === undefined ? tgtType : exactly(tgtType))
      const mines = await minions.mines(ids)
      const result: Mapping = {}
      for (const name of names) {
        const found: Mapping = {}
        for (const [id, mine] of mines) {
          const entry = Object.hasOwn(mine, name) ? mine[name] : undefined
          if (entry !== undefined && (await isAllowed(asker, entry, resolve))) found[id] = dataOf(entry)
        }
        if (!several) return found
        if (Object.keys(found).length > 0) result[name] = found
      }
      return result
    },
  }
}

/** A minion must not learn another's pillar by trying globs on it. */
function exactly(tgtType: string): string {
  if (tgtType === 'pillar') return 'pillar_exact'
  return tgtType === 'compound' ? 'compound_pillar_exact' : tgtType
}

function isWrapped(entry: Value): entry is Mapping {
  return isMapping(entry) && has(entry, aclMark)
}

function dataOf(entry: Value): Value {
  return isWrapped(entry) ? (entry[aclData] ?? null) : entry
}

async function isAllowed(asker: MinionId | undefined, entry: Value, resolve: ResolveTarget): Promise<boolean> {
  if (asker === undefined || !isWrapped(entry) || !isMap(entry)) return true
  const target = get(entry, 'allow_tgt')
  if (target === undefined) return true
  const { minions } = await resolve(target, pythonStr(get(entry, 'allow_tgt_type') ?? 'glob'))
  return minions.includes(asker)
}
