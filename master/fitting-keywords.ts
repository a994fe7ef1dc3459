// Keywords that a function of the master has parameters for.
import type { Signature } from '../core/arguments/index.ts'
import type { Mapping } from '../core/value/index.ts'
import type { MasterFunction, RunRequest } from './run.ts'

/** The keywords that a function has parameters for. */
export function fittingKeywords(kwarg: Mapping, { params, varKwargs }: Signature): Mapping {
  if (varKwargs === true) return kwarg
  const names = new Set(params.map(({ name }) => name))
  return Object.fromEntries(Object.entries(kwarg).filter(([name]) => names.has(name)))
}

/** The request as it is run: where it is loose, without the keywords that do not fit. */
export function fitted<Request extends RunRequest>(asked: Request, known: MasterFunction | undefined): Request {
  if (asked.isLoose !== true || known === undefined) return asked
  return { ...asked, kwarg: fittingKeywords(asked.kwarg, known.signature) }
}
