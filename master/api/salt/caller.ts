// Who a call is made by, and the gate each call passes before anything of it happens.
import type { Mapping, Value } from '../../../core/value/index.ts'
import { mayPublish, mayRun, type Person } from '../../acl/index.ts'
import type { Authenticator } from '../../auth/index.ts'
import type { Principal } from '../../principal.ts'
import type { ResolveTarget } from '../../targets.ts'
import { ApiError } from './error-page.ts'

/** Somebody a call is made by. */
export type Caller =
  | { readonly kind: 'local'; readonly name: string }
  | { readonly kind: 'person'; readonly name: string; readonly person: Person; readonly by: 'token' | 'eauth' }

/** Who passed the app's gate as a caller; undefined for who has no rights here. */
export function callerOf(principal: Principal): Caller | undefined {
  switch (principal.kind) {
    case 'local':
      return { kind: 'local', name: principal.user }
    case 'user':
      return { kind: 'person', name: principal.person.name, person: principal.person, by: 'token' }
    case 'minion':
    case 'anonymous':
      return undefined
  }
}

/** Throws where the caller may not do it. The master's own user may do everything. */
export interface Rights {
  publish(
    caller: Caller,
    job: { tgt: Value; tgtType: string; fun: string | string[]; arg: readonly Value[] },
  ): Promise<void>
  run(caller: Caller, run: { client: 'runner' | 'wheel'; fun: string; arg: readonly Value[]; kwarg: Mapping }): void
}

/** Joins who somebody is to what they may do. Rights are looked up anew for each call. */
export function createRights(auth: Authenticator, resolve: ResolveTarget): Rights {
  return {
    async publish(caller, { tgt, tgtType, fun, arg }) {
      if (caller.kind === 'local') return
      const minions = async () => (await resolve(tgt, tgtType)).minions
      const granted = async (target: string) => (await resolve(target, 'compound')).minions
      if (await mayPublish(auth.grantsOf(caller.person), { fun, arg, minions }, granted)) return
      throw new ApiError(401, 'Authorization error occurred.')
    },
    run(caller, wanted) {
      if (caller.kind === 'local') return
      switch (mayRun(auth.grantsOf(caller.person), wanted)) {
        case 'allowed':
          return
        case 'syntax':
          throw new ApiError(400, 'A command invocation error occurred: Check syntax.')
        case 'denied':
          throw new ApiError(401, runRefusal(caller.by, caller.name))
      }
    },
  }
}

/** What Salt says to who may not run a runner or wheel function, or did not prove who they are. */
export function runRefusal(by: 'token' | 'eauth', name: string): string {
  return `Authentication failure of type "${by}" occurred for user ${name}.`
}
