// Who may do what: external_auth's language and the checks.
export { mayPublish, mayRun, type ResolveGrant, type RunVerdict, type WantedJob, type WantedRun } from './check.ts'
export {
  type BackendAccess,
  checkExternalAuth,
  type ExternalAuth,
  grantsOf,
  type Person,
  readExternalAuth,
  settingText,
  shownPermissions,
} from './external-auth.ts'
export { type Grant, readGrants } from './grants.ts'
