// The functions that minions have without code of the user's own.
import { builtInModules } from '../../agent/modules/built-in.ts'
import type { Signature } from '../../core/arguments/index.ts'

/** Signatures by full name; functions of the user's own modules are not among them. */
export function minionFunctions(): ReadonlyMap<string, Signature> {
  return new Map(
    builtInModules.flatMap(({ name, functions }) =>
      Object.entries(functions).map(([short, { signature }]) => [`${name}.${short}`, signature] as const),
    ),
  )
}
