// YAML as Salt's loader reads it, with holes for printed data, and as PyYAML writes it.
export { dumpYaml, type YamlOptions } from '../../yaml-writer/index.ts'
export * from './document.ts'
export { fillDocument } from './fill.ts'
export type { ParsedDocument, YamlSource } from './plan.ts'
export { plainType } from './scalar-type.ts'
export { YamlError, type YamlErrorKind } from './yaml-error.ts'
