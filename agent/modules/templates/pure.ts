// The functions that templates compute by themselves, for those who call them from elsewhere.
import { BrineError } from '../../../core/error.ts'
import type { Value } from '../../../core/value/index.ts'
import { PythonError } from '../errors.ts'

/** What `salt[name]` answers in a template. Throws PythonError for what it refuses. */
export async function pureFunction(name: string, args: readonly Value[]): Promise<Value> {
  const { SALT_FUNCTIONS } = await import('../../../core/render/index.ts')
  const found = SALT_FUNCTIONS[name]
  if (found === undefined) throw new BrineError(`${name} is no function of templates.`, { code: 'exception' })
  try {
    return found(args, {}, { context: {} })
  } catch (error) {
    throw new PythonError('TypeError', error instanceof Error ? error.message : String(error))
  }
}
