// salt-api: rest_cherrypy's surface.
export { readHookSignatures } from './hook-signature.ts'
export { below } from './page.ts'
export { createSaltApi, type SaltApi, type SaltApiExtras } from './salt-api.ts'
export { type ApiSettings, defaultApiSettings, type HookSignature } from './settings.ts'
