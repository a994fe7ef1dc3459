// The banks of the `cache` runner: values that runners keep for others, and what the master remembers of minions.
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { isFilePath } from '../file-path.ts'
import type { BankStore, MinionRecord, MinionStore } from '../ports.ts'
import { type MasterFunction, RunError } from '../run.ts'
import { readOnly } from './read-only.ts'
import { docOf } from './runner-doc.ts'

/** What they are made from. */
export interface BanksNeeds {
  readonly banks: BankStore
  readonly minions: MinionStore
  /** The pillar of a minion, as targets see it. */
  readonly pillarOf: (minion: MinionRecord) => Promise<Value>
}

const cachedir = { name: 'cachedir', default: null }

/** The bank under which Salt keeps what it knows of minions. */
const minionsBank = 'minions'
const mostName = 255

/** `cache.store`, `list`, `fetch` and `flush`. */
export function bankFunctions({ banks, minions, pillarOf }: BanksNeeds): Record<string, MasterFunction> {
  const ofMinion = async (id: string, key: string): Promise<Value> => {
    if (key === 'mine') return (await minions.mines([id])).get(id) ?? {}
    const known = key === 'data' ? (await minions.all()).find((minion) => minion.id === id) : undefined
    return known === undefined ? {} : { grains: known.grains, pillar: await pillarOf(known) }
  }
  const listMinions = async (bank: string): Promise<string[]> => {
    const ids = (await minions.all()).map(({ id }) => id).sort()
    if (bank === minionsBank) return ids
    return ids.includes(bank.slice(minionsBank.length + 1)) ? ['data', 'mine'] : []
  }

  return {
    'cache.store': {
      signature: { params: [{ name: 'bank' }, { name: 'key' }, { name: 'data' }, cachedir] },
      doc: docOf('Keep a value in a bank, under a key. Banks are paths: fleet/web is below fleet.', [
        "cache.store mycache mykey 'The time has come the walrus said'",
      ]),
      idempotent: true,
      async run({ named }) {
        const bank = ownBank(named)
        await banks.store(bank, keyOf(named), named.data ?? null)
        return null
      },
    },
    'cache.list': readOnly(
      [{ name: 'bank' }, cachedir],
      'List the keys of a bank and the banks below it. The bank minions has what is known of each minion.',
      ['cache.list mycache', 'cache.list minions'],
      async ({ named }) => {
        const bank = bankOf(named)
        return isOfMinions(bank) ? listMinions(bank) : banks.list(bank)
      },
    ),
    'cache.fetch': readOnly(
      [{ name: 'bank' }, { name: 'key' }, cachedir],
      'Return what a bank keeps under a key; an empty map where there is nothing.',
      ['cache.fetch mycache mykey', 'cache.fetch minions/web1 data'],
      async ({ named }) => {
        const bank = bankOf(named)
        if (isOfMinions(bank)) return ofMinion(bank.slice(minionsBank.length + 1), keyOf(named))
        return (await banks.fetch(bank, keyOf(named))) ?? ({} as Mapping)
      },
    ),
    'cache.flush': {
      signature: { params: [{ name: 'bank' }, { name: 'key', default: null }, cachedir] },
      doc: docOf('Forget a key of a bank, or the whole bank with all below it. False where there was nothing.', [
        'cache.flush mycache mykey',
        'cache.flush mycache',
      ]),
      idempotent: true,
      run: async ({ named }) => banks.flush(ownBank(named), named.key === null ? undefined : keyOf(named)),
    },
  }
}

type Named = Readonly<Record<string, Value>>

function bankOf({ bank = '', cachedir: elsewhere = null }: Named): string {
  if (elsewhere !== null) throw new RunError('Banks are in the master’s store, not in a directory: leave cachedir out.')
  const name = pythonStr(bank).replace(/^\/+|\/+$/g, '')
  if (!isFilePath(name) || name.length > mostName)
    throw new RunError(
      `${JSON.stringify(pythonStr(bank))} is no bank: write names with / between them, ${mostName} characters at most.`,
    )
  return name
}

/** A bank that can be changed. */
function ownBank(named: Named): string {
  const bank = bankOf(named)
  if (!isOfMinions(bank)) return bank
  throw new RunError(`The bank ${bank} is what the master knows of minions. cache.clear_grains and its like forget it.`)
}

function isOfMinions(bank: string): boolean {
  return bank === minionsBank || bank.startsWith(`${minionsBank}/`)
}

function keyOf({ key = '' }: Named): string {
  const name = pythonStr(key)
  if (isFilePath(name) && !name.includes('/') && name.length <= mostName) return name
  throw new RunError(`${JSON.stringify(name)} is no key: write a name without /, ${mostName} characters at most.`)
}
