// A line of `authorized_keys`: a kind of key, the key, and what stands before and behind them.

/** The parts of such a line. */
export interface AuthorizedKey {
  /** The kind of key, as `ssh-rsa`. */
  readonly enc: string
  /** In base64; empty where nothing follows the kind. */
  readonly key: string
  readonly comment: string
  readonly options: string[]
}

/** The parts of a line; undefined where it names no kind of key. A mark of comment in front is not looked at. */
export function authorizedKey(line: string): AuthorizedKey | undefined {
  const [, before = '', rest] = /^(.*?)\s?((?:sk-)?(?:ssh-|ecds)[\w@.-]+\s.+)$/.exec(line) ?? []
  if (rest === undefined) return undefined
  const [enc = '', key = '', ...comment] = rest.split(/\s+/).filter(Boolean)
  return { enc, key, comment: comment.join(' '), options: before === '' ? [] : before.split(',') }
}
