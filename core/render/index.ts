// Rendering SLS: Jinja, holes, YAML and JSON.
export { HOLE_CLOSE, HOLE_OPEN, type Hole } from './hole.ts'
export * from './jinja/index.ts'
export { printHoles } from './json-document.ts'
export { RendererError } from './renderer-pipe.ts'
export * from './sls.ts'
export * from './sls-context.ts'
export * from './yaml/index.ts'
