// What a master's templates may ask, given to the renderer of reaction/.

import type { RenderFile } from '../reaction/index.ts'
import { createRenderFile as createRender, type RenderFacts as Facts } from '../reaction/render-file.ts'
import { answerable } from './answers.ts'
import { masterMinionId } from './orchestrate/master-id.ts'

/** What templates know of their master. */
export type RenderFacts = Omit<Facts, 'answerable'>

/** The {@link RenderFile} of a master. Templates and documents are remembered by the file they came from. */
export function createRenderFile(facts: RenderFacts): RenderFile {
  const opts = facts.opts.id === undefined ? facts.opts : { ...facts.opts, id: masterMinionId(facts.opts, { id: '' }) }
  return createRender({ ...facts, opts, answerable: (fun) => answerable.has(fun) })
}
