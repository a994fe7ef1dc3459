// The backends of a configuration; one that Brine does not have is refused, with what to use.
import { BrineError } from '../../core/error.ts'
import type { ExternalAuth } from '../acl/index.ts'
import type { Backend } from './backend.ts'
import { createOidc } from './oidc.ts'
import { createPasswordFile, type ReadText } from './password-file.ts'
import { createSharedSecret } from './shared-secret.ts'

/** What backends are made from. */
export interface BackendNeeds {
  readonly sharedsecret: string | null
  readonly readText: ReadText
  /** Backends of the platform's own, by name. */
  readonly others?: ReadonlyMap<string, Backend>
}

const instead: Readonly<Record<string, string>> = {
  pam: 'Use `file` (a list of names and bcrypt hashes), or `oidc` with the identity provider your machines use.',
  ldap: 'Use `oidc`: an identity provider in front of the directory gives tokens with its groups.',
  auto: 'It lets anybody in. Use `sharedsecret` or `file`.',
}

/** Throws for a backend there is not. */
export function createBackends(auth: ExternalAuth, needs: BackendNeeds): ReadonlyMap<string, Backend> {
  const backends = new Map<string, Backend>()
  for (const [name, access] of auth) {
    const other = needs.others?.get(name)
    if (other !== undefined) backends.set(name, other)
    else if (name === 'sharedsecret') backends.set(name, createSharedSecret(needs.sharedsecret))
    else if (name === 'file') backends.set(name, createPasswordFile(access, needs.readText))
    else if (name === 'oidc') backends.set(name, createOidc(access))
    else {
      throw new BrineError(
        `external_auth names the backend ${name}, which Brine does not have. ${instead[name] ?? 'Use `file`, `oidc` or `sharedsecret`.'}`,
        { code: 'config' },
      )
    }
  }
  return backends
}
