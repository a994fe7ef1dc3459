// An SLS text with its Jinja blanked out, so that its YAML can be read without an event. Every place stays where it was.

/** A text of the same length, in which expressions are words and everything else of Jinja is spaces. */
export interface BlankedText {
  readonly text: string
  /** Whether there was more than expressions: then the YAML may look broken and not be. */
  readonly hasStatements: boolean
  /** Whether an `{% if %}` stands around a line, so that what is there may not happen. Lines from 1. */
  isGuarded(line: number): boolean
  /** The source of the expressions that a scalar of the blanked text prints, without their braces. */
  expressionsIn(scalar: string): string[]
  /** The scalar with `*` for each expression: what tags look like that it makes. */
  patternOf(scalar: string): string
}

const MARK = 'Ξ'
const JINJA = /\{\{(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^"'}]|\}(?!\}))*\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g
const WORD = new RegExp(`${MARK}([0-9a-z]{3})${MARK}+`, 'g')

/** Blanks the Jinja of a text. At most 46,656 expressions are told apart. */
export function blankJinja(text: string): BlankedText {
  const expressions: string[] = []
  let hasStatements = false
  const guards: { at: number; depth: number }[] = []
  const blanked = text.replace(JINJA, (found, at: number) => {
    if (!found.startsWith('{{')) {
      hasStatements = true
      const depth = guards.at(-1)?.depth ?? 0
      const word = /^\{%[-+]?\s*(\w+)/.exec(found)?.[1]
      if (word === 'if') guards.push({ at, depth: depth + 1 })
      if (word === 'endif') guards.push({ at, depth: depth - 1 })
      return found.replace(/[^\n]/g, ' ')
    }
    const index = (expressions.push(found.slice(2, -2).replace(/^-|-$/g, '').trim()) - 1) % 36 ** 3
    const word = MARK + index.toString(36).padStart(3, '0') + MARK
    return word.padEnd(found.length, MARK)
  })
  return {
    text: blanked,
    hasStatements,
    isGuarded: (line) => {
      const start = text.split('\n', line - 1).join('\n').length
      return (guards.findLast(({ at }) => at <= start)?.depth ?? 0) > 0
    },
    expressionsIn: (scalar) =>
      [...scalar.matchAll(WORD)].map((match) => expressions[Number.parseInt(match[1] ?? '', 36)] ?? ''),
    patternOf: (scalar) => scalar.replace(/[*?[]/g, '[$&]').replace(WORD, '*'),
  }
}
