// Versions of Python packages as PEP 440 orders them, and whether one fulfils what is asked of it (`>=1.6`, `==2.*`).

const pattern =
  /^\s*v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(?:post|rev|r)[-_.]?(\d*)(?=$|[-_.+]|dev|\s))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*$/i

interface Version {
  readonly epoch: number
  /** Without zeros at its end. */
  readonly release: readonly number[]
  /** What orders those of one release, from first to last: phase and number of the pre-release, post-release, dev. */
  readonly rest: readonly number[]
  readonly isPre: boolean
  readonly isPost: boolean
  readonly local: readonly string[]
}

const phases: Readonly<Record<string, number>> = { a: 0, alpha: 0, b: 1, beta: 1, c: 2, rc: 2, pre: 2, preview: 2 }

function versionOf(text: string): Version | undefined {
  const found = pattern.exec(text)
  if (found === null) return undefined
  const [, epoch = '0', release = '', phase, pre, dashed, post, dev, devNumber, local = ''] = found
  const isPost = dashed !== undefined || post !== undefined
  const before = phases[(phase ?? '').toLowerCase()]
  const last = Number.POSITIVE_INFINITY
  // A dev release alone comes before the pre-releases; no pre-release comes after them.
  const stage = before ?? (dev !== undefined && !isPost ? -1 : last)
  const rest = [
    stage,
    Number(pre || 0),
    isPost ? Number(dashed ?? (post || 0)) : -1,
    dev === undefined ? last : Number(devNumber || 0),
  ]
  return {
    epoch: Number(epoch),
    release: release
      .replace(/(\.0+)+$/, '')
      .split('.')
      .map(Number),
    rest,
    isPre: before !== undefined || dev !== undefined,
    isPost,
    local: local === '' ? [] : local.toLowerCase().split(/[-_.]/),
  }
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [one = 0, other = 0] = [a[at], b[at]]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

const comparePublic = (a: Version, b: Version): number =>
  Math.sign(a.epoch - b.epoch) || compareNumbers(a.release, b.release) || compareNumbers(a.rest, b.rest)

/** Numbers come after words, more parts after fewer. */
function compareLocal(a: readonly string[], b: readonly string[]): number {
  for (const [at, one] of a.entries()) {
    const other = b[at]
    if (other === undefined) return 1
    const [isNumber, isOther] = [/^\d+$/.test(one), /^\d+$/.test(other)]
    if (isNumber !== isOther) return isNumber ? 1 : -1
    const order = isNumber ? Math.sign(Number(one) - Number(other)) : one < other ? -1 : one > other ? 1 : 0
    if (order !== 0) return order
  }
  return a.length < b.length ? -1 : 0
}

/** -1, 0 or 1; undefined where one of them is no version. */
export function comparePep440(a: string, b: string): number | undefined {
  const [one, other] = [versionOf(a), versionOf(b)]
  if (one === undefined || other === undefined) return undefined
  return comparePublic(one, other) || compareLocal(one.local, other.local)
}

/** What is asked of a version: an operator (`==`, `!=`, `<`, `<=`, `>`, `>=`, `~=`, `===`) and the version it means. */
export type Specifier = readonly [operator: string, version: string]

/** Whether a version fulfils all of it. What is installed may be a pre-release, whatever is asked. */
export function fulfils(version: string, specifiers: readonly Specifier[]): boolean {
  return specifiers.every((specifier) => fulfilsOne(version, specifier))
}

function fulfilsOne(text: string, [operator, wanted]: Specifier): boolean {
  if (operator === '===') return text.toLowerCase() === wanted.toLowerCase()
  if (operator === '!=') return !fulfilsOne(text, ['==', wanted])
  if (operator === '~=') {
    const family = wanted.replace(/(?:[-_.]?(?:a|b|rc|c|post|dev)\d*)+$/i, '').replace(/\.\d+$/, '')
    return fulfilsOne(text, ['>=', wanted]) && fulfilsOne(text, ['==', `${family}.*`])
  }
  const found = versionOf(text)
  const other = versionOf(wanted.replace(/\.\*$/, ''))
  if (found === undefined || other === undefined) return false
  if (operator === '==' && wanted.endsWith('.*')) {
    const length = wanted.split('!').at(-1)?.split('.').length ?? 0
    const family = Array.from({ length: length - 1 }, (_, at) => found.release[at] ?? 0)
    return found.epoch === other.epoch && compareNumbers(family, other.release) === 0
  }
  const order = comparePublic(found, other)
  const isSameRelease = found.epoch === other.epoch && compareNumbers(found.release, other.release) === 0
  switch (operator) {
    case '==':
      return order === 0 && (other.local.length === 0 || compareLocal(found.local, other.local) === 0)
    case '<=':
      return order <= 0
    case '>=':
      return order >= 0
    case '<':
      return order < 0 && (other.isPre || !found.isPre || !isSameRelease)
    case '>':
      return order > 0 && (other.isPost || !found.isPost || !isSameRelease)
    default:
      return false
  }
}
