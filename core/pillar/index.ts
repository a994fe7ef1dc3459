// Pillar: from top files and SLS files to what one minion may know.
export * from './compile.ts'
export { type Merging, mergePillars } from './merge.ts'
export { readPillarTop } from './top.ts'
