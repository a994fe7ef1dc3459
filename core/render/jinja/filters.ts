// Every filter by name: Jinja's, overridden and extended by Salt's.
import type { Filter } from './filters/define.ts'
import { MARKUP_FILTERS } from './filters/markup.ts'
import { NUMBER_FILTERS } from './filters/number.ts'
import { SELECT_FILTERS } from './filters/select.ts'
import { SEQUENCE_FILTERS } from './filters/sequence.ts'
import { TEXT_FILTERS } from './filters/text.ts'

export type { Filter } from './filters/define.ts'

/** The filters a template may use. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map([
  ...TEXT_FILTERS,
  ...NUMBER_FILTERS,
  ...SEQUENCE_FILTERS,
  ...SELECT_FILTERS,
  ...MARKUP_FILTERS,
])
