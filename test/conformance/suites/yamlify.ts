// yamlify.jsonl: a command-line word as a value, with its type.
import { yamlifyArg } from '../../../core/arguments/index.ts'
import { get } from '../../../core/value/index.ts'
import { fingerprint, goldenValue, typeName } from '../golden-value.ts'
import type { Suite } from '../suite.ts'

export const suite: Suite = {
  keys: ['arg', 'type', 'value'],
  judge(row) {
    const value = yamlifyArg(get(row, 'arg') ?? null)
    const got = fingerprint([typeName(value), goldenValue(value)])
    return got === fingerprint([get(row, 'type') ?? null, get(row, 'value') ?? null]) ? undefined : got
  },
}
