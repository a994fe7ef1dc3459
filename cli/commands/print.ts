// Prints a value for a command: the outputter's text, and a line of error where nobody has that outputter.
import type { Value } from '../../core/value/index.ts'
import { unknownOutputter } from '../output/choose.ts'
import type { OutputOptions } from '../output/outputter.ts'
import { printout } from '../output/printout.ts'
import type { Io } from './io.ts'

/** Prints with the outputter of this name, `nested` where there is none; an empty text prints no line. */
export async function printTo(
  io: Pick<Io, 'out' | 'err' | 'print'>,
  data: Value,
  outputter: string,
  options: OutputOptions,
): Promise<void> {
  const trouble = unknownOutputter(outputter)
  if (trouble !== undefined) io.err(`[ERROR   ] ${trouble}\n`)
  const text = await printout(data, outputter, options)
  if (text !== '') await (io.print ?? io.out)(`${text}\n`)
}
