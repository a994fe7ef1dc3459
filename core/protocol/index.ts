// The wire: schemas and version.
export * from './minion.ts'
export * from './user.ts'
export * from './version.ts'
