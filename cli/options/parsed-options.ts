// The options a command was given, with their defaults.
import type { OptionValue } from './option.ts'

/** Read access by Salt's names; what was given explicitly beats the configuration, a default does not. */
export class ParsedOptions {
  readonly #values: ReadonlyMap<string, OptionValue>
  /** The names of the options on the command line. */
  readonly explicit: ReadonlySet<string>

  constructor(values: ReadonlyMap<string, OptionValue>, explicit: ReadonlySet<string>) {
    this.#values = values
    this.explicit = explicit
  }

  /** The text of an option, `undefined` where it has none or an empty one. */
  text(name: string): string | undefined {
    const value = this.#values.get(name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  /** The number of an option. */
  number(name: string): number | undefined {
    const value = this.#values.get(name)
    return typeof value === 'number' ? value : undefined
  }

  /** True where a flag is on. */
  flag(name: string): boolean {
    return this.#values.get(name) === true
  }

  /** All values of an option that may be repeated. */
  list(name: string): readonly string[] {
    const value = this.#values.get(name)
    return Array.isArray(value) ? value : []
  }

  /** What overrides the configuration: the options given, by name. */
  overrides(): Record<string, OptionValue> {
    return Object.fromEntries([...this.explicit].map((name) => [name, this.#values.get(name)]))
  }
}
