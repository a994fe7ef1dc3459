// targets.jsonl: which minions of the fleet a target of a type means.
import { compileTarget } from '../../../core/target/index.ts'
import { get } from '../../../core/value/index.ts'
import { matchedBy, readFleet } from '../fleet.ts'
import { fingerprint } from '../golden-value.ts'
import { type Suite, text } from '../suite.ts'

export const suite: Suite = {
  keys: ['tgt_type', 'tgt'],
  judge(row, companions) {
    const fleet = readFleet(companions)
    const compile = (): ReturnType<typeof compileTarget> => {
      return compileTarget(text(row, 'tgt_type'), get(row, 'tgt') ?? null, { nodegroups: fleet.nodegroups })
    }
    if (get(row, 'error') !== undefined) return failed(() => matchedBy(fleet, compile())) ? undefined : 'no error'
    const got = fingerprint(matchedBy(fleet, compile()))
    return got === fingerprint(get(row, 'matched') ?? null) ? undefined : got
  },
}

function failed(run: () => unknown): boolean {
  try {
    run()
    return false
  } catch {
    return true
  }
}
