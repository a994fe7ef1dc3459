// The matcher of the top file: compound unless an entry says otherwise.
import { get, isMap, pythonStr, type Value } from '../value/index.ts'
import { compileTarget } from './compile.ts'
import type { Nodegroups, TargetTest } from './target.ts'

/**
 * The test of one target of a top file. `data` is what stands under it: names of SLS files, and maps of which the last
 * `match:` names the type. Throws a BrineError `target` for an unknown type.
 */
export function compileTop(target: string, data: readonly Value[], nodegroups: Nodegroups = {}): TargetTest {
  let type: Value = 'compound'
  for (const item of data) {
    if (isMap(item)) type = get(item, 'match') ?? type
  }
  return compileTarget(pythonStr(type), target, { nodegroups })
}
