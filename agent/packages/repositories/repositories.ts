// What the pkg module needs of the places packages come from. apt's and dnf's each keep these promises.
import { type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Call } from '../../modules/module.ts'

/** What a caller says of a repository, by the names Salt has for it. */
export type RepositoryWords = Mapping

/** Nothing is kept between calls: each reads the files as they are. */
export interface Repositories {
  /** All there are, those that are disabled too. */
  list(call: Call, words: RepositoryWords): Promise<Mapping>
  /** What is known of one; empty where there is none. Throws CommandExecutionError where it cannot be told. */
  get(call: Call, repo: string, words: RepositoryWords): Promise<Mapping>
  /** Adds one or changes it. Throws SaltInvocationError for words that do not fit. */
  modify(call: Call, repo: string, words: RepositoryWords): Promise<Mapping>
  /** Removes one and says so, or throws CommandExecutionError. */
  remove(call: Call, repo: string, words: RepositoryWords): Promise<string>
  /** What {@link get} would tell of one that is as it is wanted. */
  wanted(call: Call, repo: string, words: RepositoryWords): Mapping
  /** Whether a word of what is wanted is told already; undefined leaves it to the values themselves. */
  agrees(key: string, wanted: Mapping, told: Mapping, words: RepositoryWords): boolean | undefined
  /** The name under which it is looked up, in the one form that {@link list} has. */
  plainName(repo: string): string
  /** Whether what is told of one is the one that a name means. */
  means(repo: string, told: Mapping): boolean
}

/** A text of the words; undefined for None and the empty text. */
export function wordOf(words: RepositoryWords, name: string): string | undefined {
  const value: Value = words[name] ?? null
  return value === null || value === '' ? undefined : pythonStr(value)
}
