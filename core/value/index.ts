// Values, their JSON and their Python text.
export * from './json.ts'
export * from './python-object.ts'
export * from './python-text.ts'
export * from './value.ts'
