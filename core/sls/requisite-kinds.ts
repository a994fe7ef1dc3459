// The requisites there are, in Salt's two orders. Reactions and states share them.

/** What a chunk may depend on, in Salt's precedence: a later one pulls what it needs further to the front. */
export const REQUISITES = [
  'onfail',
  'onfail_any',
  'onfail_all',
  'require',
  'require_any',
  'onchanges',
  'onchanges_any',
  'watch',
  'watch_any',
  'prereq',
] as const

/** One of {@link REQUISITES}. */
export type RequisiteKind = (typeof REQUISITES)[number]

/** {@link REQUISITES} in the order in which Salt looks at what a chunk declares. */
export const DECLARED: readonly RequisiteKind[] = [
  'require',
  'require_any',
  'watch',
  'watch_any',
  'prereq',
  'onfail',
  'onfail_any',
  'onfail_all',
  'onchanges',
  'onchanges_any',
]

/** Every keyword whose value is a list of requisites. */
export const REQUISITE_KEYWORDS: ReadonlySet<string> = new Set([...REQUISITES, 'prerequired', 'listen', 'onfail_stop'])
