// Who somebody is: eauth backends, tokens, limits of log-ins.
export {
  type Authenticated,
  type Authenticator,
  createAuthenticator,
  type IssuedToken,
  type Shown,
  type TokenHolder,
  type TokenUse,
} from './authenticator.ts'
export type { Backend, Credentials, Vouched } from './backend.ts'
export { type BackendNeeds, createBackends } from './backends.ts'
export { defaultLoginLimits, LoginLimit, type LoginLimits } from './login-limit.ts'
export type { ReadText } from './password-file.ts'
export { sameText } from './same-text.ts'
