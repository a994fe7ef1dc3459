// The version of a reactor set: a hash of its entries and of every text.
import { createHash } from 'node:crypto'
import type { ReactorEntry } from './reactor-config.ts'

/** 16 hex digits; the same for the same entries and files in the same order, another for any change. */
export function reactorSetVersion(
  entries: readonly ReactorEntry[],
  files: readonly { readonly reference: string; readonly name: string; readonly text: string }[],
): string {
  const hash = createHash('sha256').update(JSON.stringify(entries))
  for (const { reference, name, text } of files) hash.update(`\0${reference}\0${name}\0${text}`)
  return hash.digest('hex').slice(0, 16)
}
