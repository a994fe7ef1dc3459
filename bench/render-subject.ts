// What `bench render` measures: one event through render, fill and compile, as the built master does it.
import { reactorContext, SALT_FUNCTIONS, SlsRenderer, yamlTools } from '../core/render/index.ts'
import { DocumentCache } from '../core/render/yaml/index.ts'
import { compileSls } from '../core/sls/index.ts'
import type { Mapping } from '../core/value/index.ts'

/** Low chunks. */
export type Chunks = readonly unknown[]

/** Renders a text for an event's data; with a cache of parsed documents of so many bytes, or none. */
export function renderer(text: string, bytes: number | undefined): (data: Mapping) => Chunks {
  const sls = new SlsRenderer(bytes === undefined ? {} : { documents: new DocumentCache(bytes) })
  const file = { name: '/srv/reactor/bench.sls', text, hash: 'bench' }
  return (data) => {
    const context = reactorContext(file.name, { tag: 'salt/auth', data, opts: {}, grains: {}, pillar: {} })
    const salt = { pure: SALT_FUNCTIONS, answerable: () => false, answers: new Map() }
    const { document } = sls.render(file, { context, salt, yaml: yamlTools, files: () => undefined })
    const { chunks, problems } = compileSls([{ name: file.name, document }])
    if (problems.length > 0 || chunks.length === 0)
      throw new Error(`the SLS led to nothing: ${JSON.stringify(problems)}`)
    return chunks
  }
}
