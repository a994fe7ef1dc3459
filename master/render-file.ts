// What a master's templates may ask, given to the renderer of reaction/.

import type { RenderFile } from '../reaction/index.ts'
import { createRenderFile as createRender, type RenderFacts as Facts } from '../reaction/render-file.ts'
import { answerable } from './answers.ts'

/** What templates know of their master. */
export type RenderFacts = Omit<Facts, 'answerable'>

/** The {@link RenderFile} of a master. Templates and documents are remembered by the file they came from. */
export function createRenderFile(facts: RenderFacts): RenderFile {
  return createRender({ ...facts, answerable: (fun) => answerable.has(fun) })
}
