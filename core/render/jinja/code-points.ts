// Strings by code point, as Python counts them; text without surrogates takes the short way.
import { budgetError, MAX_ITEMS } from './budget.ts'

const SURROGATE = /[\ud800-\udfff]/

/** `len(text)`. */
export function textLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length
  let count = 0
  for (const _ of text) count++
  return count
}

/** The characters of a text. */
export function characters(text: string): string[] {
  if (text.length > MAX_ITEMS) throw budgetError('items in one list', MAX_ITEMS)
  return SURROGATE.test(text) ? Array.from(text) : text.split('')
}

/** `text[index]`, `undefined` where it is out of range; negative indexes count from the end. */
export function charAt(text: string, index: number): string | undefined {
  if (!SURROGATE.test(text)) return text[index < 0 ? text.length + index : index]
  const chars = Array.from(text)
  return chars[index < 0 ? chars.length + index : index]
}
