// Command-line words as function arguments: `key=value` becomes a keyword, the rest is positional.
import { isJid } from '../event/jid.ts'
import { entries, has, isInteger, isMap, type Mapping, mapOf, type Value } from '../value/index.ts'
import { isMarked, KWARG, keywords, withoutMark } from './keywords.ts'
import { yamlifyArg } from './yamlify.ts'

/** How words are read. */
export interface ParseInputOptions {
  /** Names whose values stay text (`--no-parse`). @default none */
  readonly noParse?: readonly string[]
  /** Append the keywords to `arg`, as a job's `arg` holds them. @default true */
  readonly condition?: boolean
}

/** Positional arguments and keywords, apart. */
export interface SplitArguments {
  readonly arg: Value[]
  readonly kwarg: Mapping
}

const NAMED = /^([\p{L}\p{Nl}\p{No}_][\p{L}\p{N}_.-]*)=(?!=)([^\n]*)\n?$/u

/** `['name', 'text']` of a word like `name=text`, `undefined` for any other: `a==b`, `1a=b`, or with a line break inside. */
export function parseKwarg(word: string): [string, string] | undefined {
  const found = NAMED.exec(word)
  return found?.[1] === undefined || found[2] === undefined ? undefined : [found[1], found[2]]
}

/** Reads words into positional arguments and keywords; a later keyword of the same name wins. */
export function splitInput(words: readonly Value[], noParse: readonly string[] = []): SplitArguments {
  const arg: Value[] = []
  const kwarg: [Value, Value][] = []
  for (const word of words) {
    if (typeof word === 'string') {
      const named = parseKwarg(word)
      if (named === undefined) arg.push(yamlifyArg(word))
      else kwarg.push([named[0], noParse.includes(named[0]) ? named[1] : yamlifyArg(named[1])])
    } else if (isMap(word) && has(word, KWARG)) {
      const rest = withoutMark(word)
      if (isMarked(word)) kwarg.push(...rest)
      else arg.push(mapOf(rest))
    } else {
      arg.push(word)
    }
  }
  return { arg, kwarg: keywords(kwarg) }
}

/**
 * Salt's `parse_input`: words to a job's `arg`, keywords as one map marked {@link KWARG} appended last. An integer
 * that is a job id becomes its text again.
 */
export function parseInput(words: readonly Value[], options: ParseInputOptions = {}): Value[] {
  const { arg, kwarg } = splitInput(words, options.noParse ?? [])
  return options.condition === false ? joinArguments(arg, kwarg) : conditionInput(arg, kwarg)
}

/** Positional arguments and keywords as a job's `arg`, with job ids as text. */
export function conditionInput(arg: readonly Value[], kwarg: Mapping): Value[] {
  const texts = arg.map((value) => (isInteger(value) && isJid(String(value)) ? String(value) : value))
  return joinArguments(texts, kwarg)
}

function joinArguments(arg: readonly Value[], kwarg: Mapping): Value[] {
  const pairs = entries(kwarg)
  return pairs.length === 0 ? [...arg] : [...arg, mapOf([[KWARG, true], ...pairs])]
}
