// Versions compared as dpkg, rpm and apk compare them, and version conditions as pkg states write them.
import { matchTag } from '../../core/event/tag-glob.ts'

/** Negative, zero or positive, as `a` comes before, with or after `b`. */
export type CompareVersions = (a: string, b: string) => number

/** The order of Debian versions: `[epoch:]upstream[-revision]`, `~` before everything. */
export function compareDebian(a: string, b: string): number {
  const [one, other] = [debianParts(a), debianParts(b)]
  return (
    one.epoch - other.epoch ||
    compareRuns(one.upstream, other.upstream, debianOrder) ||
    compareRuns(one.revision, other.revision, debianOrder)
  )
}

function debianParts(version: string): { epoch: number; upstream: string; revision: string } {
  const [, epoch = '0', rest = ''] = /^(?:(\d+):)?(.*)$/s.exec(version.trim()) ?? []
  const dash = rest.lastIndexOf('-')
  return {
    epoch: Number(epoch),
    upstream: dash < 0 ? rest : rest.slice(0, dash),
    revision: dash < 0 ? '' : rest.slice(dash + 1),
  }
}

/** Of two characters that are no digits (undefined: the end). */
function debianOrder(character: string | undefined): number {
  if (character === undefined) return 0
  if (character === '~') return -1
  return /[a-z]/i.test(character) ? character.charCodeAt(0) : character.charCodeAt(0) + 256
}

/** Texts and numbers in turn; texts by the order of their characters. */
function compareRuns(a: string, b: string, order: (character: string | undefined) => number): number {
  let [left, right] = [a, b]
  while (left !== '' || right !== '') {
    const texts = [left, right].map((text) => /^\D*/.exec(text)?.[0] ?? '')
    const [one = '', other = ''] = texts
    for (let at = 0; at < Math.max(one.length, other.length); at++) {
      const difference = order(one[at]) - order(other[at])
      if (difference !== 0) return difference
    }
    left = left.slice(one.length)
    right = right.slice(other.length)
    const numbers = [left, right].map((text) => /^\d*/.exec(text)?.[0] ?? '')
    const difference = compareDigits(numbers[0] ?? '', numbers[1] ?? '')
    if (difference !== 0) return difference
    left = left.slice(numbers[0]?.length)
    right = right.slice(numbers[1]?.length)
  }
  return 0
}

function compareDigits(a: string, b: string): number {
  const [one, other] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')]
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0)
}

/** The order of rpm versions: `[epoch:]version[-release]`. A release that only one of them has is not looked at. */
export function compareRpm(a: string, b: string): number {
  const [one, other] = [rpmParts(a), rpmParts(b)]
  const before = one.epoch - other.epoch || compareRpmPart(one.version, other.version)
  if (before !== 0 || one.release === undefined || other.release === undefined) return before
  return compareRpmPart(one.release, other.release)
}

function rpmParts(version: string): { epoch: number; version: string; release: string | undefined } {
  const [, epoch = '0', rest = ''] = /^(?:(\d+):)?(.*)$/s.exec(version.trim()) ?? []
  const dash = rest.indexOf('-')
  return dash < 0
    ? { epoch: Number(epoch), version: rest, release: undefined }
    : { epoch: Number(epoch), version: rest.slice(0, dash), release: rest.slice(dash + 1) }
}

function compareRpmPart(a: string, b: string): number {
  const pieces = (text: string): string[] => text.match(/\d+|[a-z]+|~|\^/gi) ?? []
  const [left, right] = [pieces(a), pieces(b)]
  for (let at = 0; ; at++) {
    const [one, other] = [left[at], right[at]]
    if (one === undefined && other === undefined) return 0
    for (const [mark, sign] of [
      ['~', -1],
      ['^', 1],
    ] as const) {
      if (one === mark && other === mark) continue
      // A caret sorts after the end and before everything else; a tilde before the end.
      if (one === mark) return mark === '^' && other !== undefined ? -1 : sign
      if (other === mark) return mark === '^' && one !== undefined ? 1 : -sign
    }
    if (one === undefined) return -1
    if (other === undefined) return 1
    const [isNumber, otherIsNumber] = [/^\d/.test(one), /^\d/.test(other)]
    if (isNumber !== otherIsNumber) return isNumber ? 1 : -1
    const difference = isNumber ? compareDigits(one, other) : one < other ? -1 : one > other ? 1 : 0
    if (difference !== 0) return difference
  }
}

const apkSuffixes = ['alpha', 'beta', 'pre', 'rc', '', 'cvs', 'svn', 'git', 'hg', 'p']

/** The order of Alpine's versions: `1.2.3a_rc1-r0`. */
export function compareApk(a: string, b: string): number {
  const [one, other] = [apkParts(a), apkParts(b)]
  for (let at = 0; at < Math.max(one.numbers.length, other.numbers.length); at++) {
    const [left, right] = [one.numbers[at], other.numbers[at]]
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1
    const difference = compareDigits(left, right)
    if (difference !== 0) return difference
  }
  if (one.letter !== other.letter) return one.letter < other.letter ? -1 : 1
  for (let at = 0; at < Math.max(one.suffixes.length, other.suffixes.length); at++) {
    const [left, right] = [one.suffixes[at] ?? ['', ''], other.suffixes[at] ?? ['', '']]
    const rank = apkSuffixes.indexOf(left[0] ?? '') - apkSuffixes.indexOf(right[0] ?? '')
    const difference = rank || compareDigits(left[1] ?? '', right[1] ?? '')
    if (difference !== 0) return difference
  }
  return compareDigits(one.release, other.release)
}

function apkParts(version: string): { numbers: string[]; letter: string; suffixes: string[][]; release: string } {
  const [, head = '', letter = '', tail = '', release = ''] =
    /^(\d+(?:\.\d+)*)?([a-z])?((?:_[a-z]+\d*)*)(?:-r(\d+))?/.exec(version.trim()) ?? []
  const suffixes = [...tail.matchAll(/_([a-z]+)(\d*)/g)].map(([, word = '', number = '']) => [word, number])
  return { numbers: head === '' ? [] : head.split('.'), letter, suffixes, release }
}

/** One condition of a version text: `>=1.2`, `!=3`, `1.2.*`. */
export interface VersionCondition {
  readonly operator: string
  readonly version: string
}

/** The conditions of a text, separated by commas. */
function versionConditions(text: string): VersionCondition[] {
  if (text.trim() === '') return []
  return text.split(',').map((part) => {
    const parts = /^(<=>|!=|>=|<=|>>|<<|<>|>|<|=)?\s?([^<>=]+)$/.exec(part.trim())
    const operator = parts?.[1] ?? ''
    return { operator: operator === '' || operator === '=' ? '==' : operator, version: parts?.[2] ?? part.trim() }
  })
}

/** How versions are held against conditions. */
export interface FulfilOptions {
  readonly compare: CompareVersions
  /** @default what is wanted has no epoch, and is wanted exactly */
  readonly ignoreEpoch?: boolean | undefined
  /** A later version than the one wanted will do. @default false */
  readonly allowUpdates?: boolean
}

/** Whether one of the versions fulfils all conditions of a text. */
export function fulfils(versions: readonly string[], text: string, options: FulfilOptions): boolean {
  const conditions = versionConditions(text)
  const [only] = conditions
  return versions.some((version) =>
    conditions.every((condition) => {
      const isLoose = options.allowUpdates === true && conditions.length === 1 && only?.operator === '=='
      return fulfilsOne(version, isLoose ? { ...condition, operator: '>=' } : condition, options)
    }),
  )
}

function fulfilsOne(version: string, { operator, version: wanted }: VersionCondition, options: FulfilOptions): boolean {
  if (operator === '==' && matchTag(wanted, version)) return true
  const ignore = options.ignoreEpoch ?? (!/[<>]/.test(operator) && !wanted.includes(':'))
  const bare = (text: string): string => (ignore ? text.slice(text.indexOf(':') + 1) : text)
  return holds(options.compare(bare(version), bare(wanted)), operator)
}

function holds(difference: number, operator: string): boolean {
  switch (operator) {
    case '==':
      return difference === 0
    case '!=':
    case '<>':
      return difference !== 0
    case '>=':
      return difference >= 0
    case '<=':
      return difference <= 0
    case '>':
    case '>>':
      return difference > 0
    case '<':
    case '<<':
      return difference < 0
    default:
      return false
  }
}
