// A reactor glob as EventBridge can match it: the texts between its stars, a superset of what fnmatch takes.
import { globTokens } from '../../../core/event/glob-tokens.ts'

/** The literal texts between stars: `['a']` is the tag `a`, `['a', '']` is `a*`, `['', 'b']` is `*b`, `['', '']` anything. */
export type TagParts = readonly string[]

/** A value of `detail.tag` in an event pattern. */
export type TagValue =
  | string
  | { readonly prefix: string }
  | { readonly suffix: string }
  | { readonly wildcard: string }

/**
 * The parts of a glob: `?` and sets become stars (a set of one character is that character), runs of stars collapse.
 * Undefined where the glob matches nothing at all.
 */
export function tagParts(glob: string): TagParts | undefined {
  const parts = ['']
  let afterStar = false
  for (const token of globTokens(glob)) {
    if (token.kind === 'never') return undefined
    const code = literalOf(token)
    if (code === undefined) {
      if (!afterStar) parts.push('')
      afterStar = true
    } else {
      parts[parts.length - 1] += String.fromCodePoint(code)
      afterStar = false
    }
  }
  return parts
}

/** The one code point a token takes. A lone surrogate has no UTF-8, so it counts as a star. */
function literalOf(token: ReturnType<typeof globTokens>[number]): number | undefined {
  let code: number | undefined
  if (token.kind === 'literal') code = token.code
  if (token.kind === 'set' && !token.negated && token.ranges.length === 1) {
    const [low, high] = token.ranges[0] ?? [0, 1]
    if (low === high) code = low
  }
  return code === undefined || (code >= 0xd800 && code <= 0xdfff) ? undefined : code
}

/** How EventBridge writes the parts: a text, a prefix, a suffix, and only for an inner star a wildcard. */
export function tagValue(parts: TagParts): TagValue {
  const [first = '', second = ''] = parts
  if (parts.length === 1) return first
  if (parts.length === 2 && second === '') return { prefix: first }
  if (parts.length === 2 && first === '') return { suffix: second }
  return { wildcard: parts.map((part) => part.replace(/[*\\]/g, '\\$&')).join('*') }
}

/** Whether the parts need a wildcard, of which EventBridge allows few. */
export function isWildcard(parts: TagParts): boolean {
  return parts.length > 2 || (parts.length === 2 && parts[0] !== '' && parts[1] !== '')
}

/** The parts widened to the literal beginning, or to the end where there is no beginning: no wildcard any more. */
export function widened(parts: TagParts): TagParts {
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (parts.length === 1) return parts
  return first === '' && last !== '' ? ['', last] : [first, '']
}

/** The parts without their last literal text: matches more, with one star less. */
export function widenedByOne(parts: TagParts): TagParts {
  const shorter = parts.at(-1) === '' ? parts.slice(0, -2) : parts.slice(0, -1)
  return shorter.length === 0 ? ['', ''] : [...shorter, '']
}

/** Whether a prefix takes all that the parts take. */
export function isCovered(parts: TagParts, prefix: string): boolean {
  return (parts[0] ?? '').startsWith(prefix)
}
