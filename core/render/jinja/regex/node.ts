// The syntax tree of a Python regular expression.

/** Whether a code point is taken. */
export type CharTest = (code: number) => boolean

/** What holds between two characters. */
export type Assertion = 'start' | 'lineStart' | 'end' | 'lineEnd' | 'textEnd' | 'boundary' | 'notBoundary'

/** One node; everything that takes exactly one character is a `char`. */
export type RegexNode =
  | { readonly kind: 'char'; readonly test: CharTest }
  | { readonly kind: 'assert'; readonly what: Assertion; readonly ascii: boolean }
  | { readonly kind: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | { readonly kind: 'group'; readonly index: number; readonly body: RegexNode }
  | {
      readonly kind: 'repeat'
      readonly body: RegexNode
      readonly min: number
      readonly max: number
      readonly mode: RepeatMode
    }
  | { readonly kind: 'look'; readonly body: RegexNode; readonly behind: boolean; readonly negative: boolean }
  | { readonly kind: 'atomic'; readonly body: RegexNode }
  | { readonly kind: 'reference'; readonly group: number; readonly ignoreCase: boolean }
  | { readonly kind: 'condition'; readonly group: number; readonly yes: RegexNode; readonly no: RegexNode }

/** How a repetition takes, and whether it gives back. */
export type RepeatMode = 'greedy' | 'lazy' | 'possessive'

/** An expression that was read: its tree, and its groups by number and name. */
export interface ParsedRegex {
  readonly root: RegexNode
  readonly groups: number
  readonly names: ReadonlyMap<string, number>
}

/** How many characters a node takes; `undefined` where that varies. */
export function widthOf(node: RegexNode): number | undefined {
  switch (node.kind) {
    case 'char':
      return 1
    case 'assert':
    case 'look':
      return 0
    case 'sequence': {
      let total = 0
      for (const item of node.items) {
        const width = widthOf(item)
        if (width === undefined) return undefined
        total += width
      }
      return total
    }
    case 'choice':
      return common(node.options.map(widthOf))
    case 'group':
    case 'atomic':
      return widthOf(node.body)
    case 'repeat': {
      const width = widthOf(node.body)
      return width === undefined || node.min !== node.max ? undefined : width * node.min
    }
    case 'condition':
      return common([widthOf(node.yes), widthOf(node.no)])
    case 'reference':
      return undefined
  }
}

function common(widths: readonly (number | undefined)[]): number | undefined {
  const [first] = widths
  return widths.every((width) => width === first) ? first : undefined
}
