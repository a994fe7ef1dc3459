// A Salt master's files, looked at for what works here.
export { configFindings } from './config-findings.ts'
export * from './finding.ts'
export { type Known, type SlsKind, slsFindings } from './sls-findings.ts'
