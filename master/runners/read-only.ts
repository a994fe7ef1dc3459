// How a runner function is written down that only looks.
import type { Parameter } from '../../core/arguments/index.ts'
import type { MasterFunction } from '../run.ts'
import { docOf } from './runner-doc.ts'

/** A function that changes nothing: a template may call it, and it runs again after a crash. */
export function readOnly(
  params: readonly Parameter[],
  what: string,
  lines: readonly string[],
  run: MasterFunction['run'],
  more: Pick<MasterFunction, 'out'> & { readonly varKwargs?: boolean } = {},
): MasterFunction {
  const { varKwargs, ...rest } = more
  return {
    signature: { params: [...params], ...(varKwargs === true ? { varKwargs } : {}) },
    doc: docOf(what, lines),
    readOnly: true,
    idempotent: true,
    run,
    ...rest,
  }
}
