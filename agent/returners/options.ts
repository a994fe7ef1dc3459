// The options of a returner, looked up where Salt looks them up.
import { isMapping, type Mapping, type Value } from '../../core/value/index.ts'

/** The names a job's options are looked up by. */
export interface OptionRequest {
  /** The returner. */
  readonly name: string
  readonly options: readonly string[]
  /** `--return_config`: this name before the returner's hides the usual options. */
  readonly config?: string | undefined
  /** `--return_kwargs`: hides both. */
  readonly kwargs?: Mapping | undefined
}

/**
 * Each option as `<name>.<option>`, or below a map `<name>`; first with the alternative's name in front, where one is given.
 * The first of the stores that has a name wins. Empty texts count as absent.
 */
export function returnerOptions(request: OptionRequest, stores: readonly Mapping[]): Mapping {
  const { name, options, config = '', kwargs = {} } = request
  const found: Mapping = {}
  for (const option of options) {
    const value =
      (config === '' ? undefined : lookup(stores, `${config}.${name}`, option)) ?? lookup(stores, name, option)
    if (value !== undefined) found[option] = value
  }
  return { ...found, ...kwargs }
}

function lookup(stores: readonly Mapping[], name: string, option: string): Value | undefined {
  const value =
    first(
      stores.map((store) => mapOf(store[name])),
      option,
    ) ?? first(stores, `${name}.${option}`)
  return value === null || value === '' ? undefined : value
}

function mapOf(value: Value | undefined): Mapping {
  return value !== undefined && isMapping(value) ? value : {}
}

function first(stores: readonly Mapping[], key: string): Value | undefined {
  return stores.find((store) => Object.hasOwn(store, key))?.[key]
}
