// parse-input.jsonl: command-line words as the arguments of a job.
import { parseInput } from '../../../core/arguments/index.ts'
import { get, isList } from '../../../core/value/index.ts'
import { fingerprint, goldenValue } from '../golden-value.ts'
import type { Suite } from '../suite.ts'

export const suite: Suite = {
  keys: ['args', 'result'],
  judge(row) {
    const args = get(row, 'args')
    const got = fingerprint(goldenValue(parseInput(args !== undefined && isList(args) ? args : [])))
    return got === fingerprint(get(row, 'result') ?? null) ? undefined : got
  },
}
