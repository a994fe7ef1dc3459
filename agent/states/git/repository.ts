// What the git states ask of a repository, through the functions of the module `git`.
import { isMapping, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { CommandExecutionError } from '../../modules/errors.ts'
import type { StateCall } from '../state-module.ts'

/** The functions of `git` on one place, as one user. */
export interface Repository {
  /** Throws what the function throws. */
  run(fun: string, kwargs?: Mapping): Promise<Value>
  /** Undefined where the function fails. */
  ask(fun: string, kwargs?: Mapping): Promise<string | undefined>
  list(fun: string, kwargs?: Mapping): Promise<string[]>
  map(fun: string, kwargs?: Mapping): Promise<Mapping>
}

/** `who` has `user`, `password` and what else every call takes. */
export function repositoryAt(cwd: string, who: Mapping, call: StateCall): Repository {
  const run = (fun: string, kwargs: Mapping = {}): Promise<Value> =>
    call.salt(`git.${fun}`, [], { cwd, ...who, ...kwargs })
  return {
    run,
    async ask(fun, kwargs = {}) {
      try {
        return pythonStr(await run(fun, { ...kwargs, ignore_retcode: true }))
      } catch (error) {
        if (error instanceof CommandExecutionError) return undefined
        throw error
      }
    },
    async list(fun, kwargs) {
      const found = await run(fun, kwargs)
      return Array.isArray(found) ? found.map(pythonStr) : []
    },
    async map(fun, kwargs) {
      const found = await run(fun, kwargs)
      return isMapping(found) ? found : {}
    },
  }
}

/** Sentences as one comment. */
export const sentences = (comments: readonly string[]): string =>
  `${comments.join('. ')}${comments.length > 1 ? '.' : ''}`

/** An error of git's without the command. */
export const stripped = (message: string): string => message.replace(/^Command ['"].+?['"] failed: /s, '')

/** The first seven digits of a commit's id. */
export const short = (id: string | null | undefined): string =>
  id === null || id === undefined ? 'None' : id.slice(0, 7)
