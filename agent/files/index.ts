// Files a minion uses, by URL.
export { CachingFiles, type FileClient } from './client.ts'
export { hashOfFile } from './hash.ts'
export { filesBelow, localFiles } from './local-source.ts'
export { masterFiles } from './master-source.ts'
export { saltPath } from './salt-path.ts'
export type { FileSource } from './source.ts'
export { type CustomKind, customKinds, type Synced, type SyncRequest, syncModules } from './sync-modules.ts'
