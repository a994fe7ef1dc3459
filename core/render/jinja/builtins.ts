// What the language itself brings, each by name.
import type { Datum } from './datum.ts'
import type { Filter } from './filters/define.ts'
import type { Method } from './method.ts'
import type { Test } from './tests.ts'

/** Every run carries it: filters apply other filters and tests, `format` looks attributes up, functions see the others. */
export interface Builtins {
  readonly filters: ReadonlyMap<string, Filter>
  readonly tests: ReadonlyMap<string, Test>
  /** The functions every template has. */
  readonly globals: ReadonlyMap<string, Datum>
  readonly textMethods: ReadonlyMap<string, Method<Datum>>
}
