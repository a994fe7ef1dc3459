// The wire: schemas and version.
export * from './check.ts'
export * from './invoke.ts'
export * from './minion.ts'
export * from './user.ts'
export * from './version.ts'
