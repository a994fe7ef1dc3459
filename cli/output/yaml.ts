// The yaml outputter: PyYAML's block style, keys sorted.
import type { Value } from '../../core/value/index.ts'
import { dumpYaml } from '../../core/yaml-writer/index.ts'
import type { OutputOptions } from './outputter.ts'

/** Prints a document as PyYAML does; `--out-indent` 2 to 9 sets the indent, a negative one asks for flow style. */
export function yaml(data: Value, options: OutputOptions): string {
  const indent = options.outputIndent
  if (typeof indent !== 'number') return dumpYaml(data)
  return indent < 0 ? dumpYaml(data, { flow: true }) : dumpYaml(data, { indent })
}
