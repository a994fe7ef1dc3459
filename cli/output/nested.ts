// The nested outputter, the default: keys above their values, four spaces a level.
import type { Value } from '../../core/value/index.ts'
import { type NestedPart, nestedText } from '../../core/value/nested-text.ts'
import { colours, stripEscapes } from './colour.ts'
import type { OutputOptions } from './outputter.ts'

/** Prints data the way `salt` prints a return by default; red instead of the usual colour where the return code is not 0. */
export function nested(data: Value, options: OutputOptions): string {
  const { RED, GREEN, CYAN, LIGHT_YELLOW, ENDC } = colours(options.color)
  const failed = (options.retcode ?? 0) !== 0
  const tones: Readonly<Record<NestedPart, string>> = {
    scalar: LIGHT_YELLOW,
    text: GREEN,
    item: failed ? RED : GREEN,
    key: failed ? RED : CYAN,
  }
  return nestedText(data, {
    indent: options.nestedIndent ?? 0,
    paint: (part, text) => `${tones[part]}${text}${ENDC}`,
    ...((options.stripColors ?? true) ? { text: stripEscapes } : {}),
  })
}
