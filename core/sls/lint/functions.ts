// The functions that a linter knows, by the client that calls them.

import type { Signature } from '../../arguments/signature.ts'
import { nearest } from '../../config/nearest.ts'

/** `local` functions are those of minions, which may have more of their own. */
export type FunctionClient = 'local' | 'runner' | 'wheel'

/** Which functions there are. */
export interface FunctionCatalog {
  signature(client: FunctionClient, fun: string): Signature | undefined
  names(client: FunctionClient): Iterable<string>
}

/** A catalogue of signatures by client and name. */
export function functionCatalog(
  functions: Readonly<Record<FunctionClient, ReadonlyMap<string, Signature>>>,
): FunctionCatalog {
  return {
    signature: (client, fun) => functions[client].get(fun),
    names: (client) => functions[client].keys(),
  }
}

/** "Did you mean …?", or what to do instead. */
export function didYouMean(word: string, candidates: Iterable<string>, otherwise: string): string {
  const meant = nearest(word, candidates)
  return meant === undefined ? otherwise : `Did you mean ${meant}?`
}
