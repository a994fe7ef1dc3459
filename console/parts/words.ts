// A line of arguments as typed: words, values and keywords.
import type { Json } from '../api/api.ts'

/** What a line means. */
export interface Arguments {
  readonly arg: readonly Json[]
  readonly kwarg: { readonly [name: string]: Json }
}

/**
 * Splits at blanks outside of quotes and brackets. A word that is JSON is that value, `name=value` is a keyword, anything
 * else is text; quotes around a word keep it text.
 */
export function argumentsOf(line: string): Arguments {
  const arg: Json[] = []
  const kwarg: Record<string, Json> = {}
  for (const word of wordsOf(line)) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? []
    if (name !== undefined && value !== undefined) kwarg[name] = typedValue(value)
    else arg.push(typedValue(word))
  }
  return { arg, kwarg }
}

function wordsOf(line: string): string[] {
  const words: string[] = []
  let word = ''
  let quote = ''
  let depth = 0
  for (const sign of line) {
    if (quote !== '') {
      if (sign === quote) quote = ''
    } else if (sign === '"' || sign === "'") {
      quote = sign
    } else if ('[{'.includes(sign)) {
      depth++
    } else if (']}'.includes(sign)) {
      depth--
    } else if (/\s/.test(sign) && depth <= 0) {
      if (word !== '') words.push(word)
      word = ''
      continue
    }
    word += sign
  }
  return word === '' ? words : [...words, word]
}

function typedValue(word: string): Json {
  const [, single] = /^'(.*)'$/s.exec(word) ?? []
  if (single !== undefined) return single
  try {
    return JSON.parse(word) as Json
  } catch {
    // Not JSON: text, as nearly everything that is typed.
    return word
  }
}
