// The limits that keep a template from running for ever or filling memory, and the error each of them gives.
import { PythonError } from './python-error.ts'

/** What one render may use. */
export interface Budgets {
  /** Statements, loop turns, calls, and items that filters go through. @default 1,000,000 */
  readonly steps: number
  /** Characters printed. @default 4,000,000 */
  readonly output: number
  /** Macros, recursive loops, includes and blocks inside one another. @default 150 */
  readonly depth: number
}

/** Enough for any reactor file; a template that needs more does not end or means harm. */
export const DEFAULT_BUDGETS: Budgets = { steps: 1_000_000, output: 4_000_000, depth: 150 }

/** Longest text any operation may make. */
export const MAX_TEXT = 4_000_000
/** Most items any operation may put into a list, and most parts a value may have to be printed or compared. */
export const MAX_ITEMS = 500_000
/** How deep lists and maps may nest to be printed or compared. */
export const MAX_DEPTH = 200
/** Most bits of an integer. */
export const MAX_BITS = 65_536
/** Jinja's sandbox allows ranges of at most this length. */
export const MAX_RANGE = 100_000

/** The error of a limit: `what` was exceeded, `limit` in numbers. */
export function budgetError(what: string, limit: number): PythonError {
  return new PythonError(
    'Budget',
    `the template needs more than ${limit.toLocaleString('en-US')} ${what}`,
    'Look for a loop or a repetition that grows without end, or do the work outside the template.',
  )
}

/** Refuses a text longer than {@link MAX_TEXT} before it is made. */
export function checkText(length: number): void {
  if (length > MAX_TEXT) throw budgetError('characters in one text', MAX_TEXT)
}

/** Refuses a list longer than {@link MAX_ITEMS} before it is made. */
export function checkItems(count: number): void {
  if (count > MAX_ITEMS) throw budgetError('items in one list', MAX_ITEMS)
}

/**
 * Refuses to go on with a value of too many parts or too deep; lists that share parts count them as often as they would
 * be printed.
 */
export function checkSize(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  let parts = 0
  const visit = (part: unknown, depth: number): void => {
    if (++parts > MAX_ITEMS) throw budgetError('parts in one value', MAX_ITEMS)
    if (typeof part !== 'object' || part === null) return
    if (depth > MAX_DEPTH) throw new PythonError('RecursionError', 'maximum recursion depth exceeded')
    if (Array.isArray(part)) for (const item of part) visit(item, depth + 1)
    else if (part instanceof Map) {
      for (const [key, item] of part) {
        if (typeof key === 'object') visit(key, depth + 1)
        visit(item, depth + 1)
      }
    } else if (Object.getPrototypeOf(part) === Object.prototype) {
      for (const item of Object.values(part)) visit(item, depth + 1)
    }
  }
  visit(value, 0)
}
