// A function call as text: `test.arg(1, 'two, three', x=y)`, as a slot has it.

/** A call taken apart; arguments are texts, whatever they look like. */
export interface CallText {
  readonly fun: string
  readonly args: readonly string[]
  readonly kwargs: Readonly<Record<string, string>>
}

const OPENING: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')' }

/** Salt's `parse_function`; undefined for what is no call. Blanks outside of quotes are lost. What follows the call does not matter. */
export function parseCall(text: string): CallText | undefined {
  const tokens = tokensOf(text)
  const start = tokens.indexOf('(')
  if (start < 1) return undefined
  const args: string[] = []
  const kwargs: Record<string, string> = {}
  const open: string[] = []
  let word: string[] = []
  let key = ''
  for (const token of tokens.slice(start + 1)) {
    if (token in OPENING) {
      word.push(token)
      open.push(token)
    } else if ((token === ',' || token === ')') && open.length === 0) {
      if (key !== '') kwargs[key] = word.join('')
      else if (word.length > 0) args.push(word.join(''))
      if (token === ')') return { fun: tokens.slice(0, start).join(''), args, kwargs }
      key = ''
      word = []
    } else if (token === ']' || token === '}' || token === ')') {
      if (OPENING[open.pop() ?? ''] !== token) return undefined
      word.push(token)
    } else if (token === '=' && open.length === 0) {
      key = word.join('')
      word = []
    } else word.push(token)
  }
  return undefined
}

/** A character of a word as Python's `shlex` sees it outside of quotes. */
const WORD = /[\wß-öø-ÿÀ-ÖØ-Þ]/

/** Python's `shlex.shlex(text, posix=True)`: words and single marks; `#` begins a comment. A quote that is not closed ends it. */
function tokensOf(text: string): string[] {
  const tokens: string[] = []
  let word: string | undefined
  let quote = ''
  const end = (): void => {
    if (word !== undefined) tokens.push(word)
    word = undefined
  }
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? ''
    if (quote !== '') {
      if (char === quote) quote = ''
      else if (char === '\\') {
        const next = text[++index] ?? ''
        word += next === quote || next === '\\' ? next : `\\${next}`
      } else word += char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === '\\') word = (word ?? '') + (text[++index] ?? '')
    else if (char === '#') {
      end()
      const line = text.indexOf('\n', index)
      if (line < 0) break
      index = line
    } else if (/[ \t\r\n]/.test(char)) end()
    else if (WORD.test(char)) word = (word ?? '') + char
    else {
      end()
      tokens.push(char)
    }
  }
  if (quote === '') end()
  return tokens
}
