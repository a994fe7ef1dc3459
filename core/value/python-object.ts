// What templates handle besides values (macros, ranges, undefined, …), as far as Python's text, truth and `==` need it.

/**
 * The base of everything in a template that is no {@link Value}: it says itself how Python prints, tests and compares
 * it. Such an object may sit inside a list or map of a template; it never leaves rendering.
 */
export abstract class PythonObject {
  /** Python's `repr()`. */
  abstract repr(): string

  /** Python's `str()`. */
  str(): string {
    return this.repr()
  }

  /** Python's `bool()`. */
  truth(): boolean {
    return true
  }

  /** Python's `==`; identity unless overridden. */
  equals(other: unknown): boolean {
    return this === other
  }
}
