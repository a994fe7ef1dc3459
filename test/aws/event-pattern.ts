// Decides as EventBridge does whether an event pattern takes an event: the operators that Brine's rules use, and no other.

/** An event as rules see it. */
export interface RoutedEvent {
  readonly source: string
  readonly 'detail-type'?: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** Whether the pattern takes the event. Throws for an operator it does not know: a test must not pass by ignorance. */
export function isMatch(pattern: object, event: RoutedEvent): boolean {
  return matchesFields(pattern, event)
}

function matchesFields(pattern: object, event: unknown): boolean {
  return Object.entries(pattern).every(([field, wanted]) => {
    const seen = typeof event === 'object' && event !== null ? (event as Record<string, unknown>)[field] : undefined
    return Array.isArray(wanted) ? wanted.some((one) => matchesValue(one, seen)) : matchesFields(wanted as object, seen)
  })
}

function matchesValue(wanted: unknown, seen: unknown): boolean {
  if (Array.isArray(seen)) return seen.some((one) => matchesValue(wanted, one))
  if (typeof wanted !== 'object' || wanted === null) return wanted === seen
  const [[operator, operand] = ['', undefined], ...more] = Object.entries(wanted)
  if (more.length > 0) throw new Error(`a value with two operators: ${JSON.stringify(wanted)}`)
  if (operator === 'anything-but')
    return seen !== undefined && !alternatives(operand).some((one) => matchesValue(one, seen))
  if (typeof seen !== 'string' || typeof operand !== 'string') return false
  switch (operator) {
    case 'prefix':
      return seen.startsWith(operand)
    case 'suffix':
      return seen.endsWith(operand)
    case 'wildcard':
      return wildcard(operand).test(seen)
    default:
      throw new Error(`an operator that no rule of Brine's uses: ${operator}`)
  }
}

function alternatives(operand: unknown): readonly unknown[] {
  return Array.isArray(operand) ? operand : [operand]
}

/** `*` is any run of characters, `\*` and `\\` are themselves; anything else EventBridge refuses. */
function wildcard(text: string): RegExp {
  if (/\*\*/.test(text.replace(/\\[*\\]/g, ''))) throw new Error(`consecutive wildcards: ${text}`)
  const source = text.replace(/\\(.)?|\*|[.+?^${}()|[\]]/gs, (found, escaped?: string) => {
    if (found === '*') return '.*'
    if (!found.startsWith('\\')) return `\\${found}`
    if (escaped !== '*' && escaped !== '\\') throw new Error(`an escape EventBridge does not know: ${text}`)
    return `\\${escaped}`
  })
  return new RegExp(`^${source}$`, 's')
}
