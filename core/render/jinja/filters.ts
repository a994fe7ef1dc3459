// Every filter by name: Jinja's, overridden and extended by Salt's.
import { DATE_FILTERS } from './filters/date.ts'
import type { Filter } from './filters/define.ts'
import { ITERTOOLS_FILTERS } from './filters/itertools.ts'
import { MARKUP_FILTERS } from './filters/markup.ts'
import { NETWORK_FILTERS } from './filters/network.ts'
import { NUMBER_FILTERS } from './filters/number.ts'
import { OUTSIDE_FILTERS } from './filters/outside.ts'
import { SALT_DATA_FILTERS } from './filters/salt-data.ts'
import { SALT_HASH_FILTERS } from './filters/salt-hash.ts'
import { SALT_TEXT_FILTERS } from './filters/salt-text.ts'
import { SELECT_FILTERS } from './filters/select.ts'
import { SEQUENCE_FILTERS } from './filters/sequence.ts'
import { SERIALIZE_FILTERS } from './filters/serialize.ts'
import { TEXT_FILTERS } from './filters/text.ts'

export type { Filter } from './filters/define.ts'

/** The filters a template may use; later ones replace earlier ones of the same name. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map([
  ...TEXT_FILTERS,
  ...NUMBER_FILTERS,
  ...SEQUENCE_FILTERS,
  ...SELECT_FILTERS,
  ...MARKUP_FILTERS,
  ...SALT_TEXT_FILTERS,
  ...SALT_DATA_FILTERS,
  ...SALT_HASH_FILTERS,
  ...SERIALIZE_FILTERS,
  ...ITERTOOLS_FILTERS,
  ...NETWORK_FILTERS,
  ...DATE_FILTERS,
  ...OUTSIDE_FILTERS,
])
