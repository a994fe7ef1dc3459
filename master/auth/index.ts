// Who somebody is: eauth backends, tokens, limits of log-ins.
export {
  type Authenticated,
  type Authenticator,
  createAuthenticator,
  type IssuedToken,
  type TokenHolder,
} from './authenticator.ts'
export type { Backend } from './backend.ts'
export { createBackends } from './backends.ts'
export type { ReadText } from './password-file.ts'
