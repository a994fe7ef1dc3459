// Which commit of the remote `git.latest` means.
import type { Mapping } from '../../../core/value/index.ts'
import { short } from './repository.ts'

/** What a revision is on the remote. */
export interface RemoteRev {
  /** The commit's id; undefined where the remote has no such revision. */
  readonly id: string | undefined
  readonly type: 'sha1' | 'branch' | 'tag' | undefined
  /** `origin/main` for a branch; undefined for the remote's HEAD, false for what has none. */
  readonly upstream: string | false | undefined
  /** How comments name it. */
  readonly location: string
  /** The branch that HEAD of the remote is. */
  readonly defaultBranch: string | undefined
  readonly rev: string
}

/** Reads the refs of the remote. */
export function remoteRev(refs: Mapping, rev: string, remote: string): RemoteRev {
  const id = (ref: string): string | undefined => {
    const found = refs[ref]
    return typeof found === 'string' ? found : undefined
  }
  const head = id('HEAD')
  const branch = Object.keys(refs).find((ref) => ref.startsWith('refs/heads/') && refs[ref] === head)
  const base = { rev, defaultBranch: head === undefined ? undefined : branch?.slice('refs/heads/'.length) }
  if (rev === 'HEAD') {
    if (head === undefined) return { ...base, id: undefined, type: undefined, upstream: false, location: '' }
    return { ...base, id: head, type: 'sha1', upstream: undefined, location: `remote HEAD (${short(head)})` }
  }
  const ofBranch = id(`refs/heads/${rev}`)
  if (ofBranch !== undefined) {
    const upstream = `${remote}/${rev}`
    return { ...base, id: ofBranch, type: 'branch', upstream, location: `${upstream} (${short(ofBranch)})` }
  }
  const ofTag = id(`refs/tags/${rev}^{}`) ?? id(`refs/tags/${rev}`)
  if (ofTag !== undefined)
    return { ...base, id: ofTag, type: 'tag', upstream: false, location: `${rev} (${short(ofTag)})` }
  if (/^[0-9a-fA-F]{1,40}$/.test(rev)) {
    const digits = rev.toLowerCase()
    return { ...base, rev: digits, id: digits, type: 'sha1', upstream: false, location: short(digits) }
  }
  return { ...base, id: undefined, type: undefined, upstream: false, location: '' }
}

/** Whether a commit is the one; the id given may be short. */
export function isRev(id: string | undefined, { id: wanted, type }: Pick<RemoteRev, 'id' | 'type'>): boolean {
  if (id === undefined || wanted === undefined) return id === wanted
  return type === 'sha1' ? id.startsWith(wanted) : id === wanted
}
