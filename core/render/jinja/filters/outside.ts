// Salt's filters that ask the machine or the network: answered by the outside, else they fail and say so.
import type { Value } from '../../../value/index.ts'
import type { Datum } from '../datum.ts'
import { toValue } from '../printed.ts'
import { PythonError } from '../python-error.ts'
import { adopt } from './adopt.ts'
import type { NamedFilter } from './define.ts'

const NAMES = [
  'which',
  'http_query',
  'dns_check',
  'file_hashsum',
  'is_empty',
  'is_text_file',
  'is_bin_file',
  'list_files',
  'get_uid',
]

/** The filters, by Salt's names. */
export const OUTSIDE_FILTERS: readonly NamedFilter[] = NAMES.map((name) => [
  name,
  {
    plain: true,
    apply: (input, args, kwargs, run) => {
      const ask = run.environment.outside?.filters?.[name]
      if (ask === undefined) {
        throw new PythonError(
          'Unavailable',
          `the filter '${name}' asks the machine, which this template cannot`,
          'Ask from a state or an execution module and pass the answer in the event.',
        )
      }
      const named: Record<string, Value> = {}
      for (const [key, value] of kwargs) named[key] = toValue(value)
      return adopt(
        ask(
          [input, ...args].map((datum: Datum) => toValue(datum)),
          named,
        ),
      )
    },
  },
])
