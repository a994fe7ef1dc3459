// Python's regular expressions over files: over bytes, as Salt's file module matches, with its `flags`.

import { BrineError } from '../../core/error.ts'
import { expandReplacement } from '../../core/render/jinja/filters/regex-template.ts'
import { pythonRegex } from '../../core/target/index.ts'
import { isInteger, isMap, pythonStr, type Value } from '../../core/value/index.ts'
import { CommandExecutionError, PythonError } from '../modules/errors.ts'

const bits: Readonly<Record<string, number>> = {
  I: 2,
  IGNORECASE: 2,
  L: 4,
  LOCALE: 4,
  M: 8,
  MULTILINE: 8,
  S: 16,
  DOTALL: 16,
  U: 32,
  UNICODE: 32,
  X: 64,
  VERBOSE: 64,
  A: 256,
  ASCII: 256,
}

/** `re.MULTILINE`. */
export const MULTILINE = 8

/** The number of what a user writes as flags: a number, a name, or a list of names. */
export function flagsOf(flags: Value): number {
  if (isInteger(flags)) return Number(flags)
  if (flags === null || typeof flags === 'boolean' || isMap(flags)) {
    throw new CommandExecutionError(
      `Invalid re flags: "${pythonStr(flags)}", must be given either as a single flag string, a list of strings, as an integer, or as an re flag`,
    )
  }
  return (Array.isArray(flags) ? flags : [flags]).reduce<number>((sum, flag) => {
    const bit = bits[pythonStr(flag).toUpperCase()]
    if (bit === undefined) throw new CommandExecutionError(`Invalid re flag given: ${pythonStr(flag)}`)
    return sum | bit
  }, 0)
}

/** A pattern over bytes, which it sees as Latin-1: `\w` and the like are ASCII, a dot is one byte. */
export function bytePattern(pattern: string, flags: number, javascript = ''): RegExp {
  return compiled(pattern, inline(flags, 'a'), latin(pattern), javascript)
}

/** A pattern over text. */
export function textPattern(pattern: string, flags = 0, javascript = ''): RegExp {
  return compiled(pattern, inline(flags, ''), pattern, javascript)
}

/** An error tells the pattern as it was written. */
function compiled(written: string, prefix: string, pattern: string, flags: string): RegExp {
  try {
    return pythonRegex(prefix + pattern, { anchor: 'search', flags })
  } catch (error) {
    if (!(error instanceof BrineError)) throw error
    throw new PythonError('error', error.message.replace(prefix + pattern, written))
  }
}

function inline(flags: number, more: string): string {
  const letters = [
    [2, 'i'],
    [8, 'm'],
    [16, 's'],
    [64, 'x'],
  ] as const
  const all = more + letters.map(([bit, letter]) => ((flags & bit) === 0 ? '' : letter)).join('')
  return all === '' ? '' : `(?${all})`
}

/** The bytes of a text, one character a byte. */
export const latin = (text: string): string => Buffer.from(text).toString('latin1')

/** What `re.subn` makes of a text: at most `count` replacements, all for 0. `pattern` needs the flag `g`. */
export function substitute(
  pattern: RegExp,
  source: string,
  replacement: string,
  text: string,
  count: number,
): { readonly text: string; readonly count: number } {
  const expand = expandReplacement(replacement, groupsOf(pattern, source))
  let made = 0
  const result = text.replace(pattern, (whole: string, ...rest: unknown[]) => {
    if (count > 0 && made >= count) return whole
    made++
    const at = rest.findIndex((part) => typeof part === 'number')
    return expand([whole, ...(rest.slice(0, at) as (string | undefined)[])])
  })
  return { text: result, count: made }
}

/** How many groups a pattern has, and the numbers of those with names. */
function groupsOf(pattern: RegExp, source: string): { groups: number; names: ReadonlyMap<string, number> } {
  const groups = (new RegExp(`${pattern.source}|`, pattern.flags.replace('g', '')).exec('')?.length ?? 1) - 1
  const names = new Map<string, number>()
  let number = 0
  for (const [found, , name] of source.matchAll(/\\.|\[\^?\]?(?:\\.|[^\]])*\]|(\((?!\?)|\(\?P<(\w+)>)/gs)) {
    if (!found.startsWith('(')) continue
    number++
    if (name !== undefined) names.set(name, number)
  }
  return { groups, names }
}
