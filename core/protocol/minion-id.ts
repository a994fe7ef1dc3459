// What a minion may be called: what Salt's `valid_id` allows, less control characters.

/** The longest id, characters. */
export const longestMinionId = 255
/** What an id of any length may hold. */
export const minionIdPattern = /^(?!\.{1,2}$)[^/\\\p{Cc}]+$/u
/** What is told of an id that does not match {@link minionIdPattern}. */
export const minionIdRule = 'must not hold / or \\ or control characters'

/** Why this is no minion's id, as the end of a sentence that begins with it; undefined where it is one. */
export function minionIdProblem(id: string): string | undefined {
  if (id === '' || id.length > longestMinionId) return `must have 1 to ${longestMinionId} characters`
  return minionIdPattern.test(id) ? undefined : minionIdRule
}
