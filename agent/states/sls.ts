// SLS files on the minion: rendered from the master's files, with the minion's facts and functions.
import { SlsRenderer } from '../../core/render/index.ts'
import { askedFiles, type HighWorld, type SlsFile, stateContext } from '../../core/state/index.ts'
import type { Mapping, Value } from '../../core/value/index.ts'
import type { Call } from '../modules/module.ts'
import { factsOf, type TemplateSource, withAnswers } from './templates.ts'

/** Renders and compiles SLS files for one call; `work` may be run many times and must have no effects. */
export function withSls<T>(call: Call, work: (world: HighWorld) => T): Promise<T> {
  const { jinja_sls_env: jinja, state_auto_order: order } = call.agent.opts
  const renderer = new SlsRenderer(isSettings(jinja) ? { jinja } : {})
  return withAnswers(call, (known, source) =>
    work({
      files: askedFiles(known),
      render: (file) => documentOf(call, renderer, source, file),
      autoOrder: order !== false,
    }),
  )
}

function isSettings(value: Value | undefined): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map)
}

function documentOf(call: Call, renderer: SlsRenderer, source: TemplateSource, file: SlsFile): Value {
  const variables = stateContext(file, factsOf(call))
  const name = file.path === '' ? file.sls : `salt://${file.path}`
  return renderer.render({ name, text: file.text }, source(variables, file.env)).document
}
