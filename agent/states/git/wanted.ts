// What `git.latest` works on, and the words that its parts share.
import { type Mapping, pythonStr } from '../../../core/value/index.ts'
import { expandUser } from '../../filesystem/paths.ts'
import type { Arguments } from '../../modules/arguments.ts'
import type { StateReturn } from '../state-module.ts'
import type { RemoteRev } from './remote-rev.ts'
import { type Repository, sentences } from './repository.ts'

/** What is wanted, and what is known of the remote. */
export interface Wanted {
  readonly name: string
  readonly target: string
  readonly remote: string
  readonly branch: string | undefined
  readonly remoteRev: RemoteRev
  readonly bare: boolean
  readonly url: string
  readonly refspecs: readonly string[]
  readonly repository: Repository
  /** `identity`, `saltenv`: what calls to the remote take besides. */
  readonly keys: Mapping
  readonly args: Arguments
}

/** It failed; what was done before is told. */
export function fail(ret: StateReturn, words: string, comments: readonly string[] = []): StateReturn {
  const before = comments.length === 0 ? '' : `\n\nChanges already made: ${sentences(comments)}`
  return { ...ret, result: false, comment: words + before }
}

/** Nothing is done in test mode. */
export const wouldBe = (ret: StateReturn, comment: string): StateReturn => ({ ...ret, result: null, comment })

/** What to do about the branch that is followed; nothing where it is right, or the remote's HEAD is meant. */
export function trackingPlan(
  wanted: string | false | undefined,
  now: string | undefined,
): { readonly opts: readonly string[]; readonly words: string } | undefined {
  if (wanted === false) return now === undefined ? undefined : { opts: ['--unset-upstream'], words: 'unset' }
  if (wanted === undefined || wanted === now) return undefined
  return { opts: ['--set-upstream-to', wanted], words: `${now === undefined ? 'set' : 'updated'} to ${wanted}` }
}

/** Submodules as the commit has them. */
export async function submodules({ repository, keys }: Wanted): Promise<void> {
  const { identity = null, saltenv = 'base' } = keys
  await repository.run('submodule', {
    command: 'update',
    opts: ['--init', '--recursive'],
    saltenv,
    ...(identity === null ? {} : { identity }),
  })
}

/** The keys with `~` expanded, or what is wrong with them. */
export async function identityOf(args: Arguments): Promise<Mapping | string> {
  const given = args.value('identity')
  if (given === null) return {}
  if (typeof given !== 'string' && !Array.isArray(given)) return 'identity must be either a list or a string'
  const paths = await Promise.all((Array.isArray(given) ? given : [given]).map((path) => expandUser(pythonStr(path))))
  const wrong = paths.find((path) => !path.startsWith('/') && !path.startsWith('salt://'))
  return wrong === undefined ? { identity: paths } : `identity '${wrong}' is not an absolute path`
}
