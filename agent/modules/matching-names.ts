// Which functions a word means, as `sys.doc` and its like take it.
import { tagGlob } from '../../core/event/tag-glob.ts'

/** Names a shell pattern matches; a bare module's name stands for its functions. */
export function matchingNames(names: readonly string[], pattern: string): string[] {
  if (pattern.includes('*')) return names.filter(tagGlob(pattern))
  const prefix = pattern.endsWith('.') ? pattern : `${pattern}.`
  return names.filter((name) => name === pattern || name.startsWith(prefix))
}
