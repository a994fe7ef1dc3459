// `error.error`: failing on demand, as a runner and as a wheel function.
import { pythonStr } from '../../core/value/index.ts'
import type { MasterFunction } from '../run.ts'

/** Fails with an error of a name and a message; returns nothing without a name. `doc` is given its command line. */
export function failing(doc: (line: string) => string): MasterFunction {
  return {
    signature: {
      params: [
        { name: 'name', default: null },
        { name: 'message', default: '' },
      ],
    },
    doc: doc('error.error name="Exception" message="This is an error."'),
    idempotent: true,
    async run({ named }) {
      if (named.name === null || named.name === undefined) return {}
      const error = new Error(pythonStr(named.message ?? ''))
      error.name = pythonStr(named.name)
      throw error
    },
  }
}
