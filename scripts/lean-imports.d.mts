// The types of lean-imports.mjs, for tests.
import type { Plugin } from 'esbuild'

/** See lean-imports.mjs. */
export const leanImports: Plugin
