// EventBridge's event patterns: read, matched, explained.
export * from './match-pattern.ts'
export { parsePattern } from './parse-pattern.ts'
export type { EventPattern } from './pattern.ts'
