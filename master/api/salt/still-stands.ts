// Whether who was let in may stay, for streams that outlive a log-out.
import type { Authenticator } from '../../auth/index.ts'
import type { Principal } from '../../principal.ts'

/** False once a user's token has ended, or a ticket's holder is known no more. */
export async function stillStands(
  auth: Pick<Authenticator, 'holderOf' | 'isKnown'>,
  principal: Principal,
): Promise<boolean> {
  if (principal.kind !== 'user') return true
  return principal.by === 'token'
    ? (await auth.holderOf(principal.token)) !== undefined
    : auth.isKnown(principal.person)
}
