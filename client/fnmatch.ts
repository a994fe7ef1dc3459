// Python's fnmatch, for tags.
import { matchTag } from '../core/event/tag-glob.ts'

/** Whether the pattern takes the whole name: `fnmatch('salt/auth', 'salt/*')`. Case counts; `*` and `?` cross slashes. */
export function fnmatch(name: string, pattern: string): boolean {
  return matchTag(pattern, name)
}
