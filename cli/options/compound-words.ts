// The arguments of a compound command: which words belong to which function.

/**
 * Words by function. Separators that stand alone, one between each two functions, divide them; else a separator inside
 * a word divides too, and must leave as many parts as there are functions. A text is Salt's complaint.
 */
export function compoundWords(functions: number, words: readonly string[], separator: string): string[][] | string {
  const alone = words.filter((word) => word === separator).length
  const parts = alone === functions - 1 ? splitAlone(words, separator) : splitInside(words, separator)
  if (parts.length < functions) return 'Cannot execute compound command without defining all arguments.\n'
  if (parts.length > functions) return 'Cannot execute compound command with more arguments than commands.\n'
  return parts
}

function splitAlone(words: readonly string[], separator: string): string[][] {
  const parts: string[][] = [[]]
  for (const word of words) {
    if (word === separator) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts
}

function splitInside(words: readonly string[], separator: string): string[][] {
  const parts: string[][] = [[]]
  for (const word of words) {
    for (const [index, piece] of word.split(separator).entries()) {
      if (index > 0) parts.push([])
      if (piece !== '' || !word.includes(separator)) parts.at(-1)?.push(piece)
    }
  }
  return parts
}
