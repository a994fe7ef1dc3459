// The linter of reactor sets.
export { checkTemplate } from './check-template.ts'
export { type FunctionCatalog, type FunctionClient, functionCatalog } from './functions.ts'
export * from './lint.ts'
export type { LintProblem } from './problem.ts'
