// Cloud providers as a configuration writes them: aliases, their drivers, and what they take over from others.

import type { Written } from '../config/merge.ts'
import { BrineError } from '../error.ts'
import { isList, type Mapping, pythonStr, type Value } from '../value/index.ts'
import { mergeDeep } from '../value/merge.ts'
import { mappingOf } from './mapping.ts'

/** The settings of each provider: alias → driver → settings. */
export type CloudProviders = ReadonlyMap<string, ReadonlyMap<string, Mapping>>

/** Keys of a file that name no provider or profile. */
export const fileKeys: ReadonlySet<string> = new Set(['conf_file', 'include', 'default_include', 'user'])

interface Entry {
  readonly alias: string
  /** Empty for an entry that only others, or its own `extends`, give a driver. */
  readonly driver: string
  readonly file: string
  readonly details: Mapping
}

/**
 * Reads them. An entry takes over what it `extends` (`alias:driver`), however long the chain; an entry that has no driver
 * in the end only serves to be extended. Throws `cloud-config` for an entry that could not be meant, naming its file.
 */
export function readProviders(written: ReadonlyMap<string, Written>): CloudProviders {
  const entries = [...written].flatMap(([alias, each]) => (fileKeys.has(alias) ? [] : entriesOf(alias, each)))
  const found = new Map<string, Map<string, Mapping>>()
  for (const entry of entries) {
    const { driver, details } = resolved(entry, entries, [])
    if (driver === '') continue
    const drivers = found.get(entry.alias) ?? new Map<string, Mapping>()
    found.set(entry.alias, drivers)
    if (!drivers.has(driver)) drivers.set(driver, { ...details, driver })
  }
  return found
}

function entriesOf(alias: string, { value, file }: Written): Entry[] {
  const seen = new Set<string>()
  return (isList(value) ? value : [value]).map((each: Value): Entry => {
    const details = mappingOf(each)
    if (details === undefined)
      throw wrong(file, `The cloud provider alias '${alias}' holds ${pythonStr(each)}, not settings.`)
    const driver = typeof details.driver === 'string' ? details.driver : ''
    if (driver !== '' && seen.has(driver))
      throw wrong(file, `The cloud provider alias '${alias}' has multiple entries for the '${driver}' driver.`)
    seen.add(driver)
    return { alias, driver, file, details }
  })
}

/** An entry with what it extends below it. */
function resolved(entry: Entry, all: readonly Entry[], above: readonly Entry[]): Pick<Entry, 'driver' | 'details'> {
  const { alias, file, details } = entry
  const { extends: extended, ...own } = details
  if (extended === undefined) return { driver: entry.driver, details: own }
  if (above.includes(entry)) throw wrong(file, `The cloud provider '${alias}' extends itself.`)
  const name = pythonStr(extended)
  const [from = '', driver] = name.split(':')
  const named = `The '${entry.driver || 'driver-less'}' cloud provider entry in '${alias}' is trying to extend`
  const candidates = all.filter((each) => each.alias === from)
  if (candidates.length === 0)
    throw wrong(
      file,
      `${named} data from '${from}' though '${from}' is not defined in the salt cloud providers loaded data.`,
    )
  if (driver === undefined)
    throw wrong(file, `${named} from '${name}' and no provider was specified. Write extends: ${from}:ec2.`)
  for (const candidate of candidates) {
    const base = resolved(candidate, all, [...above, entry])
    if (base.driver === driver) return { driver, details: mappingOf(mergeDeep(base.details, own)) ?? own }
  }
  throw wrong(file, `${named} data from '${name}' though '${driver}' is not defined in '${from}'.`)
}

function wrong(file: string, message: string): BrineError {
  return new BrineError(`${file}: ${message}`, { code: 'cloud-config' })
}

/** The driver of an alias that a profile means which names none: the first. */
export function driverOf(providers: CloudProviders, provider: string): { alias: string; driver: string } | undefined {
  const [alias = '', asked] = provider.split(':')
  const drivers = providers.get(alias)
  const driver = asked ?? drivers?.keys().next().value
  return driver !== undefined && drivers?.has(driver) === true ? { alias, driver } : undefined
}
