// `--out-file`: the answer goes to a file, and what else is said to the terminal.
import { appendFileSync, writeFileSync } from 'node:fs'
import type { ParsedOptions } from '../options/index.ts'
import type { Io } from './io.ts'

/** `--out-file` takes what is returned in place of the terminal; what else is said stays there. */
export function toFile(io: Io, options: ParsedOptions): Io {
  const path = options.text('output_file')
  if (path === undefined) return io
  if (!options.flag('output_file_append')) writeFileSync(path, '')
  return { ...io, isTty: false, print: async (text) => appendFileSync(path, text) }
}
