// The five ways in which a watcher may match event tags.
import { pythonRegex } from '../target/python-regex.ts'
import type { Tag } from './event.ts'
import { tagGlob } from './tag-glob.ts'

/** `event_match_type`: how a watcher's tag is compared. Salt's default is `startswith`. */
export type TagMatch = 'startswith' | 'endswith' | 'find' | 'regex' | 'fnmatch'

/**
 * A test of tags. An empty `wanted` takes every tag, whatever the mode; `regex` gets a `^` before it.
 * Throws a BrineError `regex` for an expression Python would refuse.
 */
export function tagMatcher(wanted: string, mode: TagMatch = 'startswith'): (tag: Tag) => boolean {
  if (wanted === '') return () => true
  switch (mode) {
    case 'startswith':
      return (tag) => tag.startsWith(wanted)
    case 'endswith':
      return (tag) => tag.endsWith(wanted)
    case 'find':
      return (tag) => tag.includes(wanted)
    case 'regex': {
      const regex = pythonRegex(`^${wanted}`, { anchor: 'search' })
      return (tag) => regex.test(tag)
    }
    case 'fnmatch':
      return tagGlob(wanted)
  }
}
