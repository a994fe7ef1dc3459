// Salt's autosign_file, autoreject_file and autosign_grains_dir: what they say of a minion that asks with a new key.
import { tagGlob } from '../event/tag-glob.ts'
import { pythonRegex } from '../target/python-regex.ts'
import { type Mapping, pythonStr } from '../value/index.ts'

/** What the files hold, without comments and empty lines. */
export interface AutosignRules {
  /** Of `autosign_file`. */
  readonly accept: readonly string[]
  /** Of `autoreject_file`. */
  readonly reject: readonly string[]
  /** Values by grain, as `autosign_grains_dir` has a file for each. */
  readonly grains: Readonly<Record<string, readonly string[]>>
}

/** What becomes of a key by itself, and which file says so. */
export type AutosignVerdict =
  | { readonly kind: 'accept'; readonly by: 'autosign_file' | 'autosign_grains_dir' }
  | { readonly kind: 'reject'; readonly by: 'autoreject_file' }

/** The characters that a value has to have to count as a secret: the first half of a UUID, and no role or name. */
export const leastSecret = 16

/**
 * What the rules say of an id and what its minion tells of itself; undefined where they say nothing. A rejection goes first.
 * Grains count where each that the folder names has one of its values, and one of these is a secret (docs/adr/0006).
 */
export function autosignVerdict(rules: AutosignRules, id: string, grains: Mapping): AutosignVerdict | undefined {
  if (rules.reject.some((line) => isMeant(line, id))) return { kind: 'reject', by: 'autoreject_file' }
  if (rules.accept.some((line) => isMeant(line, id))) return { kind: 'accept', by: 'autosign_file' }
  return areTold(rules.grains, grains) ? { kind: 'accept', by: 'autosign_grains_dir' } : undefined
}

/** The lines that say something. */
export function autosignLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** Why nobody is accepted by the grains that are asked for; undefined where somebody may be, and where none are. */
export function grainsWeakness({ grains }: Pick<AutosignRules, 'grains'>): string | undefined {
  const named = Object.entries(grains)
  if (named.length === 0 || named.some(([, values]) => values.some((value) => value.length >= leastSecret)))
    return undefined
  return `autosign_grains_dir accepts nobody: none of its values (${named.map(([name]) => name).join(', ')}) has ${leastSecret} characters, and what can be guessed is no proof. Give each machine a UUID of its own.`
}

/**
 * An id by a line: a shell pattern, or a regular expression that matches all of it. A line of letters, digits, dots, dashes
 * and underscores is a name; Salt's dots stand for any character there, and its `a|b` for all that begins with `a`.
 */
function isMeant(line: string, id: string): boolean {
  if (/^[\w.-]+$/.test(line)) return line === id
  if (tagGlob(line)(id)) return true
  try {
    return pythonRegex(line, { anchor: 'fullmatch' }).test(id)
  } catch {
    // A shell pattern need not be an expression.
    return false
  }
}

function areTold(wanted: AutosignRules['grains'], told: Mapping): boolean {
  const names = Object.keys(wanted)
  const values = names.map((name) => (Object.hasOwn(told, name) ? pythonStr(told[name] ?? null) : undefined))
  return (
    values.some((value) => value !== undefined && value.length >= leastSecret) &&
    names.every((name, at) => wanted[name]?.some((value) => value === values[at]))
  )
}
