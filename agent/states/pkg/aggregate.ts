// `aggregate` of packages: one call of the package manager for several states.
import type { Joining, Low } from '../../../core/state/index.ts'
import { entries, get, isList, isMap, pythonEquals, pythonStr, type Value } from '../../../core/value/index.ts'

const JOINED = ['installed', 'latest', 'removed', 'purged']

/** Joins states of the same function and `fromrepo`: all of packages, or all of `sources`. One with `hold` stays by itself. */
export const joinPackages: Joining = (low, others) => {
  if (!JOINED.includes(textAt(low, 'fun')) || get(low, 'hold') !== undefined) return undefined
  const key = get(low, 'sources') === undefined ? 'pkgs' : 'sources'
  const all = [...packagesOf(low, key)]
  const taken: number[] = []
  for (const [index, other] of others.entries()) {
    if (!isAlike(low, other) || (key === 'pkgs') !== (get(other, 'sources') === undefined)) continue
    const more = packagesOf(other, key)
    const known = more.filter((one) => all.some((mine) => nameOf(mine) === nameOf(one)))
    if (known.some((one) => !all.some((mine) => pythonEquals(mine, one)))) continue
    all.push(...more.filter((one) => !known.includes(one)))
    taken.push(index)
  }
  return { low: withPackages(low, key, all), taken }
}

function isAlike(low: Low, other: Low): boolean {
  if (get(other, 'hold') !== undefined) return false
  return ['fun', 'fromrepo'].every((key) => pythonEquals(get(low, key) ?? null, get(other, key) ?? null))
}

function packagesOf(low: Low, key: 'pkgs' | 'sources'): readonly Value[] {
  const written = get(low, key)
  if (isList(written)) return written
  if (written !== undefined) return [written]
  const version = get(low, 'version') ?? null
  const name = textAt(low, 'name')
  return [version === null ? name : { [name]: version }]
}

function withPackages(low: Low, key: 'pkgs' | 'sources', all: readonly Value[]): Low {
  const rest = entries(low).filter(([name]) => name !== 'version' && name !== key)
  return Object.fromEntries([...rest.map(([name, value]) => [pythonStr(name), value] as const), [key, [...all]]])
}

const nameOf = (one: Value): string => pythonStr(one !== null && isMap(one) ? (entries(one)[0]?.[0] ?? null) : one)

const textAt = (low: Low, key: string): string => pythonStr(get(low, key) ?? '')
