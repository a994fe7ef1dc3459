// Compiles a target once, to be tested on thousands of minions.
import { BrineError } from '../error.ts'
import { tagGlob } from '../event/tag-glob.ts'
import { pythonStr, type Value } from '../value/index.ts'
import { compound } from './compound.ts'
import { ipcidr } from './ipcidr.ts'
import { expandNodegroup } from './nodegroup.ts'
import { pythonRegex } from './python-regex.ts'
import { type Comparison, subdict } from './subdict.ts'
import { DELIMITER, type Nodegroups, nobody, TARGET_TYPES, type TargetTest, type TargetType } from './target.ts'

/** What a target may refer to. */
export interface TargetOptions {
  readonly nodegroups?: Nodegroups
  /** Between the keys of grain and pillar targets. @default ':' */
  readonly delimiter?: string
}

/**
 * The test of a target. What Salt logs and answers with "no match" (a malformed compound, an unknown nodegroup, an
 * address that is none, a target of the wrong kind) matches nobody. Throws a BrineError `target` for a type there is
 * not, `range` among them, and `regex` for a `pcre` that Python refuses.
 */
export function compileTarget(tgtType: string, tgt: Value, options: TargetOptions = {}): TargetTest {
  const nodegroups = options.nodegroups ?? {}
  const delimiter = options.delimiter ?? DELIMITER
  const type = targetType(tgtType)
  switch (type) {
    case 'compound':
      return compoundOf(tgt, nodegroups, false)
    case 'compound_pillar_exact':
      return compoundOf(tgt, nodegroups, true)
    case 'nodegroup':
      return typeof tgt === 'string' ? compoundOf([...expandNodegroup(tgt, nodegroups)], nodegroups, false) : nobody
    case 'list':
      return list(tgt)
    default:
      return typeof tgt === 'string' ? term(type, tgt, delimiter) : nobody
  }
}

function targetType(name: string): TargetType {
  const type = TARGET_TYPES.find((known) => known === name)
  if (type !== undefined) return type
  const reason =
    name === 'range'
      ? "The target type 'range' needs a range server, which Brine has none of."
      : `There is no target type '${name}'.`
  throw new BrineError(`${reason} Use one of: ${TARGET_TYPES.join(', ')}.`, { code: 'target' })
}

type TermType = Exclude<TargetType, 'compound' | 'compound_pillar_exact' | 'nodegroup' | 'list'>

function term(type: TermType, pattern: string, delimiter: string): TargetTest {
  switch (type) {
    case 'glob': {
      const matches = tagGlob(pattern)
      return ({ id }) => matches(id)
    }
    case 'pcre': {
      const regex = pythonRegex(pattern)
      return ({ id }) => regex.test(id)
    }
    case 'ipcidr':
      return ipcidr(pattern)
    case 'grain':
    case 'grain_pcre': {
      const matches = subdict(pattern, delimiter, COMPARISONS[type])
      return ({ grains }) => matches(grains)
    }
    case 'pillar':
    case 'pillar_pcre':
    case 'pillar_exact': {
      const matches = subdict(pattern, delimiter, COMPARISONS[type])
      return ({ pillar }) => matches(pillar)
    }
  }
}

const COMPARISONS: Readonly<Record<'grain' | 'grain_pcre' | 'pillar' | 'pillar_pcre' | 'pillar_exact', Comparison>> = {
  grain: 'glob',
  grain_pcre: 'pcre',
  pillar: 'glob',
  pillar_pcre: 'pcre',
  pillar_exact: 'exact',
}

/** Ids between commas, nothing trimmed; an id that has commas itself is found too. A list holds ids as they are. */
function list(tgt: Value): TargetTest {
  if (Array.isArray(tgt)) {
    const ids = new Set<Value>(tgt)
    return ({ id }) => ids.has(id)
  }
  if (typeof tgt !== 'string') return nobody
  const ids = new Set(tgt.split(','))
  const padded = `,${tgt},`
  return ({ id }) => (id.includes(',') ? padded.includes(`,${id},`) : id !== '' && ids.has(id))
}

const LETTERS: Readonly<Record<string, TermType>> = {
  G: 'grain',
  P: 'grain_pcre',
  I: 'pillar',
  J: 'pillar_pcre',
  S: 'ipcidr',
  E: 'pcre',
}

function compoundOf(tgt: Value, nodegroups: Nodegroups, exact: boolean): TargetTest {
  const words = typeof tgt === 'string' ? tgt.split(/\s+/).filter((word) => word !== '') : tgt
  if (!Array.isArray(words)) return nobody
  return compound(words.map(pythonStr), nodegroups, (letter, pattern, delimiter) => {
    if (letter === undefined) return term('glob', pattern, DELIMITER)
    if (letter === 'L') return list(pattern)
    if (letter === 'M') return ({ id }) => id === pattern
    const type = exact && (letter === 'I' || letter === 'J') ? 'pillar_exact' : LETTERS[letter]
    // `T@` asks for the resources a minion manages; Brine's minions manage none.
    return type === undefined ? nobody : term(type, pattern, delimiter ?? DELIMITER)
  })
}
