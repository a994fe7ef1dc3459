// What the modules for templates need of the renderers, in one place that is loaded where they are used.
import { rendererPipe } from '../../../core/render/renderer-pipe.ts'
import { CommandExecutionError } from '../errors.ts'

export { loadYaml } from '../../../core/render/yaml/index.ts'

/** Throws what there is to say of a renderer that is not there. */
export function refuseRenderer(line: string): never {
  rendererPipe(`#!${line}\n`)
  throw new CommandExecutionError(`The renderers ${line} cannot be followed. There are jinja, yaml and json.`)
}
