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

/** {@link REQUISITES} in the order in which Salt looks at what a chunk declares. */
export const DECLARED: readonly (typeof REQUISITES)[number][] = [
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
