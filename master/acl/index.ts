// Who may do what: external_auth's language and the checks.
export { mayPublish, mayRun } from './check.ts'
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
export type { Grant } from './grants.ts'
