// Reactor configuration, and SLS documents on their way to the calls they lead to.
export * from './call.ts'
export type { Chunk } from './chunk.ts'
export * from './compile.ts'
export * from './reaction-files.ts'
export * from './reactor-config.ts'
export * from './requisite.ts'
export * from './salt-call.ts'
export type { Signatures } from './signature.ts'
