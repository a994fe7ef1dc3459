// Which suite judges which golden file. A suite is one file here and one line below.
import type { Suites } from '../suite.ts'

/** By file name. */
export const SUITES: Suites = {
  'confirm-top.jsonl': () => import('./confirm-top.ts'),
  'fnmatch.jsonl': () => import('./fnmatch.ts'),
  'jinja.jsonl': () => import('./jinja.ts'),
  'parse-input.jsonl': () => import('./parse-input.ts'),
  'reactor-edge.jsonl': () => import('./reactor-edge.ts'),
  'states.jsonl': () => import('./states.ts'),
  'targets.jsonl': () => import('./targets.ts'),
  'yaml.jsonl': () => import('./yaml.ts'),
  'yamlify.jsonl': () => import('./yamlify.ts'),
}
