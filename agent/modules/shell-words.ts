// Splits a command line into words as a POSIX shell quotes them, without doing anything else a shell does.
import { PythonError } from './errors.ts'

/** Python's `shlex.split`. Throws ValueError where a quote is not closed. */
export function shellWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let index = 0; index < line.length; index++) {
    const char = line[index] ?? ''
    if (quote !== '') {
      if (char === quote) quote = ''
      else if (quote === '"' && char === '\\' && ['"', '\\'].includes(line[index + 1] ?? ''))
        word += line[++index] ?? ''
      else word += char
    } else if (char === "'" || char === '"') {
      quote = char
      word ??= ''
    } else if (char === '\\') {
      if (index + 1 >= line.length) throw new PythonError('ValueError', 'No escaped character')
      word = (word ?? '') + (line[++index] ?? '')
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  if (quote !== '') throw new PythonError('ValueError', 'No closing quotation')
  if (word !== undefined) words.push(word)
  return words
}
