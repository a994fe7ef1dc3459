// salt-api: rest_cherrypy's surface.

export { type Caller, callerOf, type Rights } from './caller.ts'
export type { AnswerCounts } from './counts.ts'
export { ApiError } from './error-page.ts'
export { eventJson } from './event-frames.ts'
export { readHookSignatures } from './hook-signature.ts'
export { below } from './page.ts'
export { createSaltApi, type SaltApi } from './salt-api.ts'
export { type ApiSettings, defaultApiSettings } from './settings.ts'
export { stillStands } from './still-stands.ts'
