// Values as YAML text, as PyYAML writes it.
export { dumpYaml, type YamlOptions } from './emitter.ts'
export { type Entry, entriesByType, sortedEntries } from './sorted-entries.ts'
