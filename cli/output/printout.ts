// The text Salt prints for a return: the chosen outputter, and nested where that one cannot.
import type { Value } from '../../core/value/index.ts'
import { rstrip } from '../../core/value/python-lines.ts'
import { outputter } from './choose.ts'
import { type OutputOptions, Unprintable } from './outputter.ts'

/** Prints with the outputter of this name. No white space at the end; nothing is printed for an empty text. */
export async function printout(data: Value, name: string, options: OutputOptions): Promise<string> {
  const print = await outputter(name)
  try {
    return rstrip(print(data, options))
  } catch (error) {
    if (!(error instanceof Unprintable)) throw error
    const nested = await outputter('nested')
    return rstrip(nested(data, options))
  }
}
