// confirm-top.jsonl: which minions of the fleet a target in a top file means.
import { compileTop } from '../../../core/target/index.ts'
import { get, isList, type Value } from '../../../core/value/index.ts'
import { matchedBy, readFleet } from '../fleet.ts'
import { fingerprint } from '../golden-value.ts'
import { type Suite, text } from '../suite.ts'

export const suite: Suite = {
  keys: ['tgt', 'data', 'matched'],
  judge(row, companions) {
    const fleet = readFleet(companions)
    const data: Value = get(row, 'data') ?? []
    const test = compileTop(text(row, 'tgt'), isList(data) ? data : [], fleet.nodegroups)
    const got = fingerprint(matchedBy(fleet, test))
    return got === fingerprint(get(row, 'matched') ?? null) ? undefined : got
  },
}
