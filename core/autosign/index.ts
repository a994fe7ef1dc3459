// Which keys a master accepts or rejects by itself.
export * from './rules.ts'
export * from './trusted-file.ts'
